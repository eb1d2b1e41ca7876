//! The package managers that can be asked.

use std::io::IsTerminal as _;

use anyhow::{Result, bail};

use super::need::Need;
use crate::console;
use crate::program::{Program, on_path};

/// A package manager.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Manager {
    Apt,
    Brew,
}

impl Manager {
    pub(super) fn of_this_machine() -> Option<Self> {
        // Linux machines may have brew as well; the system's own comes first.
        [(Self::Apt, "apt-get"), (Self::Brew, "brew")]
            .into_iter()
            .find(|(_, program)| on_path(program).is_some())
            .map(|(manager, _)| manager)
    }

    pub(super) fn package(self, need: &Need) -> &'static str {
        match self {
            Self::Apt => need.apt,
            Self::Brew => need.brew,
        }
    }

    pub(super) fn install(self, packages: &[&str]) -> Result<()> {
        match self {
            Self::Apt => apt_install(packages),
            Self::Brew => Program::new("brew").arg("install").args(packages).run(),
        }
    }
}

fn apt_install(packages: &[&str]) -> Result<()> {
    let privileged = Privilege::find(packages)?;
    // Old lists still install what has not changed since.
    if let Err(error) = privileged
        .program("apt-get")
        .args(["update", "--quiet"])
        .run()
    {
        console::complain(&error.context("going on with the package lists as they are"));
    }
    // Nothing a person has is removed for us: a conflict fails instead.
    privileged
        .program("env")
        .args([
            "DEBIAN_FRONTEND=noninteractive",
            "apt-get",
            "install",
            "--yes",
            "--quiet",
        ])
        .args(["--no-remove", "--no-install-recommends"])
        .args(packages)
        .run()
}

/// How to become root.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Privilege {
    Root,
    Sudo,
    /// Without a terminal nobody can type a password.
    SudoWithoutPassword,
}

impl Privilege {
    fn find(packages: &[&str]) -> Result<Self> {
        if Program::new("id").arg("-u").read()? == "0" {
            return Ok(Self::Root);
        }
        let wanted = format!(
            "apt-get install --no-install-recommends {}",
            packages.join(" ")
        );
        if on_path("sudo").is_none() {
            bail!("installing needs root and there is no sudo; run this as root: {wanted}");
        }
        if std::io::stdin().is_terminal() {
            return Ok(Self::Sudo);
        }
        if Program::new("sudo").args(["-n", "true"]).succeeds() {
            return Ok(Self::SudoWithoutPassword);
        }
        bail!("sudo asks for a password and there is no terminal; run: sudo {wanted}");
    }

    fn program(self, name: &str) -> Program {
        match self {
            Self::Root => Program::new(name),
            Self::Sudo => Program::new("sudo").arg(name).interactive(),
            Self::SudoWithoutPassword => Program::new("sudo").args(["-n", name]),
        }
    }
}
