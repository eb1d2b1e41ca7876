//! Blocking work of the tasks.

/// Runs work that blocks on a thread for such work; `None` when it could not be run to its end.
pub(super) async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    tokio::task::spawn_blocking(work).await.ok()
}
