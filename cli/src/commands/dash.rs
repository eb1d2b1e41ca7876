//! `tally dash` and `tally pick`.

use crate::args::FaceArgs;
use crate::context::Context;
use crate::dash;

/// Shows the agents until the person ends it.
pub(crate) fn dashboard(args: &FaceArgs, context: &Context) -> anyhow::Result<u8> {
    dash::run(dash::Face::Dash, args.client.as_deref(), context)
}

/// Shows the agents until the person has picked one.
pub(crate) fn picker(args: &FaceArgs, context: &Context) -> anyhow::Result<u8> {
    dash::run(dash::Face::Pick, args.client.as_deref(), context)
}
