//! Collects the negations of the clauses of an intent, and what they forbid.

use std::collections::BTreeSet;

use super::analysis::IntentStep;
use super::clauses::{Clause, Connector};
use super::negation::{Negation, NegationScope, find_negation, find_negation_in_fragment};
use super::values::IntentValues;
use crate::discovery::find::Hit;

/// What the clauses of an intent say not to do.
#[derive(Default)]
pub(super) struct NegationTracker {
    /// The texts of the negated clauses.
    pub(super) texts: Vec<String>,
    /// Ids of capabilities that are negated without naming a number: "do not merge it".
    forbidden: BTreeSet<String>,
    /// The scope of the last negation, while it may reach further clauses.
    scope: Option<NegationScope>,
    /// Whether the last clause retracts everything before it: "close issue 3. No, don't!"
    pub(super) retracts_all: bool,
    /// Whether the last clause negates the one before it: "merge pr 7 is not allowed".
    pub(super) retracts_last: bool,
    /// The negations, each with the values of its clause. They may name a state to keep.
    kept: Vec<(Negation, IntentValues)>,
}

impl NegationTracker {
    /// Records the next clause, with the hit that fits it best. Returns whether the clause is negated.
    pub(super) fn record(&mut self, clause: &Clause, best: Option<&Hit>, host: &str) -> bool {
        let own_negation = match clause.connector {
            Connector::Negation => find_negation_in_fragment(&clause.text),
            _ => find_negation(&clause.text, 0),
        };
        let own_negation =
            own_negation.filter(|it| best.map_or(it.is_unconditional(), |hit| it.applies_to(hit)));
        let continues_previous = match (self.scope, clause.connector) {
            (None | Some(NegationScope::Clause), _)
            | (_, Connector::Start | Connector::Contrast) => false,
            (Some(NegationScope::Conjunction), connector) => connector == Connector::Conjunction,
            (Some(NegationScope::Sentence), _) => true,
        };
        self.retracts_all = own_negation
            .as_ref()
            .is_some_and(|it| it.retracts_previous(&clause.text));
        self.retracts_last = clause.connector == Connector::Negation
            && own_negation
                .as_ref()
                .is_some_and(|it| it.judges_previous_clause(&clause.text));
        match &own_negation {
            Some(own_negation) => self.scope = Some(own_negation.scope),
            None if continues_previous => {}
            None => self.scope = None,
        }
        let is_negated = own_negation.is_some() || continues_previous;
        if is_negated {
            self.texts.push(clause.text.clone());
            let values = IntentValues::parse(&clause.text, host);
            let has_number = values.count_numbers() > 0;
            self.kept
                .extend(own_negation.map(|own_negation| (own_negation, values)));
            if !has_number {
                self.forbidden.extend(best.map(|hit| hit.id.clone()));
            }
        }
        is_negated
    }

    /// Returns whether a step would do what another clause forbids.
    pub(super) fn forbids(&self, step: &IntentStep) -> bool {
        let ends_it = |(negation, values): &(Negation, IntentValues)| {
            negation.forbids(&step.id, step.writes) && values.may_concern_same_number(&step.values)
        };
        self.forbidden.contains(&step.id) || self.kept.iter().any(ends_it)
    }
}
