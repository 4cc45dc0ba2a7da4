//! What usually follows, as calls that are ready to send.

use serde_json::{Map, Value};

use capstan_core::NextCall;
use capstan_core::card::Card;
use capstan_core::code::Node;

use crate::Capstan;
use crate::suggest::required;

/// What was seen less often is no habit.
const LEAST_SEEN: u64 = 5;

/// How often it has to be right, at the least: the lower end of what can be believed after so many times.
const LEAST_RIGHT: f64 = 0.4;

/// One in ten times the truth is below that end.
const DOUBT: f64 = 1.28;

impl Capstan {
    /// Calls that followed often enough, likeliest first. Nobody waits for it: what is in memory is
    /// looked at, if nobody is changing it.
    pub(crate) fn usually_next(
        &self,
        node: &Node,
        card: &Card,
        input: &Value,
        data: &Value,
    ) -> Vec<NextCall> {
        let Some(held) = self.atlas.glance() else {
            return Vec::new();
        };
        let likely = held.graph.next(node).into_iter().filter(|next| {
            next.count >= LEAST_SEEN && surely(next.count, next.out_of) >= LEAST_RIGHT
        });
        let calls = likely.filter_map(|next| {
            let Node::Named(id) = &next.node else {
                return None;
            };
            let next = self.catalog().get(id).ok()?;
            Some(NextCall {
                capability: id.clone(),
                input: Value::Object(filled(&next, card, input, data)?),
            })
        });
        calls.collect()
    }
}

/// The share of successes that can be believed: the lower end of Wilson's interval.
fn surely(count: u64, out_of: u64) -> f64 {
    let (count, all) = (count as f64, out_of.max(1) as f64);
    let share = (count / all).min(1.0);
    let square = DOUBT * DOUBT;
    let middle = share + square / (2.0 * all);
    let spread = DOUBT * (share * (1.0 - share) / all + square / (4.0 * all * all)).sqrt();
    (middle - spread) / (1.0 + square / all)
}

/// The input of the next call, if all that it requires is in the one before or in what that gave.
fn filled(next: &Card, card: &Card, input: &Value, data: &Value) -> Option<Map<String, Value>> {
    let mut filled = Map::new();
    for field in required(&next.input_schema) {
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
    use super::*;

    #[test]
    fn few_observations_are_believed_less() {
        assert!(surely(5, 5) > 0.7);
        assert!(surely(5, 10) < LEAST_RIGHT);
        assert!(surely(50, 100) > 0.43);
        assert!(surely(3, 100) < 0.06);
        assert!(surely(0, 0) <= 0.0);
    }
}
