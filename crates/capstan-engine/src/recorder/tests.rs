//! Tests of what the recorder counts and records.

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use capstan_core::Redactor;
use capstan_core::card::Operation;
use capstan_core::code::CallStage;
use capstan_core::port::{BoxFuture, Clock};
use serde_json::{Value, json};

use super::recorder_state::MOST_CALLS;
use super::{CallOutput, NewCall, Recorder};

struct FrozenClock(Instant);

impl Clock for FrozenClock {
    fn now(&self) -> Instant {
        self.0
    }

    fn date(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH
    }

    fn sleep(&self, _: Duration) -> BoxFuture<'_, ()> {
        Box::pin(std::future::ready(()))
    }
}

#[test]
fn writes_are_counted_however_many_calls_there_were() {
    let recorder = Recorder::new(
        Arc::new(FrozenClock(Instant::now())),
        Redactor::default(),
        true,
    );
    let open = |parent, writes| {
        recorder.open(&NewCall {
            writes,
            parent,
            ..NewCall::new("a.b", &Value::Null, recorder.top())
        })
    };
    for _ in 0..MOST_CALLS {
        open(None, false);
    }
    let code = open(None, false);
    let done = open(Some(code), true);
    let under_way = open(Some(code), true);
    let _never_sent = open(Some(code), true);
    recorder.set_sent(&[done, under_way], Operation::Write, true);
    recorder.close(done, Ok(CallOutput::unmasked(&Value::Null)));
    let writes = recorder.writes(None);
    assert_eq!((writes.done, writes.unknown.len()), (1, 1));
    let interruption = recorder.interruption();
    assert_eq!(
        (
            interruption.done,
            interruption.unknown.len(),
            interruption.not_sent
        ),
        (1, 1, 1)
    );
}

#[test]
fn a_lookup_before_a_write_does_not_count_as_the_write() {
    let recorder = Recorder::new(
        Arc::new(FrozenClock(Instant::now())),
        Redactor::default(),
        true,
    );
    let write = recorder.open(&NewCall {
        writes: true,
        ..NewCall::new("a.b", &Value::Null, recorder.top())
    });
    recorder.set_sent(&[write], Operation::Read, true);
    assert_eq!(recorder.interruption().not_sent, 1);
    let stages = |leaving: &[u32]| -> Vec<CallStage> {
        let open = recorder.take_unrecorded(leaving);
        open.calls.iter().map(|call| call.stage).collect()
    };
    assert_eq!(stages(&[]), [CallStage::Waiting]);
    assert_eq!(stages(&[]), [], "it is recorded as it is");
    assert_eq!(stages(&[write]), [CallStage::Left]);
    recorder.set_recorded(false);
    assert_eq!(stages(&[write]), [CallStage::Left]);
    recorder.record_answer(write, Ok(CallOutput::unmasked(&json!(1))));
    assert_eq!(stages(&[]), [CallStage::Answered]);
}
