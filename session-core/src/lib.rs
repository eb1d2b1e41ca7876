//! session-core.
