//! Bringing a store up to date.

use rusqlite::Connection;

use super::error::StoreError;

/// The migrations in order; `user_version` says how many of them a store has seen.
const MIGRATIONS: [&str; 2] = [
    include_str!("migrations/0001.sql"),
    include_str!("migrations/0002.sql"),
];

/// Brings the store up to date.
///
/// # Errors
/// When a newer Tallylight has written it, or it cannot be written.
pub(super) fn migrate(connection: &Connection) -> Result<(), StoreError> {
    if up_to_date(connection)? {
        return Ok(());
    }
    // A property of the file, for good; it cannot be changed inside a transaction.
    connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
    connection.execute_batch("BEGIN IMMEDIATE")?;
    let done = run(connection);
    connection.execute_batch(if done.is_ok() { "COMMIT" } else { "ROLLBACK" })?;
    done
}

/// Whether the store needs no migration.
///
/// # Errors
/// When a newer Tallylight has written it, or it cannot be read.
pub(super) fn up_to_date(connection: &Connection) -> Result<bool, StoreError> {
    let found = version(connection)?;
    let known = MIGRATIONS.len();
    if found > known {
        return Err(StoreError::Newer { found, known });
    }
    Ok(found == known)
}

fn run(connection: &Connection) -> Result<(), StoreError> {
    // Another process may have been faster.
    for (number, migration) in MIGRATIONS.iter().enumerate().skip(version(connection)?) {
        connection.execute_batch(migration)?;
        connection.pragma_update(
            None,
            "user_version",
            i64::try_from(number + 1).unwrap_or(i64::MAX),
        )?;
    }
    Ok(())
}

fn version(connection: &Connection) -> Result<usize, StoreError> {
    let version: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    Ok(usize::try_from(version).unwrap_or(usize::MAX))
}
