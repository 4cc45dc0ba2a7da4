//! How far runs of skills are.

use capstan_core::code::TraceId;
use capstan_core::port::{RunFilter, Store, StoreError};
use capstan_core::run::{
    NewRun, Noted, Presence, RunEnd, RunSend, RunState, RunStep, RunTurn, SkillRun, StepState,
};
use serde_json::{Value, json};

use super::*;

fn new_run(at: i64) -> NewRun {
    let input = json!({"number": at, "text": "ü\u{0}"});
    NewRun {
        id: TraceId::new(at, 0),
        skill: "triage@1.2.0".to_owned(),
        fingerprint: "f".to_owned(),
        input: input.as_object().cloned(),
        input_hash: "h".to_owned(),
        total: 3,
        at,
    }
}

fn first(at: i64) -> RunTurn {
    RunTurn {
        run: TraceId::new(at, 0),
        attempt: 1,
    }
}

fn step(path: &str, state: StepState) -> RunStep {
    RunStep {
        path: path.to_owned(),
        state,
        at: 5000,
    }
}

fn failed(why: &str) -> RunEnd {
    RunEnd {
        error: Some(why.to_owned()),
        at: 6000,
    }
}

const WELL: RunEnd = RunEnd {
    error: None,
    at: 6000,
};

async fn seen(store: &dyn Store, at: i64) -> SkillRun {
    let id = TraceId::new(at, 0);
    store.run(&ann(), id.as_str()).await.unwrap().unwrap()
}

/// Takes a run over as it is now.
async fn take_over(store: &dyn Store, turn: &RunTurn, steps: Vec<RunStep>) -> Option<RunTurn> {
    let viewer = ann();
    let run = store
        .run(&viewer, turn.run.as_str())
        .await
        .unwrap()
        .unwrap();
    let taken = store.take_over_run(&viewer, turn, run.revision, steps, 7000);
    taken.await.unwrap()
}

pub(crate) async fn are_remembered_step_by_step(backend: &Backend) {
    let store = backend.open();
    let new = new_run(1000);
    store.begin_run(&ann(), new.clone()).await.unwrap();
    let gave = json!({"deep": [null, "ü\u{0}", 1.5]});
    let noted = [
        vec![
            step("b/x", StepState::Started),
            step("a", StepState::Done(Some(gave))),
        ],
        vec![
            step("b/x", StepState::NotDone),
            step("c", StepState::Done(Some(Value::Null))),
            step("d", StepState::Skipped),
        ],
    ];
    for steps in noted.clone() {
        store.note_steps(&first(1000), steps).await.unwrap();
    }
    let run = seen(&*backend.open(), 1000).await;
    assert_eq!(run.skill, new.skill);
    assert_eq!(run.fingerprint, new.fingerprint);
    assert_eq!((run.input, run.input_hash), (new.input, new.input_hash));
    assert_eq!((run.total, run.attempt, run.state), (3, 1, RunState::Open));
    assert_eq!((run.started_at, run.updated_at), (1000, 5000));
    let [one, two] = noted;
    assert_eq!(
        run.steps,
        [&two[0], &one[1], &two[1], &two[2]].map(Clone::clone)
    );
}

pub(crate) async fn that_end_well_keep_no_values(backend: &Backend) {
    let store = backend.open();
    store.begin_run(&ann(), new_run(1000)).await.unwrap();
    let done = StepState::Done(Some(json!({"secret": "of the user"})));
    let turn = first(1000);
    store
        .note_steps(&turn, vec![step("a", done)])
        .await
        .unwrap();
    store.end_run(&turn, WELL).await.unwrap();
    let run = seen(&*store, 1000).await;
    assert_eq!((run.state, run.updated_at), (RunState::Ok, 6000));
    assert_eq!(run.input, None);
    assert_eq!(run.steps, [step("a", StepState::Done(None))]);
    assert_eq!(take_over(&*store, &turn, Vec::new()).await, None);
}

