//! One row of the tables: a card, a state of the world, an input, and what must come of it.

use capstan_core::{ErrorCode, Route};
use github_sim::world::World;
use serde_json::{Value, json};

/// What is done to the demo's world before the card runs.
pub(super) type Seed = fn(&mut World);

/// A named state of the world, and a part of what a view must show of it.
pub(super) struct State {
    pub(super) name: &'static str,
    pub(super) seed: Seed,
    pub(super) shows: Value,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expect {
    /// A read that succeeds.
    Data,
    /// A list of so many rows in all, read to its end.
    Pages(usize),
    /// A write that changes the world with one request.
    Change,
    /// A write that has nothing to do and sends nothing.
    NoChange,
    /// A write that GitHub accepts and passes over in silence.
    Futile,
    /// Refused, and nothing changed.
    Refusal(ErrorCode),
}

pub(super) struct Case {
    pub(super) card: &'static str,
    pub(super) state: &'static str,
    pub(super) seed: Seed,
    pub(super) input: Value,
    pub(super) expect: Expect,
    /// A part of the data, so that routes that are wrong alike are found out too.
    pub(super) shows: Value,
    /// Routes that say that they cannot do it.
    pub(super) unable: &'static [Route],
}

impl Case {
    /// A success on the demo as it is; `input` is completed with the demo's repository.
    pub(super) fn new(
        card: &'static str,
        state: &'static str,
        expect: Expect,
        input: Value,
    ) -> Self {
        Self {
            card,
            state,
            seed: |_| {},
            input: rocket(input),
            expect,
            shows: json!({}),
            unable: &[],
        }
    }

    pub(super) fn on(mut self, seed: Seed) -> Self {
        self.seed = seed;
        self
    }

    pub(super) fn shows(mut self, part: Value) -> Self {
        self.shows = part;
        self
    }

    pub(super) fn not_on(mut self, unable: &'static [Route]) -> Self {
        self.unable = unable;
        self
    }

    /// With this input and no other.
    pub(super) fn exactly(mut self, input: Value) -> Self {
        self.input = input;
        self
    }
}

/// The same for each of some states.
pub(super) fn each(
    card: &'static str,
    expect: Expect,
    input: &Value,
    states: Vec<State>,
) -> Vec<Case> {
    states
        .into_iter()
        .map(|state| {
            Case::new(card, state.name, expect, input.clone())
                .on(state.seed)
                .shows(state.shows)
        })
        .collect()
}

fn rocket(mut input: Value) -> Value {
    let fields = input.as_object_mut().unwrap();
    for (name, value) in [("owner", "acme"), ("repo", "rocket")] {
        fields.entry(name).or_insert_with(|| value.into());
    }
    input
}
