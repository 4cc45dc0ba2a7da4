//! One cell of the fault matrix: a chain while one thing goes wrong, and what must hold in every cell.

use std::fmt;
use std::time::Duration;

use capstan_core::{ChainResultEnvelope, ChainStatus, Route};
use capstan_engine::Settings;
use github_sim::{Fault, FaultKind, SeenRequest, Sim};

use super::super::bench::{Bench, Setup};
use super::super::steps::{code, outcome};
use super::fault;
use super::target::Target;
use crate::support::TOKEN;

#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub(super) target: Target,
    pub(super) name: &'static str,
    kind: FaultKind,
    times: Times,
}

/// How often the fault strikes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Times {
    Once,
    Always,
}

/// How long a request may take where it hangs: long enough for what is answered, on a busy machine
/// too.
const SHORT: Duration = Duration::from_secs(4);
const LONG: Duration = Duration::from_secs(30);

/// Answers after which a write may be sent again, if it was not carried out.
const REFUSALS: [Option<u16>; 4] = [Some(200), Some(401), Some(403), Some(429)];

impl Cell {
    pub(super) fn all(target: Target) -> Vec<Cell> {
        let cells = fault::all(target).into_iter();
        cells
            .flat_map(|(name, kind)| {
                [Times::Once, Times::Always].map(|times| Cell {
                    target,
                    name,
                    kind: kind.clone(),
                    times,
                })
            })
            .collect()
    }

    /// Runs the cell in a world of its own: what came of it, as the table says it.
    pub(super) async fn run(self) -> String {
        let request_timeout = if fault::hangs(&self.kind) {
            SHORT
        } else {
            LONG
        };
        let bench = Bench::set_up(Setup {
            cards: Target::cards(),
            settings: Settings {
                request_timeout,
                chunks: self.target.limits(),
                // What other routes do about it is another matter.
                routes: vec![Route::Graphql],
                ..Settings::default()
            },
            ..Setup::default()
        })
        .await;
        let fault = match self.times {
            Times::Once => Fault::once(self.kind.clone()),
            Times::Always => Fault::always(self.kind.clone()),
        };
        bench.sim.inject(self.target.aim(fault));
        if let Some(fault) = self.target.also() {
            bench.sim.inject(fault);
        }
        let ran = bench.run(&self.target.steps()).await;
        self.check(&bench, &ran);
        self.told(&bench, &ran)
    }

    fn told(&self, bench: &Bench, ran: &ChainResultEnvelope) -> String {
        let status = match ran.status {
            ChainStatus::Success => "success",
            ChainStatus::Partial => "partial",
            ChainStatus::Failed => "failed",
        };
        let steps: Vec<_> = ran
            .results
            .iter()
            .map(|result| {
                let retryable = result.error.as_ref().is_some_and(|it| it.retryable);
                let again = if retryable { "!" } else { "" };
                match (code(result), outcome(result)) {
                    (code, "-") => format!("{code}{again}"),
                    (code, outcome) => format!("{code}{again}:{outcome}"),
                }
            })
            .collect();
        let done: String = self
            .done(&bench.sim)
            .iter()
            .map(|done| done.map_or("-".to_owned(), |done| done.to_string()))
            .collect();
        let (reads, writes) = bench.counts();
        format!("{status:<7} {reads} {writes} {done} {}", steps.join(" "))
    }

    /// How many times the world shows each step; nothing for reads.
    fn done(&self, sim: &Sim) -> Vec<Option<usize>> {
        let deeds = self.target.deeds().into_iter().enumerate();
        deeds
            .map(|(index, deed)| deed.is_write().then(|| deed.done(index, sim)))
            .collect()
    }

    fn check(&self, bench: &Bench, ran: &ChainResultEnvelope) {
        let text = serde_json::to_string(ran).unwrap();
        assert!(!text.contains(TOKEN), "{self}: the token leaked");
        assert_eq!(ran.results.len(), 4, "{self}");
        let sent = bench.sent.all();
        assert_eq!(
            ran.meta.requests,
            sent.len(),
            "{self}: requests are counted"
        );
        assert_eq!(
            bench.sim.requests().len(),
            sent.len(),
            "{self}: they all arrived"
        );
        let carried = self.carried(bench);
        let writes = bench.writes();
        let done = self.done(&bench.sim);
        for (index, result) in ran.results.iter().enumerate() {
            let Some(done) = done[index] else {
                continue;
            };
            let step = format!("{self}, step {index}: {result:?}");
            assert!(done <= 1, "done {done} times: {step}");
            let retryable = result.error.as_ref().is_some_and(|it| it.retryable);
            let certain = outcome(result) == "not_applied";
            assert!(certain || !retryable, "it is said to be repeatable: {step}");
            match (result.ok, outcome(result)) {
                (true, _) => assert_eq!(done, 1, "ok, and not done: {step}"),
                (false, "applied") => assert_eq!(done, 1, "applied, and not done: {step}"),
                (false, "not_applied") => assert_eq!(done, 0, "not applied, and done: {step}"),
                (false, other) => assert_eq!(other, "unknown", "{step}"),
            }
            let [earlier @ .., last] = carried[index].as_slice() else {
                assert_eq!(done, 0, "done, and never sent: {step}");
                continue;
            };
            for sending in earlier {
                let seen = &writes[*sending];
                assert!(
                    !self.applied_by(seen, index),
                    "sent again after it was done: {step}"
                );
                assert!(
                    REFUSALS.contains(&seen.status),
                    "sent again although it may have been done ({:?}): {step}",
                    seen.status
                );
            }
            if outcome(result) == "unknown" {
                let later = writes.len() - 1 - last;
                assert_eq!(later, 0, "something was written after this: {step}");
            }
        }
    }

    /// By step: the requests with writes that carried it.
    fn carried(&self, bench: &Bench) -> Vec<Vec<usize>> {
        let sent = bench.sent.all();
        let writes: Vec<_> = sent.iter().filter(|it| it.is_write()).collect();
        let deeds = self.target.deeds().into_iter().enumerate();
        deeds
            .map(|(index, deed)| match deed.mark(index, &bench.sim) {
                None => Vec::new(),
                Some(mark) => (0..writes.len())
                    .filter(|write| writes[*write].mentions(&mark))
                    .collect(),
            })
            .collect()
    }

    fn applied_by(&self, seen: &SeenRequest, index: usize) -> bool {
        match seen.root_fields.len() {
            1 => seen.applied,
            _ => seen.applied_fields.contains(&self.target.alias(index)),
        }
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let times = match self.times {
            Times::Once => "once",
            Times::Always => "always",
        };
        write!(f, "{:<18} {times:<6}", self.name)
    }
}