pub(crate) async fn that_failed_can_be_taken_over(backend: &Backend) {
    let store = backend.open();
    store.begin_run(&ann(), new_run(1000)).await.unwrap();
    let done = step("a", StepState::Done(Some(json!(1))));
    let turn = first(1000);
    store.note_steps(&turn, vec![done.clone()]).await.unwrap();
    store.end_run(&turn, failed("no network")).await.unwrap();
    let run = seen(&*store, 1000).await;
    assert_eq!(run.state, RunState::Failed);
    assert_eq!(run.error.as_deref(), Some("no network"));

    let known = step("b", StepState::NotDone);
    let steps = vec![known.clone()];
    let next = take_over(&*store, &turn, steps).await.unwrap();
    assert_eq!(next.attempt, 2);
    let run = seen(&*store, 1000).await;
    assert_eq!(
        (run.state, run.attempt, run.error),
        (RunState::Open, 2, None)
    );
    assert_eq!((run.started_at, run.updated_at), (1000, 7000));
    assert_eq!(run.steps, [done, known]);
    store.end_run(&next, WELL).await.unwrap();
}

pub(crate) async fn are_written_by_whoever_has_the_turn(backend: &Backend) {
    let store = backend.open();
    store.begin_run(&ann(), new_run(1000)).await.unwrap();
    let old = first(1000);
    let new = take_over(&*store, &old, Vec::new()).await.unwrap();
    let late = vec![
        step("a", StepState::Started),
        step("b", StepState::Done(None)),
    ];
    assert_eq!(
        store.note_steps(&old, late.clone()).await,
        Ok(Noted::TurnOver)
    );
    let ended = store.end_run(&old, WELL).await;
    assert!(matches!(ended, Err(StoreError::Refused(_))), "{ended:?}");
    assert_eq!(take_over(&*store, &old, Vec::new()).await, None);
    assert_eq!(seen(&*store, 1000).await.steps, []);
    assert_eq!(store.note_steps(&new, late).await, Ok(Noted::Kept));
    store.end_run(&new, failed("x")).await.unwrap();
    // What is over is over for the one who ended it, too.
    let after = store.note_steps(&new, Vec::new()).await;
    assert_eq!(after, Ok(Noted::TurnOver));
}

pub(crate) async fn are_taken_over_as_they_were_seen(backend: &Backend) {
    let store = backend.open();
    store.begin_run(&ann(), new_run(1000)).await.unwrap();
    let turn = first(1000);
    let before = seen(&*store, 1000).await.revision;
    // Whatever is recorded makes what was seen stale: a step, an end, another take-over.
    let done = vec![step("a", StepState::Done(Some(json!(1))))];
    store.note_steps(&turn, done).await.unwrap();
    let take = async |turn: &RunTurn, revision: u64| {
        let viewer = ann();
        let taken = store.take_over_run(&viewer, turn, revision, Vec::new(), 7000);
        taken.await.unwrap()
    };
    assert_eq!(take(&turn, before).await, None);
    let noted = seen(&*store, 1000).await.revision;
    store.end_run(&turn, failed("x")).await.unwrap();
    assert_eq!(take(&turn, noted).await, None);
    let ended = seen(&*store, 1000).await.revision;
    let next = take(&turn, ended).await.unwrap();
    assert_eq!(take(&turn, ended).await, None);
    assert_eq!(take(&next, ended).await, None);
    let run = seen(&*store, 1000).await;
    assert_eq!((run.attempt, run.state), (2, RunState::Open));
    assert_eq!(run.owner.process, Some(std::process::id()));
    assert_eq!(run.owner.since, 7000);
    assert_eq!(run.owner.presence, Presence::Alive);
}

