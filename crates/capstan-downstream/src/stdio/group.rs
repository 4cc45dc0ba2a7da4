//! The process group of a child: everything that it started ends with it.

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::process::Child;

/// Kills the group when it is dropped.
#[derive(Debug)]
pub(super) struct ProcessGroup(Option<Pid>);

impl ProcessGroup {
    pub(super) fn from_child(child: &Child) -> Self {
        let pid = child.id().and_then(|id| i32::try_from(id).ok());
        Self(pid.and_then(Pid::from_raw))
    }

    pub(super) fn terminate(&self) {
        self.send(Signal::TERM);
    }

    pub(super) fn kill(&self) {
        self.send(Signal::KILL);
    }

    /// Kills the rest of the group after its leader was waited for. This must happen at once,
    /// because the group's number may be reused later.
    pub(super) fn kill_rest(&mut self) {
        self.kill();
        self.0 = None;
    }

    fn send(&self, signal: Signal) {
        if let Some(group) = self.0 {
            // This fails only if no process is left.
            let _ = kill_process_group(group, signal);
        }
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        self.kill();
    }
}
