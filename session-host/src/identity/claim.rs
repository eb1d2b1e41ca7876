//! What the environment claims.

use session_core::view::clean;
use session_core::{PaneId, SessionId};

use crate::env::Env;

/// The longest name of a zellij session that is kept.
const NAME_MAX: usize = 128;

/// `TMUX` and `TMUX_PANE`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TmuxClaim {
    /// The server's socket.
    pub socket: String,
    /// The server's process id.
    pub server_pid: u32,
    /// The pane; popups and jobs of the server have none (case B1).
    pub pane: Option<PaneId>,
}

/// `ZELLIJ_PANE_ID` and `ZELLIJ_SESSION_NAME`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ZellijClaim {
    /// The session's name when the pane was made; it may have been renamed since.
    pub session: String,
    /// The pane.
    pub pane: PaneId,
}

/// Everything an environment claims about the place of its process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Claim {
    /// `TALLY_SESSION`.
    pub session: Option<SessionId>,
    /// The tmux pane.
    pub tmux: Option<TmuxClaim>,
    /// The zellij pane.
    pub zellij: Option<ZellijClaim>,
}

impl Claim {
    /// Reads the environment. What does not have its form claims nothing.
    #[must_use]
    pub fn of(env: &Env) -> Self {
        Self {
            session: env.get("TALLY_SESSION").and_then(|id| id.parse().ok()),
            tmux: env
                .get("TMUX")
                .and_then(|tmux| tmux_claim(tmux, env.get("TMUX_PANE"))),
            zellij: env.get("ZELLIJ_PANE_ID").and_then(|pane| {
                let pane = PaneId(pane.parse().ok()?);
                let session = clean(env.get("ZELLIJ_SESSION_NAME").unwrap_or_default(), NAME_MAX);
                Some(ZellijClaim { session, pane })
            }),
        }
    }

    /// Whether it claims any place at all.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.session.is_none() && self.tmux.is_none() && self.zellij.is_none()
    }
}

/// `TMUX` is `socket,server pid,session number`; the number is the one at spawn time and says nothing.
fn tmux_claim(tmux: &str, pane: Option<&str>) -> Option<TmuxClaim> {
    let (rest, _) = tmux.rsplit_once(',')?;
    let (socket, pid) = rest.rsplit_once(',')?;
    let server_pid = pid.parse().ok().filter(|pid| *pid > 0)?;
    Some(TmuxClaim {
        socket: socket.to_owned(),
        server_pid,
        pane: pane.and_then(|pane| pane.parse().ok()),
    })
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("/tmp/tmux-1000/default,1185,0", Some(("/tmp/tmux-1000/default", 1185)))]
    #[case("/tmp/a,b/default,7,12", Some(("/tmp/a,b/default", 7)))]
    #[case("/tmp/tmux-1000/default,x,0", None)]
    #[case("/tmp/tmux-1000/default,0,0", None)]
    #[case("/tmp/tmux-1000/default", None)]
    #[case(",,", None)]
    fn the_server_is_read_from_the_right(#[case] tmux: &str, #[case] read: Option<(&str, u32)>) {
        let env = [("TMUX", tmux), ("TMUX_PANE", "%3")].into_iter().collect();
        let claim = Claim::of(&env).tmux;
        assert_eq!(
            claim
                .as_ref()
                .map(|claim| (claim.socket.as_str(), claim.server_pid)),
            read
        );
        assert!(claim.is_none_or(|claim| claim.pane == Some(PaneId(3))));
    }

    #[test]
    fn what_does_not_have_its_form_claims_nothing() {
        let env = [
            ("TALLY_SESSION", "x"),
            ("ZELLIJ_PANE_ID", "plugin_3"),
            ("TMUX", ""),
            ("TMUX_PANE", "%1"),
        ]
        .into_iter()
        .collect();
        assert!(Claim::of(&env).is_empty());
    }
}
