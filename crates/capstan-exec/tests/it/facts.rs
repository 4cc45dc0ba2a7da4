//! What a failure says in every ending: its code, what is known of its effect, its status, and how long to wait.

use capstan_core::card::Operation;
use capstan_core::port::Failure;
use capstan_core::{ErrorCode, Outcome, Route};

use crate::support::failures::{
    broken, failure, forbidden, gave_up, host_limited, limited, not_connected, reset, unauthorized,
};
use crate::support::{
    Bench, Effect, Step, always, bench, labels, once, own, read, read_rest, remark, set,
    tool_write, write,
};

/// A failure in few words, with what callers are told in the details.
fn facts(failure: &Failure) -> String {
    let mut facts = vec![
        failure.error.code.to_string(),
        failure.outcome.as_str().to_owned(),
    ];
    facts.extend(failure.status.map(|status| status.to_string()));
    facts.extend(
        failure
            .retry_after
            .map(|wait| format!("in {}s", wait.as_secs())),
    );
    for (holds, word) in [
        (failure.limits_login, "of the host"),
        (failure.has_written, "has written"),
        (failure.was_not_seen, "not seen"),
        (failure.error.retryable, "again"),
    ] {
        facts.extend(holds.then(|| word.to_owned()));
    }
    let told = ["outcome", "retry_after_s", "verified", "step"].into_iter();
    let told = told.filter_map(|name| Some(format!("{name}={}", failure.error.details.get(name)?)));
    facts.extend(told);
    facts.join(" ").replace('"', "")
}

fn check(rows: impl IntoIterator<Item = (&'static str, Bench, Vec<Step>, usize, &'static str)>) {
    for (what, bench, steps, step, expected) in rows {
        assert_eq!(facts(bench.run(&steps).failure(step)), expected, "{what}");
    }
}

fn refusing(failure: Failure) -> Bench {
    bench().fault(always(Effect::Refuse(failure)))
}

#[test]
fn a_failed_read_changed_nothing() {
    check([
        (
            "refused",
            refusing(forbidden()),
            vec![read("a")],
            0,
            "AUTH not_applied 403",
        ),
        (
            "lost",
            refusing(reset()),
            vec![read("a")],
            0,
            "NETWORK not_applied again",
        ),
        (
            "limited",
            refusing(limited(600)),
            vec![read("a")],
            0,
            "RATE_LIMIT not_applied 429 in 600s again retry_after_s=600",
        ),
        (
            "of a batch",
            refusing(gave_up()),
            vec![read("a"), read("b")],
            0,
            "SERVER not_applied 502 again",
        ),
        (
            "skipped",
            refusing(forbidden()),
            vec![read("a"), read("b").after(0)],
            1,
            "CANCELLED not_applied step=0",
        ),
        (
            "not there",
            bench().without("a"),
            vec![read_rest("a")],
            0,
            "NOT_FOUND not_applied 404",
        ),
    ]);
}

#[test]
fn a_write_that_was_sent_says_what_is_known() {
    let losing = |outcome| {
        bench().fault(
            always(Effect::Lose(Failure {
                outcome,
                ..broken()
            }))
            .on_writes(),
        )
    };
    check([
        (
            "refused",
            refusing(forbidden()),
            vec![write("a")],
            0,
            "AUTH not_applied 403 outcome=not_applied",
        ),
        (
            "not reached",
            refusing(not_connected()),
            vec![write("a")],
            0,
            "NETWORK not_applied again outcome=not_applied",
        ),
        (
            "limited",
            refusing(limited(600)),
            vec![write("a")],
            0,
            "RATE_LIMIT not_applied 429 in 600s again outcome=not_applied retry_after_s=600",
        ),
        (
            "in doubt",
            refusing(broken()),
            vec![write("a")],
            0,
            "SERVER unknown 500 outcome=unknown",
        ),
        (
            "in doubt, of a batch",
            refusing(broken()),
            vec![write("a"), write("b")],
            1,
            "SERVER unknown 500 outcome=unknown",
        ),
        (
            "not seen",
            bench().fault(once(Effect::Refuse(reset())).on_writes()),
            vec![set("a", "x")],
            0,
            "NETWORK unknown not seen outcome=unknown verified=not_seen",
        ),
        (
            "happened",
            losing(Outcome::Applied),
            vec![write("a")],
            0,
            "SERVER applied 500 outcome=applied",
        ),
        (
            "one of two",
            bench().fault(always(Effect::Beside(labels(&["a"]), forbidden()))),
            vec![write("a"), write("b")],
            0,
            "AUTH not_applied 403 outcome=not_applied",
        ),
        (
            "a tool",
            refusing(reset()),
            vec![tool_write("s", "a")],
            0,
            "NETWORK unknown outcome=unknown",
        ),
        (
            "own work",
            refusing(reset()),
            vec![own(Route::Local, Operation::Write, "a")],
            0,
            "NETWORK unknown outcome=unknown",
        ),
    ]);
}

#[test]
fn a_write_that_was_not_sent_says_so() {
    check([
        (
            "its lookup failed",
            refusing(broken()),
            vec![set("a", "x")],
            0,
            "SERVER not_applied 500 again outcome=not_applied",
        ),
        (
            "its lookup found nothing",
            bench().without("a"),
            vec![set("a", "x")],
            0,
            "NOT_FOUND not_applied 404 outcome=not_applied",
        ),
        (
            "skipped",
            refusing(forbidden()),
            vec![read("a"), write("b").after(0)],
            1,
            "CANCELLED not_applied outcome=not_applied step=0",
        ),
        (
            "held back",
            bench().chunks(9, 1).fault(once(Effect::Lose(reset()))),
            vec![write("a"), write("b")],
            1,
            "CANCELLED not_applied outcome=not_applied step=0",
        ),
        (
            "cancelled",
            bench().cancel_at(1),
            vec![remark("a", "x")],
            0,
            "CANCELLED not_applied outcome=not_applied",
        ),
        (
            "late",
            bench().timeout(1),
            vec![remark("a", "x")],
            0,
            "NETWORK not_applied again outcome=not_applied",
        ),
        (
            "token refused",
            refusing(unauthorized()).chunks(9, 1),
            vec![write("a"), write("b")],
            1,
            "AUTH not_applied 401 outcome=not_applied",
        ),
        (
            "paused",
            refusing(host_limited(600)).chunks(9, 1),
            vec![write("a"), write("b")],
            1,
            "RATE_LIMIT not_applied in 600s of the host again outcome=not_applied retry_after_s=600",
        ),
        (
            "no route",
            bench().routes(&[]),
            vec![write("a")],
            0,
            "ADAPTER_UNSUPPORTED not_applied",
        ),
    ]);
}

/// What is made of others says itself what became of them, and nothing is added to its words.
#[test]
fn a_composite_speaks_for_itself() {
    let partly = |outcome| Failure {
        has_written: true,
        ..failure(ErrorCode::Server, outcome)
    };
    for route in [Route::Code, Route::Skill] {
        let step = || vec![own(route, Operation::Write, "a")];
        let bench = refusing(partly(Outcome::Partial));
        let ran = bench.run(&step());
        assert_eq!(facts(ran.failure(0)), "SERVER partial has written again");
        assert_eq!(ran.failure(0).error.message, "so it is");
        assert!(!ran.failure(0).changed_nothing());
    }
}
