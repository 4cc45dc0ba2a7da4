//! Answers that are no answers: too large, not JSON, never there. Each ends as an error, on time.

use std::time::Duration;

use capstan_core::{ErrorCode, ResultEnvelope, Route};
use github_sim::{Fault, FaultKind, Sim};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::timeout;

use super::cell::Target;
use crate::support::{Bench, Listening, Setup};

/// Nothing here takes nearly this long, unless it never ends.
const ON_TIME: Duration = Duration::from_secs(30);

const TWENTY_MEGABYTES: usize = 20 * 1024 * 1024;

#[tokio::test]
async fn an_answer_of_twenty_megabytes_is_refused_at_once() {
    for route in Route::GITHUB {
        // `gh api` hands the answer on; `gh issue view` would read it itself.
        let target = Target::CloseLookup;
        let bench = Bench::with(Sim::demo(), Duration::from_secs(20)).await;
        let huge = FaultKind::Huge {
            bytes: TWENTY_MEGABYTES,
        };
        bench.sim.inject(target.aim(Fault::always(huge)));
        let envelope = run(&bench, route, target).await;
        let error = envelope.error.unwrap();
        assert_eq!(
            (error.code, error.retryable),
            (ErrorCode::Server, false),
            "{route}"
        );
        assert!(
            error.message.contains("larger than the limit"),
            "{route}: {}",
            error.message
        );
        assert_eq!(error.details["outcome"], "not_applied", "{route}");
        assert_eq!(
            bench.sim.requests().len(),
            1,
            "{route}: the next one would be as large"
        );
    }
}

#[tokio::test]
async fn a_write_whose_answer_is_too_large_is_not_sent_again() {
    // Over GraphQL a refusal has the same status, so only REST can tell that it happened.
    for (route, outcome) in [
        (Route::Graphql, "unknown"),
        (Route::Rest, "applied"),
        (Route::Cli, "applied"),
    ] {
        let target = Target::Create;
        let bench = Bench::with(Sim::demo(), Duration::from_secs(20)).await;
        let huge = FaultKind::Huge {
            bytes: TWENTY_MEGABYTES,
        };
        bench.sim.inject(target.aim(Fault::always(huge)));
        let envelope = run(&bench, route, target).await;
        let error = envelope.error.unwrap();
        assert_eq!(
            (error.code, error.retryable),
            (ErrorCode::Server, false),
            "{route}"
        );
        assert_eq!(error.details["outcome"], outcome, "{route}");
        assert_eq!(target.done(&bench.sim), 1, "{route}");
    }
}

#[tokio::test]
async fn what_is_not_github_says_what_it_is() {
    let cases = [
        (FaultKind::Html200, "web page"),
        (FaultKind::NotJson, "not JSON"),
        (FaultKind::Truncated, "broke off"),
        (FaultKind::HangBefore, "in time"),
    ];
    for (kind, words) in cases {
        for route in [Route::Graphql, Route::Rest] {
            let patience = match kind {
                FaultKind::HangBefore => Duration::from_millis(300),
                _ => Duration::from_secs(20),
            };
            let bench = Bench::with(Sim::demo(), patience).await;
            bench.sim.inject(Fault::always(kind.clone()));
            let envelope = run(&bench, route, Target::View).await;
            let error = envelope.error.unwrap();
            assert!(
                error.message.contains(words),
                "{kind:?} on {route}: {}",
                error.message
            );
        }
    }
}

/// The other side is there, but nobody takes the connection: nothing was sent, so nothing happened.
#[tokio::test]
async fn a_write_that_ran_out_of_time_before_it_left_was_not_applied() {
    for route in [Route::Graphql, Route::Rest] {
        let mut setup = Setup {
            listening: Listening::Nowhere,
            ..Setup::default()
        };
        setup.settings.request_timeout = Duration::from_millis(300);
        let bench = Bench::set_up(setup).await;
        let socket = TcpSocket::new_v4().unwrap();
        socket.set_reuseaddr(true).unwrap();
        socket.bind(bench.addresses.address).unwrap();
        let _listener = socket.listen(0).unwrap();
        // With a queue of none, the first to come waits in it, and the next knock in vain.
        let mut queued = Vec::new();
        while let Ok(stream) = timeout(
            Duration::from_millis(200),
            TcpStream::connect(bench.addresses.address),
        )
        .await
        {
            queued.push(stream.unwrap());
        }
        let envelope = run(&bench, route, Target::Create).await;
        let error = envelope.error.unwrap();
        assert_eq!(
            (error.code, error.retryable),
            (ErrorCode::Network, true),
            "{route}: {error:?}"
        );
        assert_eq!(error.details["outcome"], "not_applied", "{route}");
        assert_eq!(
            bench.clock.sleeps().len(),
            2,
            "{route}: it may be tried again"
        );
    }
}

async fn run(bench: &Bench, route: Route, target: Target) -> ResultEnvelope {
    let (capability, input) = target.call();
    timeout(ON_TIME, bench.run_on(route, capability, &input))
        .await
        .expect("it returns on time")
}