pub(crate) async fn with_a_write_that_left_are_asked_about(backend: &Backend) {
    let store = backend.open();
    store.begin_run(&ann(), new_run(1000)).await.unwrap();
    let turn = first(1000);
    let leaves = vec![step("a", StepState::Started)];
    assert_eq!(
        store.note_steps(&turn, leaves.clone()).await,
        Ok(Noted::Kept)
    );
    // It is not sent twice, and the run is not taken over before somebody says what became of it.
    let again = store.note_steps(&turn, leaves.clone()).await;
    assert!(matches!(again, Err(StoreError::Refused(_))), "{again:?}");
    let revision = seen(&*store, 1000).await.revision;
    let undecided = store
        .take_over_run(&ann(), &turn, revision, Vec::new(), 7000)
        .await;
    assert!(
        matches!(undecided, Err(StoreError::Refused(_))),
        "{undecided:?}"
    );
    assert_eq!(seen(&*store, 1000).await.attempt, 1);

    // Somebody says that it was not done; then its own attempt learns that it was.
    let not_done = vec![step("a", StepState::NotDone)];
    let next = take_over(&*store, &turn, not_done).await.unwrap();
    let done = StepState::Done(Some(json!({"number": 7})));
    let late = store.note_steps(&turn, vec![step("a", done.clone())]).await;
    assert_eq!(late, Ok(Noted::TurnOver));
    let run = seen(&*store, 1000).await;
    assert_eq!(run.steps, [step("a", done)]);
    let sent = |attempt, done| RunSend {
        path: "a".to_owned(),
        attempt,
        done,
        at: 5000,
    };
    assert_eq!(run.sends, [sent(1, Some(true))]);
    let again = store.note_steps(&next, leaves).await;
    assert!(matches!(again, Err(StoreError::Refused(_))), "{again:?}");

    // What the present attempt has sent itself is its own to end; what is done stays done.
    let leaves = vec![step("b", StepState::Started)];
    store.note_steps(&next, leaves.clone()).await.unwrap();
    let not_done = vec![step("b", StepState::NotDone)];
    let third = take_over(&*store, &next, not_done.clone()).await.unwrap();
    store.note_steps(&third, leaves).await.unwrap();
    let done = vec![step("b", StepState::Done(Some(json!(2))))];
    store.note_steps(&next, done).await.unwrap();
    let run = seen(&*store, 1000).await;
    assert_eq!(run.steps[1], step("b", StepState::Started));
    store.note_steps(&third, not_done).await.unwrap();
    let run = seen(&*store, 1000).await;
    assert_eq!(run.steps[1], step("b", StepState::Done(Some(json!(2)))));
}

pub(crate) async fn that_never_began_are_not_found(backend: &Backend) {
    let store = backend.open();
    let unknown = first(9000);
    let noted = store
        .note_steps(&unknown, vec![step("a", StepState::Started)])
        .await;
    let answers = [noted.map(drop), store.end_run(&unknown, WELL).await];
    for answer in answers {
        assert!(matches!(answer, Err(StoreError::NotFound(_))), "{answer:?}");
    }
}

pub(crate) async fn of_many_who_take_over_one_does(backend: &Backend) {
    backend
        .open()
        .begin_run(&ann(), new_run(1000))
        .await
        .unwrap();
    let turn = first(1000);
    let stores: Vec<_> = (0..8).map(|_| backend.open()).collect();
    let viewer = ann();
    let tries = stores
        .iter()
        .map(|store| store.take_over_run(&viewer, &turn, 0, Vec::new(), 2000));
    let taken = futures_util::future::join_all(tries).await;
    let taken: Vec<_> = taken.into_iter().map(Result::unwrap).collect();
    assert_eq!(
        taken.iter().filter(|it| it.is_some()).count(),
        1,
        "{taken:?}"
    );
}

pub(crate) async fn are_seen_by_whoever_began_it(backend: &Backend) {
    let store = backend.open();
    store.begin_run(&ann(), new_run(1000)).await.unwrap();
    let id = TraceId::new(1000, 0);
    for other in [bob(), viewer("other.default", "ann")] {
        assert_eq!(store.run(&other, id.as_str()).await, Ok(None));
        let filter = RunFilter::default();
        assert_eq!(store.runs(&other, &filter).await, Ok(Vec::new()));
        let taken = store
            .take_over_run(&other, &first(1000), 0, Vec::new(), 2000)
            .await;
        assert_eq!(taken, Ok(None));
    }
}

