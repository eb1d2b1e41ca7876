//! Publishes states in tmux options.
