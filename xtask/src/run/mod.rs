//! stub
use crate::args::RunArgs;
use crate::workspace::Workspace;
use anyhow::Result;
pub(crate) fn run(_: &Workspace, _: &RunArgs) -> Result<()> {
    crate::provision::for_running()
}
