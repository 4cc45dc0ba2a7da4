//! What one run of code has called and not been answered yet: which of it can still be given up.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::task::Poll;

use futures_channel::oneshot;
use futures_util::future::{Either, FutureExt as _, poll_fn, select};
use futures_util::pin_mut;

use capstan_core::code::{ScriptCall, ScriptReply};

use capstan_exec::CancelFlag;

/// All of it: the groups that are answered together, and the nested runs.
#[derive(Default)]
pub(super) struct InFlight {
    groups: Mutex<Vec<Arc<Group>>>,
    nested: Mutex<NestedRuns>,
}

#[derive(Default)]
struct NestedRuns {
    under_way: Vec<Arc<NestedRun>>,
    /// Those that ended because nobody wanted them. They are not answered.
    cancelled: HashSet<u32>,
}

/// A run of other code, or of a skill.
pub(super) struct NestedRun {
    id: u32,
    /// Of the call in the recorder, as soon as it is there.
    pub(super) number: OnceLock<u32>,
    /// Dropped when nobody wants the run any more.
    wanted: Mutex<Option<oneshot::Sender<()>>>,
}

/// Calls that are answered together.
pub(super) struct Group(Mutex<GroupState>);

struct GroupState {
    calls: Vec<TrackedCall>,
    has_begun: bool,
    /// Dropped when nothing of the group is wanted any more and nothing of it can have been written.
    wanted: Option<oneshot::Sender<()>>,
}

struct TrackedCall {
    id: u32,
    writes: bool,
    is_withdrawn: bool,
}

impl InFlight {
    /// Begins to track calls; `writes` says which of them may change something. The receiver ends when
    /// the group is to be given up.
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

    /// Does the work of a group, unless the group is given up before it is done.
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

    /// Gives up a call that only reads.
    pub(super) fn drop_read(&self, id: u32) -> bool {
        self.groups().iter().any(|group| group.give_up(id, true))
    }

    /// Gives up a call of which nothing can have been written.
    pub(super) fn withdraw(&self, id: u32) -> bool {
        self.groups().iter().any(|group| group.give_up(id, false))
    }

    /// Begins to track a nested run. The receiver ends when nobody wants it any more.
    pub(super) fn add_nested(&self, id: u32) -> (Arc<NestedRun>, oneshot::Receiver<()>) {
        let (wanted, unwanted) = oneshot::channel();
        let run = Arc::new(NestedRun {
            id,
            number: OnceLock::new(),
            wanted: Mutex::new(Some(wanted)),
        });
        self.nested().under_way.push(Arc::clone(&run));
        (run, unwanted)
    }

    /// Says that nobody wants a nested run any more: it begins no more writes, and ends when none is under
    /// way. `is_idle` tells by the number of its call whether it can end at once, which is the answer.
    pub(super) fn cancel_nested(&self, id: u32, is_idle: impl FnOnce(u32) -> bool) -> bool {
        let nested = self.nested();
        if let Some(run) = nested.under_way.iter().find(|run| run.id == id) {
            *run.wanted.lock().unwrap_or_else(PoisonError::into_inner) = None;
            return run.number.get().is_none_or(|number| is_idle(*number));
        }
        nested.cancelled.contains(&id)
    }

    /// Ends to track a nested run.
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
    /// Does the work of the run. Where nobody wants it any more, `cancel` is said before it goes on, and it
    /// goes on only while it is writing; then there is no answer.
    pub(super) async fn answer(
        &self,
        mut unwanted: oneshot::Receiver<()>,
        work: impl Future<Output = ScriptReply>,
        cancel: &CancelFlag<'_>,
        is_writing: impl Fn(u32) -> bool,
    ) -> Option<ScriptReply> {
        pin_mut!(work);
        let mut is_unwanted = false;
        poll_fn(move |context| {
            if !is_unwanted && unwanted.poll_unpin(context).is_ready() {
                is_unwanted = true;
                cancel.set();
            }
            let is_idle = || !self.number.get().is_some_and(|number| is_writing(*number));
            if is_unwanted && is_idle() {
                return Poll::Ready(None);
            }
            work.as_mut().poll(context).map(Some)
        })
        .await
    }
}

impl Group {
    /// What is left of the calls now that they leave.
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

    /// Whether the call is one of these and was given up.
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
        let is_over = |call: &TrackedCall| call.is_withdrawn && !(call.writes && has_begun);
        if state.calls.iter().all(is_over) {
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
        // It is not tracked any more.
        assert!(!all.drop_read(1));
    }

    #[test]
    fn nested_runs_end_when_they_do_not_write() {
        let all = InFlight::default();
        for writes_until in [0, 2] {
            let polls = std::cell::Cell::new(0);
            let (run, unwanted) = all.add_nested(1);
            let cancel = CancelFlag::default();
            let work = poll_fn(|_| {
                assert!(polls.get() == 0 || cancel.is_set());
                run.number.get_or_init(|| 7);
                polls.set(polls.get() + 1);
                Poll::<ScriptReply>::Pending
            });
            let answer = run.answer(unwanted, work, &cancel, |_| polls.get() < writes_until);
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
        // The write under way is waited for, whoever wants it.
        let work = all.answer(&group, unwanted, std::future::pending());
        assert!(work.now_or_never().is_none());
    }
}
