//! Suggests the calls that usually follow another, ready to send.

use serde_json::{Map, Value};

use capstan_core::NextCall;
use capstan_core::card::Card;
use capstan_core::code::Node;

use crate::discovery::Discovery;
use crate::discovery::suggest::required_fields;

/// Calls that were seen together less often than this are not suggested.
const MIN_OBSERVATIONS: u64 = 8;

/// The minimum share of cases in which a suggested call really follows, as the lower bound of a confidence
/// interval.
const MIN_SHARE: f64 = 0.4;

/// The z-score of a one-sided 95 % confidence interval.
const Z_SCORE: f64 = 1.64;

impl Discovery {
    /// Returns the calls that followed often enough, the likeliest first. Never waits: returns nothing while
    /// the graph in memory is being changed.
    pub(crate) fn usual_next_calls(
        &self,
        node: &Node,
        card: &Card,
        input: &Value,
        data: &Value,
    ) -> Vec<NextCall> {
        let Some(state) = self.graph_cache.try_read() else {
            return Vec::new();
        };
        let likely = state.graph.next(node, is_frequent).into_iter();
        let calls = likely.filter_map(|next| {
            let Node::Named(id) = &next.node else {
                return None;
            };
            let next = self.shared.catalog.get(id).ok()?;
            Some(NextCall {
                capability: id.clone(),
                input: Value::Object(filled_input(&next, card, input, data)?),
            })
        });
        calls.collect()
    }
}

/// Returns whether a call followed often enough to be suggested.
fn is_frequent(count: u64, out_of: u64) -> bool {
    count >= MIN_OBSERVATIONS && wilson_lower_bound(count, out_of) >= MIN_SHARE
}

/// Returns the lower bound of Wilson's confidence interval for a share.
fn wilson_lower_bound(count: u64, out_of: u64) -> f64 {
    let (count, all) = (count as f64, out_of.max(1) as f64);
    let share = (count / all).min(1.0);
    let square = Z_SCORE * Z_SCORE;
    let middle = share + square / (2.0 * all);
    let spread = Z_SCORE * (share * (1.0 - share) / all + square / (4.0 * all * all)).sqrt();
    (middle - spread) / (1.0 + square / all)
}

/// Returns the input of the next call, if the previous call's input or output contains all required fields.
fn filled_input(
    next: &Card,
    card: &Card,
    input: &Value,
    data: &Value,
) -> Option<Map<String, Value>> {
    let mut filled = Map::new();
    for field in required_fields(&next.input_schema) {
        let own = field.strip_prefix(card.id.domain());
        let own = own.and_then(|rest| rest.strip_prefix('_'));
        let given = input.get(field).or_else(|| data.get(own?));
        let value = given.filter(|value| !value.is_null())?;
        filled.insert(field.to_owned(), value.clone());
    }
    Some(filled)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use capstan_core::code::{Edge, EdgeKind, EdgeSource};
    use capstan_graph::Graph;

    use super::*;

    #[test]
    fn few_observations_are_believed_less() {
        assert!(wilson_lower_bound(5, 5) > 0.6);
        assert!(wilson_lower_bound(5, 10) < MIN_SHARE);
        assert!(wilson_lower_bound(50, 100) > 0.41);
        assert!(wilson_lower_bound(3, 100) < 0.06);
        assert!(wilson_lower_bound(0, 0) <= 0.0);
    }

    /// Returns the graph that is learned from sessions.
    fn learned<'a>(sessions: impl Iterator<Item = &'a Vec<String>>) -> Graph {
        let mut counts: BTreeMap<(&str, &str), u64> = BTreeMap::new();
        for pair in sessions.flat_map(|calls| calls.windows(2)) {
            if pair[0] != pair[1] {
                *counts.entry((&pair[0], &pair[1])).or_default() += 1;
            }
        }
        let mut graph = Graph::default();
        for ((from, to), observed) in counts {
            graph.put(&Edge {
                from: Node::Named(from.to_owned()),
                to: Node::Named(to.to_owned()),
                kind: EdgeKind::Sequence,
                source: EdgeSource::Observed,
                observed,
                created_at: 0,
                last_observed: 0,
            });
        }
        graph
    }

    /// A generator of sessions with the same transitions as the recorded ones.
    struct Habit {
        first: Vec<String>,
        after: BTreeMap<String, Vec<Option<String>>>,
    }

    impl Habit {
        fn read() -> Self {
            let data = include_str!("../../../../capstan-bench/data/followups.jsonl");
            let mut habit = Self {
                first: Vec::new(),
                after: BTreeMap::new(),
            };
            for line in data.lines() {
                let session: Value = serde_json::from_str(line).unwrap();
                let calls: Vec<String> = serde_json::from_value(session["calls"].clone()).unwrap();
                habit.first.push(calls[0].clone());
                let next = calls.iter().skip(1).cloned().map(Some).chain([None]);
                for (call, next) in calls.iter().zip(next) {
                    habit.after.entry(call.clone()).or_default().push(next);
                }
            }
            habit
        }

        fn session(&self, chance: &mut fastrand::Rng) -> Vec<String> {
            let mut calls = vec![chance.choice(&self.first).unwrap().clone()];
            while let Some(next) = chance.choice(&self.after[&calls[calls.len() - 1]]).unwrap() {
                calls.push(next.clone());
            }
            calls
        }
    }

    /// If users behave as before, at least the promised share of suggestions is right, however much was seen
    /// before. A suggestion after the last call of a session counts as wrong.
    #[test]
    fn what_is_offered_follows_as_often_as_is_said() {
        let habit = Habit::read();
        for seen in [40, 100, 200, 1000] {
            let (mut offered, mut right) = (0, 0);
            for seed in 0..20_000 / seen {
                let chance = &mut fastrand::Rng::with_seed(seed);
                let known: Vec<_> = (0..seen).map(|_| habit.session(chance)).collect();
                let graph = learned(known.iter());
                for _ in 0..20 {
                    let calls = habit.session(chance);
                    for (place, call) in calls.iter().enumerate() {
                        let next = graph.next(&Node::Named(call.clone()), is_frequent);
                        if let Some(likely) = next.first() {
                            offered += 1;
                            let came = calls.get(place + 1);
                            let is_right = came.is_some_and(|it| it == likely.node.as_str());
                            right += u32::from(is_right);
                        }
                    }
                }
            }
            let share = f64::from(right) / f64::from(offered.max(1));
            println!("after {seen} sessions: {right} of {offered} right, {share:.2}");
            assert!(offered >= 100, "{seen}: {right} of {offered}");
            assert!(share >= MIN_SHARE, "{seen}: {right} of {offered}");
        }
    }
}
