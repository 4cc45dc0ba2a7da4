//! What goes wrong: which requests are hit, how often, and what happens to them.

use std::time::Duration;

use capstan_core::Route;
use capstan_core::card::Operation;
use capstan_core::port::Failure;
use serde_json::Value;

use super::log::Sent;

/// What happens to a request that is hit.
#[derive(Clone, Debug)]
pub(crate) enum Effect {
    /// It fails, and nothing was carried out.
    Refuse(Failure),
    /// It is carried out, and then fails.
    Lose(Failure),
    /// So many of its writes are carried out, and then it fails.
    Cut(usize, Failure),
    /// It fails if it asks for more than so many things.
    MoreThan(usize, Failure),
    /// It fails for the sake of these things, and nothing was carried out. Their places are named, each with this in
    /// front.
    Blame(Vec<String>, Vec<String>, Failure),
    /// It is answered, but for these things, of which each has an error with its place.
    Beside(Vec<String>, Failure),
    /// The same, with a failure of its own for each.
    BesideEach(Vec<(String, Failure)>),
    /// It is carried out and answered, with an error inside each of these things.
    Within(Vec<String>, Failure),
    /// It is answered, but for these things, and the only error names no place.
    Unplaced(Vec<String>, Failure),
    /// It is carried out and answered with this instead.
    Answer(Value),
    /// It takes so much longer.
    Delay(Duration),
    /// It takes so much longer for each thing that it asks for.
    DelayEach(Duration),
    /// It is never answered, and is carried out at once or not at all.
    Hang { happens: bool },
}

#[derive(Clone, Debug)]
pub(crate) struct Fault {
    pub(crate) effect: Effect,
    operation: Option<Operation>,
    route: Option<Route>,
    thing: Option<String>,
    skipped: usize,
    /// How often it strikes; nothing for always.
    times: Option<usize>,
}

/// Hits the first request that there is, unless said otherwise.
pub(crate) fn once(effect: Effect) -> Fault {
    Fault {
        effect,
        operation: None,
        route: None,
        thing: None,
        skipped: 0,
        times: Some(1),
    }
}

/// Hits every request, unless said otherwise.
pub(crate) fn always(effect: Effect) -> Fault {
    let times = None;
    Fault {
        times,
        ..once(effect)
    }
}

impl Fault {
    pub(crate) fn on_reads(mut self) -> Self {
        self.operation = Some(Operation::Read);
        self
    }

    pub(crate) fn on_writes(mut self) -> Self {
        self.operation = Some(Operation::Write);
        self
    }

    pub(crate) fn over(mut self, route: Route) -> Self {
        self.route = Some(route);
        self
    }

    /// Only requests that ask for this, as the log calls it.
    pub(crate) fn with(mut self, thing: &str) -> Self {
        self.thing = Some(thing.to_owned());
        self
    }

    /// Spares so many requests first.
    pub(crate) fn sparing(mut self, requests: usize) -> Self {
        self.skipped = requests;
        self
    }

    pub(crate) fn times(mut self, times: usize) -> Self {
        self.times = Some(times);
        self
    }

    /// Returns whether it strikes a request, and counts it.
    pub(crate) fn strikes(&mut self, sent: &Sent) -> bool {
        let fits = self.operation.is_none_or(|it| it == sent.operation)
            && self.route.is_none_or(|it| it == sent.route)
            && self
                .thing
                .as_ref()
                .is_none_or(|it| sent.labels().any(|label| label == it));
        if !fits || self.times == Some(0) {
            return false;
        }
        if self.skipped > 0 {
            self.skipped -= 1;
            return false;
        }
        self.times = self.times.map(|times| times - 1);
        true
    }
}
