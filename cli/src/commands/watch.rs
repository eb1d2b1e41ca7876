//! `tally watch`.

use crate::context::Context;
use crate::failure::exit;
use crate::follow::{Follower, Told, reader_is_gone};
use crate::output::{Paint, change};

/// Prints a line for each change that comes, until nobody reads them any more.
pub(crate) fn run(context: &Context) -> anyhow::Result<u8> {
    let config = context.config();
    let paint = Paint::new(context.out.colour());
    let mut follower = Follower::from_now(context)?;
    loop {
        let told = follower.read()?;
        if told.is_empty() {
            if reader_is_gone()? {
                return Ok(exit::OK);
            }
            continue;
        }
        let picture = context.recorded(&config, true)?;
        for row in &told {
            // What somebody who has just begun to look has missed is of no use to them.
            let Told::Row(row) = row else { continue };
            let mut sessions = picture.snapshot.sessions.iter();
            let view = sessions.find(|view| view.id == row.transition.session);
            context.out.data(&change(row, view, &config.look, paint))?;
        }
    }
}
