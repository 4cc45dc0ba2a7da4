//! What holds for every chain, whatever happens to it. Every run of the bench is checked.

use capstan_core::card::{Kind, Operation};
use capstan_core::{Outcome, Route};

use super::log::Sent;
use super::observer::Heard;
use super::ran::Ran;
use super::world::may_have_happened;

pub(crate) fn check(ran: &Ran) {
    let told = format!("{}; {}", ran.timed(), ran.heard());
    for (step, sendings) in sendings(ran).iter().enumerate() {
        check_repetition(step, sendings, &told);
        check_record(ran, step, sendings, &told);
        if ran.end.is_some() {
            check_end(ran, step, sendings, &told);
        }
    }
    check_lanes(ran, &told);
    check_reads(ran, &told);
    for sent in &ran.log {
        assert!(sent.left_at < sent.deadline, "sent too late: {told}");
    }
    if let Some(end) = &ran.end {
        let is_request = |sent: &&Sent| sent.route.is_of_cards() || sent.route == Route::Mcp;
        let requests = ran.log.iter().filter(is_request).count();
        if ran.all_may_leave {
            assert_eq!(end.requests, requests, "miscounted: {told}");
        }
        assert!(end.chunks <= end.requests, "{told}");
    }
}

/// A write in a request.
struct Sending<'a> {
    sent: &'a Sent,
    said: Option<Outcome>,
    is_applied: bool,
}

/// Returns by step the requests that carried its write, in their order.
fn sendings(ran: &Ran) -> Vec<Vec<Sending<'_>>> {
    let mut sendings: Vec<Vec<Sending<'_>>> = ran.steps.iter().map(|_| Vec::new()).collect();
    for sent in ran.log.iter().filter(|sent| sent.is_write()) {
        assert_eq!(sent.steps.len(), sent.items.len(), "each write is its own");
        for (place, step) in sent.steps.iter().enumerate() {
            sendings[*step].push(Sending {
                sent,
                said: sent.said[place],
                is_applied: sent.is_applied[place],
            });
        }
    }
    sendings
}

/// No write that may have happened is sent twice.
fn check_repetition(step: usize, sendings: &[Sending<'_>], told: &str) {
    for pair in sendings.windows(2) {
        let is_certain = pair[0].sent.ended.is_some() && !may_have_happened(pair[0].said);
        assert!(is_certain, "step {step} was sent again: {told}");
    }
    let times = sendings.iter().filter(|sending| sending.is_applied).count();
    assert!(times <= 1, "step {step} was done {times} times: {told}");
}

/// What a step says of itself is so.
fn check_end(ran: &Ran, step: usize, sendings: &[Sending<'_>], told: &str) {
    let end = &ran.step_ends()[step];
    let said = || format!("step {step} says {:?}: {told}", end.result);
    let is_applied = sendings.iter().any(|sending| sending.is_applied);
    let failure = match &end.result {
        Ok(_) => {
            let is_done = is_applied || sendings.is_empty();
            assert!(is_done || !ran.steps[step].is_write(), "{}", said());
            return;
        }
        Err(failure) => failure,
    };
    assert!(
        !failure.error.message.contains("never finished"),
        "{}",
        said()
    );
    if !ran.steps[step].is_write() {
        assert_eq!(failure.outcome, Outcome::NotApplied, "{}", said());
        return;
    }
    match failure.outcome {
        Outcome::NotApplied => assert!(!is_applied, "{}", said()),
        Outcome::Applied => assert!(is_applied, "{}", said()),
        Outcome::Unknown => {
            // What is made of others says itself whether it may be run again.
            let is_composite = matches!(ran.steps[step].card.kind(), Kind::Code | Kind::Skill);
            assert!(is_composite || !failure.error.retryable, "{}", said());
            let last = sendings.last().expect("what is in doubt was sent").sent;
            let lane = ran.steps[step].lane();
            let is_later = |sent: &&Sent| {
                let is_in_lane = sent.steps.iter().any(|it| ran.steps[*it].lane() == lane);
                sent.is_write() && sent.began > last.began && is_in_lane
            };
            let later = ran.log.iter().filter(is_later).count();
            assert_eq!(later, 0, "something was written after doubt: {}", said());
        }
        Outcome::Partial => {}
    }
}

/// What the observer heard never contradicts what happened.
fn check_record(ran: &Ran, step: usize, sendings: &[Sending<'_>], told: &str) {
    let is_applied = sendings.iter().any(|sending| sending.is_applied);
    let mut has_left = false;
    for heard in &ran.heard {
        match heard {
            Heard::Departing {
                steps,
                operation: Operation::Write,
                ..
            } if steps.contains(&step) => has_left = true,
            Heard::NotApplied(steps) if steps.contains(&step) => has_left = false,
            Heard::Ended(ended, outcome) if *ended == step && ran.steps[step].is_write() => {
                let is_so = match outcome {
                    None => is_applied || sendings.is_empty(),
                    Some(Outcome::Applied) => is_applied,
                    Some(Outcome::NotApplied) => !is_applied,
                    Some(Outcome::Unknown) => has_left,
                    Some(Outcome::Partial) => true,
                };
                assert!(is_so, "the record of step {step} is wrong: {told}");
            }
            _ => {}
        }
    }
    let is_so = has_left || !is_applied;
    assert!(is_so, "the record does not know of step {step}: {told}");
}

/// The writes of a lane happen in their order, in one request at a time.
fn check_lanes(ran: &Ran, told: &str) {
    let lane_of = |sent: &Sent| ran.steps[sent.steps[0]].lane();
    let writes: Vec<_> = ran.log.iter().filter(|sent| sent.is_write()).collect();
    for (index, write) in writes.iter().enumerate() {
        for earlier in &writes[..index] {
            let is_free =
                lane_of(earlier) != lane_of(write) || !earlier.is_under_way_at(write.began);
            assert!(is_free, "two writes of a lane at once: {told}");
        }
    }
    let mut lanes: Vec<&str> = writes.iter().map(|sent| lane_of(sent)).collect();
    lanes.sort_unstable();
    lanes.dedup();
    for lane in lanes {
        let done = writes.iter().filter(|sent| lane_of(sent) == lane);
        let done = done.flat_map(|sent| {
            let steps = sent.steps.iter().zip(&sent.is_applied);
            steps
                .filter(|(_, is_applied)| **is_applied)
                .map(|(step, _)| *step)
        });
        let done: Vec<usize> = done.collect();
        assert!(
            done.is_sorted(),
            "writes happened in another order {done:?}: {told}"
        );
    }
}

/// A read leaves when every write before it in its lane is over.
fn check_reads(ran: &Ran, told: &str) {
    if !ran.is_in_order {
        return;
    }
    for read in ran.log.iter().filter(|sent| !sent.is_write()) {
        for step in read
            .steps
            .iter()
            .filter(|step| !ran.steps[**step].is_write())
        {
            let is_before = |sent: &&Sent| {
                let mut steps = sent.steps.iter();
                let is_earlier =
                    |it: &usize| it < step && ran.steps[*it].lane() == ran.steps[*step].lane();
                sent.is_write() && steps.any(is_earlier)
            };
            for write in ran.log.iter().filter(is_before) {
                let is_over = write.ended.is_some_and(|ended| ended < read.began);
                assert!(is_over, "step {step} may not see a write before it: {told}");
            }
        }
    }
}
