//! The process group of a child: what it starts ends with it.

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::process::Child;

/// Killed when dropped.
#[derive(Debug)]
pub(super) struct Group(Option<Pid>);

impl Group {
    pub(super) fn of(child: &Child) -> Self {
        let pid = child.id().and_then(|id| i32::try_from(id).ok());
        Self(pid.and_then(Pid::from_raw))
    }

    pub(super) fn terminate(&self) {
        self.send(Signal::TERM);
    }

    pub(super) fn kill(&self) {
        self.send(Signal::KILL);
    }

    /// The leader has been waited for: whoever is left of its group goes too, at once, because
    /// the group's number may be somebody else's later.
    pub(super) fn leader_is_gone(&mut self) {
        self.kill();
        self.0 = None;
    }

    fn send(&self, signal: Signal) {
        if let Some(group) = self.0 {
            // It fails only when nobody is left.
            let _ = kill_process_group(group, signal);
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.kill();
    }
}
