//! Tracks the unanswered calls of one run of code, and decides which of them can still be given up.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::task::Poll;

use futures_channel::oneshot;
use futures_util::future::{Either, FutureExt as _, poll_fn, select};
use futures_util::pin_mut;

use capstan_core::code::{ScriptCall, ScriptReply};

use capstan_exec::CancelFlag;

/// The unanswered calls of one run of code: groups that are answered together, and nested runs.
#[derive(Default)]
pub(super) struct InFlight {
    groups: Mutex<Vec<Arc<Group>>>,
    nested: Mutex<NestedRuns>,
}

#[derive(Default)]
struct NestedRuns {
    under_way: Vec<Arc<NestedRun>>,
    /// The ids of runs that ended because they were cancelled. They get no answer.
    cancelled: HashSet<u32>,
}

/// A call that runs other code or a skill.
pub(super) struct NestedRun {
    id: u32,
    /// The number of the call in the recorder, once it is open.
    pub(super) call: OnceLock<u32>,
    /// Dropped when the calling code no longer wants the run.
    wanted: Mutex<Option<oneshot::Sender<()>>>,
}

/// Calls that are answered together.
pub(super) struct Group(Mutex<GroupState>);

struct GroupState {
    calls: Vec<TrackedCall>,
    has_begun: bool,
    /// Dropped when all calls of the group are given up and none of them can have written.
    wanted: Option<oneshot::Sender<()>>,
}

struct TrackedCall {
    id: u32,
    writes: bool,
    is_withdrawn: bool,
}

impl InFlight {
    /// Begins to track calls; `writes` says which of them may change something. The receiver completes when the whole
    /// group is given up.
    pub(super) fn add(
        &self,
        calls: &[ScriptCall],
        writes: impl Fn(&ScriptCall) -> bool,
    ) -> (Arc<Group>, oneshot::Receiver<()>) {
        let (wanted, unwanted) = oneshot::channel();
        let tracked = |call: &ScriptCall| TrackedCall {
            id: call.id,
            writes: writes(call),
            is_withdrawn: false,
        };
        let group = Arc::new(Group(Mutex::new(GroupState {
            calls: calls.iter().map(tracked).collect(),
            has_begun: false,
            wanted: Some(wanted),
        })));
        self.groups().push(Arc::clone(&group));
        (group, unwanted)
    }

    /// Does the work of a group. Returns no replies if the group is given up first.
    pub(super) async fn answer(
        &self,
        group: &Arc<Group>,
        unwanted: oneshot::Receiver<()>,
        work: impl Future<Output = Vec<ScriptReply>>,
    ) -> Vec<ScriptReply> {
        let replies = {
            pin_mut!(work);
            match select(work, unwanted).await {
                Either::Left((replies, _)) => replies,
                Either::Right(_) => Vec::new(),
            }
        };
        self.groups().retain(|known| !Arc::ptr_eq(known, group));
        replies
    }

    /// Gives up a call if it only reads. Returns whether it did.
    pub(super) fn drop_read(&self, id: u32) -> bool {
        self.groups().iter().any(|group| group.give_up(id, true))
    }

    /// Gives up a call if it cannot have written. Returns whether it did.
    pub(super) fn withdraw(&self, id: u32) -> bool {
        self.groups().iter().any(|group| group.give_up(id, false))
    }

    /// Begins to track a nested run. The receiver completes when the run is cancelled.
    pub(super) fn add_nested(&self, id: u32) -> (Arc<NestedRun>, oneshot::Receiver<()>) {
        let (wanted, unwanted) = oneshot::channel();
        let run = Arc::new(NestedRun {
            id,
            call: OnceLock::new(),
            wanted: Mutex::new(Some(wanted)),
        });
        self.nested().under_way.push(Arc::clone(&run));
        (run, unwanted)
    }

    /// Cancels a nested run: it begins no more writes, and ends when none is under way. Returns whether it can end at
    /// once, which `is_idle` decides by the number of its call.
    pub(super) fn cancel_nested(&self, id: u32, is_idle: impl FnOnce(u32) -> bool) -> bool {
        let nested = self.nested();
        if let Some(run) = nested.under_way.iter().find(|run| run.id == id) {
            *run.wanted.lock().unwrap_or_else(PoisonError::into_inner) = None;
            return run.call.get().is_none_or(|number| is_idle(*number));
        }
        nested.cancelled.contains(&id)
    }

    /// Stops tracking a nested run.
    pub(super) fn end_nested(&self, run: &Arc<NestedRun>, is_cancelled: bool) {
        let mut nested = self.nested();
        nested.under_way.retain(|known| !Arc::ptr_eq(known, run));
        if is_cancelled {
            nested.cancelled.insert(run.id);
        }
    }

