//! `tally doctor`: looks and tries, tells what was expected and found and how to repair it, and leaves nothing changed.

mod daemon;
mod disk;
mod effective;
mod finding;
mod folders;
mod hooks;
mod host;
mod lamps;
mod own;
mod shells;
mod tmux;
mod wiring;
mod zellij;

use serde::Serialize;

use crate::args::DoctorArgs;
use crate::context::Context;
use crate::failure::exit;
use crate::output::{Document, Paint};

use finding::{Finding, Level};

#[derive(Serialize)]
struct DoctorDocument {
    /// Whether states can arrive.
    ok: bool,
    findings: Vec<Finding>,
}

/// Checks everything. Ends with status 1 when states cannot arrive.
pub(crate) fn run(args: &DoctorArgs, context: &Context) -> anyhow::Result<u8> {
    let mut findings = Vec::new();
    findings.extend(folders::folders(context));
    findings.extend(host::settings(context));
    findings.extend(daemon::daemon(context));
    findings.extend(host::store(context));
    findings.extend(hooks::hooks(context));
    findings.extend(host::spool(context));
    findings.extend(wiring::agents(context));
    findings.extend(tmux::tmux(context));
    findings.extend(zellij::zellij(context));
    findings.extend(host::sessions(context));
    let ok = findings
        .iter()
        .all(|finding| finding.level != Level::Broken);
    if args.json {
        context
            .out
            .json(&Document::new(DoctorDocument { ok, findings }))?;
    } else {
        let paint = Paint::new(context.out.colour());
        let text: String = findings.iter().map(|finding| finding.text(paint)).collect();
        context.out.data(&text)?;
        context.out.note(if ok {
            "States can arrive."
        } else {
            "States do not arrive until what is broken is repaired."
        });
    }
    Ok(if ok { exit::OK } else { exit::FAILED })
}
