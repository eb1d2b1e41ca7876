//! The plugin as zellij loads it.
#![cfg_attr(
    target_family = "wasm",
    expect(
        missing_docs,
        reason = "zellij's macro makes the functions that zellij calls"
    )
)]

#[cfg(target_family = "wasm")]
use {zellij_plugin::zellij::Instance, zellij_tile::prelude::*};

#[cfg(target_family = "wasm")]
zellij_tile::register_plugin!(Instance);

#[cfg(not(target_family = "wasm"))]
fn main() -> std::process::ExitCode {
    // Only zellij can run it, so there is nothing to say here that anybody would read.
    std::process::ExitCode::FAILURE
}
