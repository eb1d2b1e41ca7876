//! session-host.