    fn groups(&self) -> MutexGuard<'_, Vec<Arc<Group>>> {
        self.groups.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn nested(&self) -> MutexGuard<'_, NestedRuns> {
        self.nested.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl NestedRun {
    /// Does the work of the run. When the run is cancelled, sets `abandon`, lets the work continue only while a write
    /// is under way, and returns `None`.
    pub(super) async fn answer(
        &self,
        mut unwanted: oneshot::Receiver<()>,
        work: impl Future<Output = ScriptReply>,
        abandon: &CancelFlag<'_>,
        is_writing: impl Fn(u32) -> bool,
    ) -> Option<ScriptReply> {
        pin_mut!(work);
        let mut is_unwanted = false;
        poll_fn(move |context| {
            if !is_unwanted && unwanted.poll_unpin(context).is_ready() {
                is_unwanted = true;
                abandon.set();
            }
            let is_idle = || !self.call.get().is_some_and(|number| is_writing(*number));
            if is_unwanted && is_idle() {
                return Poll::Ready(None);
            }
            work.as_mut().poll(context).map(Some)
        })
        .await
    }
}

impl Group {
    /// Marks the group as begun, and returns the calls that were not withdrawn.
    pub(super) fn begin(&self, mut calls: Vec<ScriptCall>) -> Vec<ScriptCall> {
        let mut state = self.state();
        state.has_begun = true;
        let withdrawn = |id: u32| {
            let known = state.calls.iter().find(|call| call.id == id);
            known.is_some_and(|call| call.is_withdrawn)
        };
        calls.retain(|call| !withdrawn(call.id));
        calls
    }

    /// Gives up a call if it belongs to this group and can be given up. Returns whether it did.
    fn give_up(&self, id: u32, only_reads: bool) -> bool {
        let mut state = self.state();
        let has_begun = state.has_begun;
        let Some(call) = state.calls.iter_mut().find(|call| call.id == id) else {
            return false;
        };
        if call.writes && (only_reads || has_begun) {
            return false;
        }
        call.is_withdrawn = true;
        let is_given_up = |call: &TrackedCall| call.is_withdrawn && !(call.writes && has_begun);
        if state.calls.iter().all(is_given_up) {
            state.wanted = None;
        }
        true
    }

    fn state(&self) -> MutexGuard<'_, GroupState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use capstan_core::code::CallTarget;

    use super::*;

    fn call(id: u32, capability: &str) -> ScriptCall {
        ScriptCall {
            id,
            target: CallTarget::Capstan(capability.to_owned()),
            input: json!({}),
            timeout: None,
        }
    }

    fn writes(call: &ScriptCall) -> bool {
        call.target.capability() == "write"
    }

    #[test]
    fn reads_are_given_up_at_any_time() {
        let all = InFlight::default();
        let calls = vec![call(1, "read"), call(2, "read")];
        let (group, unwanted) = all.add(&calls, writes);
        assert_eq!(group.begin(calls).len(), 2);
        let work = all.answer(&group, unwanted, std::future::pending());
        pin_mut!(work);
        assert!(work.as_mut().now_or_never().is_none());
        assert!(all.drop_read(1));
        assert!(work.as_mut().now_or_never().is_none());
        assert!(all.drop_read(2));
        assert_eq!(work.now_or_never(), Some(Vec::new()));
        // The group is no longer tracked.
        assert!(!all.drop_read(1));
    }

    #[test]
    fn nested_runs_end_when_they_do_not_write() {
        let all = InFlight::default();
        for writes_until in [0, 2] {
            let polls = std::cell::Cell::new(0);
            let (run, unwanted) = all.add_nested(1);
            let abandon = CancelFlag::default();
            let work = poll_fn(|_| {
                assert!(polls.get() == 0 || abandon.is_set());
                run.call.get_or_init(|| 7);
                polls.set(polls.get() + 1);
                Poll::<ScriptReply>::Pending
            });
            let answer = run.answer(unwanted, work, &abandon, |_| polls.get() < writes_until);
            pin_mut!(answer);
            assert!(answer.as_mut().now_or_never().is_none());
            let is_idle = all.cancel_nested(1, |_| polls.get() >= writes_until);
            assert_eq!(is_idle, writes_until == 0);
            if !is_idle {
                assert!(answer.as_mut().now_or_never().is_none());
            }
            assert_eq!(answer.now_or_never(), Some(None));
            assert_eq!(polls.get(), writes_until.max(1));
            all.end_nested(&run, true);
            assert!(all.cancel_nested(1, |_| false));
        }
    }

    #[test]
    fn writes_are_given_up_only_before_they_leave() {
        let all = InFlight::default();
        let calls = vec![call(1, "write"), call(2, "write"), call(3, "read")];
        let (group, unwanted) = all.add(&calls, writes);
        assert!(!all.drop_read(1));
        assert!(all.withdraw(1));
        let left = group.begin(calls);
        assert_eq!(left.iter().map(|it| it.id).collect::<Vec<_>>(), [2, 3]);
        assert!(!all.withdraw(2));
        assert!(all.withdraw(3));
        // The group still waits for the write under way.
        let work = all.answer(&group, unwanted, std::future::pending());
        assert!(work.now_or_never().is_none());
    }
}
