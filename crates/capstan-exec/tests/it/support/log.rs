//! What was sent, as text: `q[a b] + m[c] | q[d]` is a query of two things, a mutation that left while the query was
//! under way, and another query that left when nothing was. Lookups are marked: `q[?a]`.

use std::time::Duration;

use capstan_core::card::Operation;
use capstan_core::{Outcome, Route};

use super::request::Item;

/// A request that left.
#[derive(Clone, Debug)]
pub(crate) struct Sent {
    /// The chain that it belongs to, and the steps.
    pub(crate) chain: usize,
    pub(crate) steps: Vec<usize>,
    pub(crate) route: Route,
    pub(crate) operation: Operation,
    pub(crate) items: Vec<Item>,
    /// By item: what the answer said of it; nothing where it is fine, or where there was no answer.
    pub(crate) said: Vec<Option<Outcome>>,
    /// By item: whether it was carried out.
    pub(crate) is_applied: Vec<bool>,
    pub(crate) left_at: Duration,
    pub(crate) deadline: Duration,
    /// On a count of departures and arrivals.
    pub(crate) began: u64,
    /// Nothing while it is under way, and for ever if it was dropped.
    pub(crate) ended: Option<u64>,
}

impl Sent {
    pub(crate) fn labels(&self) -> impl Iterator<Item = &String> {
        self.items.iter().map(|item| &item.label)
    }

    pub(crate) fn is_write(&self) -> bool {
        self.operation == Operation::Write
    }

    /// Returns whether it was under way when the other left.
    pub(crate) fn is_under_way_at(&self, began: u64) -> bool {
        self.began < began && self.ended.is_none_or(|ended| ended > began)
    }

    fn text(&self) -> String {
        request_text(self.route, self.operation, &self.items)
    }
}

/// Returns one request as text.
pub(crate) fn request_text(route: Route, operation: Operation, items: &[Item]) -> String {
    let labels: Vec<_> = items.iter().map(|item| item.label.as_str()).collect();
    let kind = match (route, operation) {
        (Route::Graphql, Operation::Read) => "q".to_owned(),
        (Route::Graphql, Operation::Write) => "m".to_owned(),
        (Route::Cli, Operation::Read) => "gh".to_owned(),
        (Route::Cli, Operation::Write) => "gh!".to_owned(),
        (route, Operation::Read) => route.to_string(),
        (route, Operation::Write) => format!("{route}!"),
    };
    format!("{kind}[{}]", labels.join(" "))
}

/// Returns all requests as text.
pub(crate) fn text(log: &[Sent]) -> String {
    rendered(log, |_| String::new())
}

/// Returns all requests as text, each with the whole seconds after which it left: `0s q[a] | 1s q[b]`.
pub(crate) fn timed(log: &[Sent]) -> String {
    rendered(log, |sent| format!("{}s ", sent.left_at.as_secs()))
}

fn rendered(log: &[Sent], prefix: impl Fn(&Sent) -> String) -> String {
    let mut text = String::new();
    for (index, sent) in log.iter().enumerate() {
        let before = &log[..index];
        let is_alone = !before.iter().any(|it| it.is_under_way_at(sent.began));
        text.push_str(match (index, is_alone) {
            (0, _) => "",
            (_, true) => " | ",
            (_, false) => " + ",
        });
        text.push_str(&prefix(sent));
        text.push_str(&sent.text());
    }
    text
}
