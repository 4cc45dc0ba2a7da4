//! Checks types, numbers and strings.

use std::cmp::Ordering;

use serde_json::Value;

use super::case::{Case, Fact};
use super::checker::{Checker, Verdict};
use crate::number::{Exact, count};
use crate::types::TypeSet;

impl<'a> Checker<'a> {
    pub(super) fn type_flows(&self, case: &Case<'a>, needed: &Value) -> Verdict {
        match TypeSet::of_keyword(needed) {
            Some(types) if case.types.is_subset(types) => Ok(()),
            Some(types) => self.wrong_types(case.types, types),
            None => self.malformed("type"),
        }
    }

    pub(super) fn wrong_types(&self, given: TypeSet, needed: TypeSet) -> Verdict {
        self.refuse(|| {
            let extra = given.without(needed);
            if extra == TypeSet::NULL && given != TypeSet::NULL {
                "may be null".to_owned()
            } else if given == TypeSet::ALL {
                format!("may be anything where {needed} is needed")
            } else if given.meets(needed) && extra != TypeSet::FRACTION {
                format!("may be {extra} where {needed} is needed")
            } else {
                format!("gives {given} where {needed} is needed")
            }
        })
    }

    pub(super) fn number_flows(&self, case: &Case<'a>, keyword: &str, needed: &Value) -> Verdict {
        if !case.types.meets(TypeSet::NUMBER) {
            return Ok(());
        }
        let Some(bound) = Exact::from_value(needed) else {
            return self.malformed(keyword);
        };
        let range = NumberRange::of(case);
        let low = |than: Ordering| range.low.is_some_and(|it| it.is(bound, than));
        let high = |than: Ordering| range.high.is_some_and(|it| it.is(bound, than));
        match keyword {
            "minimum" if low(Ordering::Greater) || low(Ordering::Equal) => Ok(()),
            "minimum" => self.refuse(|| format!("may be less than {needed}")),
            "maximum" if high(Ordering::Less) || high(Ordering::Equal) => Ok(()),
            "maximum" => self.refuse(|| format!("may be more than {needed}")),
            "exclusiveMinimum" if low(Ordering::Greater) || range.excludes_low(bound) => Ok(()),
            "exclusiveMinimum" => self.refuse(|| format!("may be {needed} or less")),
            "exclusiveMaximum" if high(Ordering::Less) || range.excludes_high(bound) => Ok(()),
            "exclusiveMaximum" => self.refuse(|| format!("may be {needed} or more")),
            _ if is_multiple(case, bound) => Ok(()),
            _ => self.refuse(|| format!("may not be a multiple of {needed}")),
        }
    }

    pub(super) fn string_flows(&self, case: &Case<'a>, keyword: &str, needed: &Value) -> Verdict {
        if !case.types.meets(TypeSet::STRING) {
            return Ok(());
        }
        if keyword == "pattern" {
            let same = |fact: &Fact<'a>| fact.get("pattern") == Some(needed);
            return match needed {
                Value::String(pattern) if pattern.is_empty() => Ok(()),
                _ if case.facts.iter().any(same) => Ok(()),
                _ => self.refuse(|| format!("may not match the pattern {needed}")),
            };
        }
        let Some(bound) = count(needed) else {
            return self.malformed(keyword);
        };
        if keyword == "minLength" {
            return match bound {
                0 => Ok(()),
                _ if at_least(case, "minLength") >= bound => Ok(()),
                1 => self.refuse(|| "may be empty".to_owned()),
                _ => self.refuse(|| format!("may be shorter than {bound}")),
            };
        }
        match at_most(case, "maxLength") {
            Some(longest) if longest <= bound => Ok(()),
            _ => self.refuse(|| format!("may be longer than {bound}")),
        }
    }
}

/// Returns the largest value of a keyword that sets a minimum count.
pub(super) fn at_least(case: &Case<'_>, keyword: &str) -> u64 {
    let each = case
        .facts
        .iter()
        .filter_map(|fact| count(fact.get(keyword)?));
    each.max().unwrap_or(0)
}

