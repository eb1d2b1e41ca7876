//! tmux-bridge.
