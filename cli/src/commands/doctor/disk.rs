//! What helps when a disk takes nothing more. What waits on it is never to be deleted for that.

use std::io::ErrorKind;
use std::path::Path;

use session_host::trial::TrialError;

/// The repair for a folder on a disk that is full or read-only; `None` when something else is the matter.
pub(super) fn repair(error: &TrialError) -> Option<String> {
    let (path, source) = match error {
        TrialError::Make { above, source, .. } => (above, source),
        TrialError::Write { path, source } => (path, source),
    };
    repair_of(source.kind(), path)
}

/// The same, for any file.
pub(super) fn repair_of(kind: ErrorKind, path: &Path) -> Option<String> {
    let path = path.display();
    match kind {
        ErrorKind::StorageFull => Some(format!(
            "free space on the file system of {path} (df {path} shows it)"
        )),
        ErrorKind::QuotaExceeded => Some(format!(
            "free space of yours on the file system of {path}: your quota there is used up"
        )),
        ErrorKind::ReadOnlyFilesystem => Some(format!(
            "remount the file system of {path} for writing (df {path} shows it)"
        )),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(
        ErrorKind::StorageFull,
        Some("free space on the file system of /s/spool")
    )]
    #[case(ErrorKind::QuotaExceeded, Some("free space of yours"))]
    #[case(
        ErrorKind::ReadOnlyFilesystem,
        Some("remount the file system of /s/spool")
    )]
    #[case(ErrorKind::PermissionDenied, None)]
    fn a_disk_that_takes_nothing_more_is_what_is_repaired(
        #[case] kind: ErrorKind,
        #[case] told: Option<&str>,
    ) {
        let error = TrialError::Write {
            path: "/s/spool".into(),
            source: io::Error::from(kind),
        };
        let repair = repair(&error);
        assert_eq!(repair.is_some(), told.is_some());
        let repair = repair.unwrap_or_default();
        assert!(repair.starts_with(told.unwrap_or_default()), "{repair}");
        assert!(!repair.contains("rm "), "{repair}");
    }
}