/// Returns the smallest value of a keyword that sets a maximum count.
pub(super) fn at_most(case: &Case<'_>, keyword: &str) -> Option<u64> {
    let each = case
        .facts
        .iter()
        .filter_map(|fact| count(fact.get(keyword)?));
    each.min()
}

/// One end of a range.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound {
    at: Exact,
    /// Whether the number itself is outside of the range.
    excluded: bool,
}

/// A range of numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct NumberRange {
    low: Option<Bound>,
    high: Option<Bound>,
}

impl Bound {
    fn is(self, bound: Exact, than: Ordering) -> bool {
        self.at.compare(bound) == than
    }
}

impl NumberRange {
    pub(super) fn of(case: &Case<'_>) -> Self {
        let mut range = Self {
            low: None,
            high: None,
        };
        for fact in &case.facts {
            for (keyword, excluded) in [("minimum", false), ("exclusiveMinimum", true)] {
                if let Some(at) = fact.get(keyword).and_then(Exact::from_value) {
                    range.raise(Bound { at, excluded });
                }
            }
            for (keyword, excluded) in [("maximum", false), ("exclusiveMaximum", true)] {
                if let Some(at) = fact.get(keyword).and_then(Exact::from_value) {
                    range.lower(Bound { at, excluded });
                }
            }
        }
        if !case.types.meets(TypeSet::FRACTION) {
            range.low = range.low.map(|it| whole(it, it.at.ceil(), 1));
            range.high = range.high.map(|it| whole(it, it.at.floor(), -1));
        }
        range
    }

    pub(super) fn is_empty(self) -> bool {
        let (Some(low), Some(high)) = (self.low, self.high) else {
            return false;
        };
        match low.at.compare(high.at) {
            Ordering::Less => false,
            Ordering::Equal => low.excluded || high.excluded,
            Ordering::Greater => true,
        }
    }

    fn excludes_low(self, bound: Exact) -> bool {
        self.low
            .is_some_and(|it| it.excluded && it.is(bound, Ordering::Equal))
    }

    fn excludes_high(self, bound: Exact) -> bool {
        self.high
            .is_some_and(|it| it.excluded && it.is(bound, Ordering::Equal))
    }

    fn raise(&mut self, end: Bound) {
        self.low = Some(match self.low {
            Some(low) if end.is(low.at, Ordering::Less) => low,
            Some(low) if end.is(low.at, Ordering::Equal) => Bound {
                excluded: low.excluded || end.excluded,
                ..low
            },
            _ => end,
        });
    }

    fn lower(&mut self, end: Bound) {
        self.high = Some(match self.high {
            Some(high) if end.is(high.at, Ordering::Greater) => high,
            Some(high) if end.is(high.at, Ordering::Equal) => Bound {
                excluded: high.excluded || end.excluded,
                ..high
            },
            _ => end,
        });
    }
}

/// Moves an end of a range to the nearest whole number inside it.
fn whole(end: Bound, nearest: Exact, next: i128) -> Bound {
    match nearest {
        Exact::Whole(_) if end.excluded && end.is(nearest, Ordering::Equal) => Bound {
            at: nearest.step(next),
            excluded: false,
        },
        Exact::Whole(_) => Bound {
            at: nearest,
            excluded: false,
        },
        Exact::Float(_) => end,
    }
}

fn is_multiple(case: &Case<'_>, of: Exact) -> bool {
    let is_multiple_of = |given: Exact| match (given, of) {
        (Exact::Whole(given), Exact::Whole(of)) => of != 0 && given % of == 0,
        _ => given.compare(of) == Ordering::Equal,
    };
    let whole = !case.types.meets(TypeSet::FRACTION);
    let each = case
        .facts
        .iter()
        .filter_map(|it| Exact::from_value(it.get("multipleOf")?));
    whole && is_multiple_of(Exact::Whole(1)) || each.into_iter().any(is_multiple_of)
}