pub(crate) async fn are_listed_and_filtered(backend: &Backend) {
    let store = backend.open();
    for (at, skill) in [
        (2000, "triage@1.0.0"),
        (1000, "triage@2.0.0"),
        (3000, "triage-all@1.0.0"),
    ] {
        let new = NewRun {
            skill: skill.to_owned(),
            ..new_run(at)
        };
        store.begin_run(&ann(), new).await.unwrap();
    }
    let done = vec![
        step("a", StepState::Done(None)),
        step("b", StepState::Started),
    ];
    store.note_steps(&first(1000), done).await.unwrap();
    store.end_run(&first(1000), failed("x")).await.unwrap();
    let list = async |filter: RunFilter| -> Vec<i64> {
        let found = store.runs(&ann(), &filter).await.unwrap();
        found.iter().map(|it| it.started_at).collect()
    };
    let all = RunFilter::default;
    assert_eq!(list(all()).await, [3000, 2000, 1000]);
    let skill = |name: &str| RunFilter {
        skill: Some(name.to_owned()),
        ..all()
    };
    assert_eq!(list(skill("triage")).await, [2000, 1000]);
    assert_eq!(list(skill("triage@2.0.0")).await, [1000]);
    assert_eq!(list(skill("tri%")).await, [0; 0]);
    let open = RunFilter {
        state: Some(RunState::Open),
        limit: Some(1),
        ..all()
    };
    assert_eq!(list(open).await, [3000]);
    let before = RunFilter {
        before: Some(TraceId::new(2000, 0)),
        ..all()
    };
    let found = store.runs(&ann(), &before).await.unwrap();
    assert_eq!((found[0].done, found[0].total), (1, 3));
    assert_eq!(found[0].error.as_deref(), Some("x"));
    let beginning = &TraceId::new(2000, 0).as_str()[..7].to_owned();
    let several = store.run(&ann(), beginning).await;
    assert!(
        matches!(several, Err(StoreError::Refused(_))),
        "{several:?}"
    );
    assert_eq!(store.run(&ann(), "").await, Ok(None));
    assert_eq!(store.run(&ann(), "zz").await, Ok(None));
}

pub(crate) async fn are_forgotten_like_traces(backend: &Backend) {
    let store = backend.open();
    for at in [1000, 2000, 3000, 4000] {
        store.begin_run(&ann(), new_run(at)).await.unwrap();
    }
    // All traces are younger.
    store.add_trace(&ann(), trace(5000, &[])).await.unwrap();
    for at in [1000, 3000, 4000] {
        store.end_run(&first(at), WELL).await.unwrap();
    }
    let left = async || -> Vec<i64> {
        let found = store.runs(&ann(), &RunFilter::default()).await.unwrap();
        found.iter().map(|it| it.started_at).collect()
    };
    store.prune_traces(&bob(), 0).await.unwrap();
    store.prune_traces(&ann(), 4).await.unwrap();
    assert_eq!(left().await, [4000, 3000, 2000, 1000]);
    store.prune_traces(&ann(), 1).await.unwrap();
    // What is not over may still be resumed.
    assert_eq!(left().await, [4000, 2000]);
    store.prune_traces(&ann(), 0).await.unwrap();
    assert_eq!(left().await, [2000]);
}

pub(crate) async fn what_is_too_deep_to_be_read_is_not_kept(backend: &Backend) {
    let store = backend.open();
    let deep = (0..1000).fold(json!(1), |inner, _| json!([inner]));
    store.begin_run(&ann(), new_run(1000)).await.unwrap();
    let done = step("a", StepState::Done(Some(deep.clone())));
    store.note_steps(&first(1000), vec![done]).await.unwrap();
    assert_eq!(
        seen(&*store, 1000).await.steps,
        [step("a", StepState::Done(None))]
    );
    let input = json!({"deep": deep});
    let new = NewRun {
        input: input.as_object().cloned(),
        ..new_run(2000)
    };
    let answer = store.begin_run(&ann(), new).await;
    assert!(matches!(answer, Err(StoreError::Refused(_))), "{answer:?}");
}
