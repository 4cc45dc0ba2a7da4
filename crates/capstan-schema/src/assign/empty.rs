//! Whether no value at all can be what is known about it.

use serde_json::Value;

use super::array::{longest, shortest};
use super::case::{Case, Given, Origin};
use super::checker::Checker;
use super::scalar::{Range, at_least, at_most};
use crate::lookup::list;
use crate::types::TypeSet;

/// How many parts deep contradictions are looked for.
const LEVELS: u32 = 4;

/// How many elements of an array are looked at.
const MOST_ELEMENTS: u64 = 8;

impl<'a> Checker<'a> {
    /// Whether there is certainly no such value.
    pub(super) fn is_empty(&self, case: &Case<'a>) -> bool {
        self.is_empty_within(case, LEVELS)
    }

    fn is_empty_within(&self, case: &Case<'a>, levels: u32) -> bool {
        if case.types.is_empty() {
            return true;
        }
        let empty = || {
            if let Some(values) = self.values(case) {
                return values.is_empty();
            }
            let mut atoms = case.types.atoms();
            atoms.all(|atom| self.has_none(&self.narrowed(case, atom), atom, levels))
                || self.is_excluded(case)
        };
        self.budget.deeper(empty).unwrap_or(false)
    }

    fn has_none(&self, case: &Case<'a>, atom: TypeSet, levels: u32) -> bool {
        match atom {
            TypeSet::STRING => {
                let most = at_most(case, "maxLength");
                most.is_some_and(|most| most < at_least(case, "minLength"))
            }
            TypeSet::ARRAY => {
                let longest = longest(case).unwrap_or(u64::MAX);
                longest < shortest(case) || levels > 0 && self.has_no_element(case, levels)
            }
            TypeSet::OBJECT => {
                self.most(case).is_some_and(|most| most < self.fewest(case))
                    || levels > 0 && self.has_no_property(case, levels)
            }
            TypeSet::INTEGER | TypeSet::FRACTION => Range::of(case).is_empty(),
            _ => self.values(case).is_some_and(|it| it.is_empty()),
        }
    }

    /// Whether an element is needed that nothing can be.
    fn has_no_element(&self, case: &Case<'a>, levels: u32) -> bool {
        let needed = shortest(case).min(MOST_ELEMENTS);
        (0..needed).any(|index| {
            let Ok(index) = usize::try_from(index) else {
                return false;
            };
            let givens = self.element(case, index);
            self.is_nothing(&givens, self.of_element(case, index), levels)
        })
    }

    /// Whether a property is needed that nothing can be.
    fn has_no_property(&self, case: &Case<'a>, levels: u32) -> bool {
        let required = case.facts.iter().flat_map(|fact| {
            let names = list(fact.keywords, "required").unwrap_or(&[]);
            names.iter().filter_map(Value::as_str)
        });
        let mut needed = required.chain(case.present.iter().copied());
        needed.any(|name| {
            case.has(name)
                && match self.property(case, name) {
                    Some(givens) => self.is_nothing(&givens, self.of_property(case, name), levels),
                    None => true,
                }
        })
    }

    fn is_nothing(&self, givens: &[Given<'a>], origin: Origin<'a>, levels: u32) -> bool {
        let cases = self.cases(givens, origin);
        cases
            .iter()
            .all(|case| self.is_empty_within(case, levels - 1))
    }

    /// Whether every such value is one that it is known not to be.
    fn is_excluded(&self, case: &Case<'a>) -> bool {
        let without = || Case {
            nots: Vec::new(),
            ..self.copy(case)
        };
        let excludes = |not: &Given<'a>| {
            case.speaks(*not) && self.quietly(|| self.case_flows(&without(), not.schema))
        };
        case.nots.iter().any(excludes)
    }
}
