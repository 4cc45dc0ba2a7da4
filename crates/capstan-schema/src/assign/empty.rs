//! Decides whether a case contradicts itself.

use serde_json::Value;

use super::array::{longest, shortest};
use super::case::{Case, KnownSchema, Origin};
use super::checker::Checker;
use super::scalar::{NumberRange, at_least, at_most};
use crate::lookup::list;
use crate::types::TypeSet;

/// The depth up to which contradictions are searched.
const LEVELS: u32 = 4;

/// The number of array elements that are examined.
const MOST_ELEMENTS: u64 = 8;

impl<'a> Checker<'a> {
    /// Whether certainly no value satisfies the case.
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
            TypeSet::INTEGER | TypeSet::FRACTION => NumberRange::of(case).is_empty(),
            _ => self.values(case).is_some_and(|it| it.is_empty()),
        }
    }

    /// Whether a required element cannot exist.
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

    /// Whether a required property cannot exist.
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

    fn is_nothing(&self, givens: &[KnownSchema<'a>], origin: Origin<'a>, levels: u32) -> bool {
        let cases = self.cases(givens, origin);
        cases
            .iter()
            .all(|case| self.is_empty_within(case, levels - 1))
    }

    /// Whether all possible values are excluded.
    fn is_excluded(&self, case: &Case<'a>) -> bool {
        let without = || Case {
            nots: Vec::new(),
            ..self.copy(case)
        };
        let excludes = |not: &KnownSchema<'a>| {
            case.applies_to(*not)
                && self.holds_without_reason(|| self.case_flows(&without(), not.schema))
        };
        case.nots.iter().any(excludes)
    }
}
