//! What Tallylight writes into the person's zellij, and how it is taken back (design §8).
//!
//! - [`Places`] says where zellij and the plugin keep their files.
//! - [`config`] is the alias in the person's `config.kdl`, [`keys`] the key there that opens the picker,
//!   [`layout`] a layout of our own, [`permissions`] the grant that
//!   the person has consented to.
//! - `plan` puts them together into [`Edit`]s, which can be shown before they are made; [`Installed`] says how it is.
//!
//! Foreign files are sacred: only our own marked entries are written, everything is parsed before and after, and what
//! is in doubt is refused.

pub mod config;
pub mod keys;
pub mod layout;
pub mod permissions;

mod dependents;
mod edit;
mod error;
mod places;
mod plan;
mod status;

pub use config::url;
pub use dependents::dependents;
pub use edit::Edit;
pub use error::InstallError;
pub use places::Places;
pub use plan::{PickerKey, Wanted, grant, install, kept, revoke, uninstall};
pub use status::{Installed, Part, installed};
