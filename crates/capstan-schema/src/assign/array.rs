//! Arrays: each keyword for them, from what is known about elements.

use serde_json::{Map, Value};

use super::case::{Case, Given};
use super::checker::{Checker, Verdict};
use super::scalar::{at_least, at_most};
use crate::lookup::list;
use crate::mismatch::Step;
use crate::number::count;
use crate::schema::Schema;
use crate::types::TypeSet;

impl<'a> Checker<'a> {
    pub(super) fn array_flows(
        &self,
        case: &Case<'a>,
        to: Schema<'a>,
        keywords: &'a Map<String, Value>,
        keyword: &str,
        needed: &'a Value,
    ) -> Verdict {
        if !case.types.meets(TypeSet::ARRAY) {
            return Ok(());
        }
        let first = list(keywords, "prefixItems").map_or(0, <[_]>::len);
        match (keyword, needed) {
            ("items", items @ (Value::Object(_) | Value::Bool(_))) => {
                self.elements_flow(case, first, to.child(items))
            }
            // What others look at is not known here: as if nobody did.
            ("unevaluatedItems", items) => match keywords.contains_key("items") {
                true => Ok(()),
                false => self.elements_flow(case, first, to.child(items)),
            },
            ("prefixItems", Value::Array(parts)) => {
                let longest = longest(case).unwrap_or(u64::MAX);
                let parts = parts.iter().enumerate();
                let mut parts = parts.take_while(|(index, _)| (*index as u64) < longest);
                parts.try_for_each(|(index, part)| self.element_flows(case, index, to.child(part)))
            }
            ("minItems", bound) => match count(bound) {
                Some(bound) if shortest(case) >= bound => Ok(()),
                Some(1) => self.no(|| "may be empty".to_owned()),
                Some(bound) => self.no(|| format!("may have fewer than {bound} elements")),
                None => self.malformed(keyword),
            },
            ("maxItems", bound) => match (count(bound), longest(case)) {
                (Some(bound), Some(longest)) if longest <= bound => Ok(()),
                (Some(bound), _) => self.no(|| format!("may have more than {bound} elements")),
                (None, _) => self.malformed(keyword),
            },
            ("uniqueItems", Value::Bool(false)) => Ok(()),
            ("uniqueItems", Value::Bool(true)) => {
                if self.is_unique(case) {
                    return Ok(());
                }
                self.no(|| "may have an element twice".to_owned())
            }
            ("contains", wanted) => self.contains_flows(case, to, keywords, wanted),
            _ => self.malformed(keyword),
        }
    }

    /// What is known about an element if it is there.
    pub(super) fn element(&self, case: &Case<'a>, index: usize) -> Vec<Given<'a>> {
        let facts = case.facts.iter();
        let each = facts.filter_map(|fact| {
            let first = list(fact.keywords, "prefixItems").and_then(|it| it.get(index));
            let node = first.or_else(|| fact.get("items"))?;
            Some(fact.given.child(node))
        });
        each.collect()
    }

    /// How many first elements are to be looked at one by one; those after them are all alike.
    pub(super) fn first_elements(&self, case: &Case<'a>) -> usize {
        let facts = case.facts.iter();
        let lists = facts.filter_map(|it| list(it.keywords, "prefixItems"));
        let first = lists.map(<[_]>::len).max().unwrap_or(0);
        let origin = case.origin.as_ref().map_or(0, |it| it.first_elements());
        first.max(origin)
    }

    fn elements_flow(&self, case: &Case<'a>, from: usize, to: Schema<'a>) -> Verdict {
        if to.is_anything() {
            return Ok(());
        }
        let alike = self.first_elements(case).max(from);
        let longest = longest(case).unwrap_or(u64::MAX);
        for index in from..alike {
            if index as u64 >= longest {
                return Ok(());
            }
            self.element_flows(case, index, to)?;
        }
        if alike as u64 >= longest {
            return Ok(());
        }
        let givens = self.element(case, alike);
        if to.node == &Value::Bool(false) {
            let flows =
                || self.part_flows(Step::Element, &givens, || self.of_element(case, alike), to);
            return match self.quietly(flows) {
                true => Ok(()),
                false => self.no(|| format!("may have more than {from} elements")),
            };
        }
        self.part_flows(Step::Element, &givens, || self.of_element(case, alike), to)
    }

    fn element_flows(&self, case: &Case<'a>, index: usize, to: Schema<'a>) -> Verdict {
        let givens = self.element(case, index);
        self.part_flows(
            Step::At(index),
            &givens,
            || self.of_element(case, index),
            to,
        )
    }

    fn is_unique(&self, case: &Case<'a>) -> bool {
        if longest(case).is_some_and(|longest| longest <= 1) {
            return true;
        }
        let unique = |exact: bool| {
            let mut facts = case.facts.iter().filter(|it| it.given.exact || !exact);
            facts.any(|it| it.get("uniqueItems") == Some(&Value::Bool(true)))
        };
        // What differed may be the same after it was reduced, unless it has no parts.
        let has_parts = || {
            (0..=self.first_elements(case)).any(|index| {
                let cases = self.cases(&self.element(case, index), None);
                cases.iter().any(|it| !it.types.is_subset(TypeSet::SCALAR))
            })
        };
        unique(true) || unique(false) && (case.origin.is_none() || !has_parts())
    }

    fn contains_flows(
        &self,
        case: &Case<'a>,
        to: Schema<'a>,
        keywords: &'a Map<String, Value>,
        wanted: &'a Value,
    ) -> Verdict {
        let bound = |keyword, otherwise| match keywords.get(keyword) {
            Some(bound) => count(bound),
            None => Some(otherwise),
        };
        let (Some(least), Some(most)) = (bound("minContains", 1), bound("maxContains", u64::MAX))
        else {
            return self.malformed("contains");
        };
        let wanted = to.child(wanted);
        if least > 0 && !self.contains_enough(case, wanted, least) {
            return self.no(|| "may not contain what is needed".to_owned());
        }
        let few_enough = most == u64::MAX
            || longest(case).is_some_and(|longest| longest <= most)
            || case.facts.iter().any(|fact| {
                let known = fact.get("maxContains").and_then(count);
                let same = || self.holds_literally_in(case, fact, "contains", wanted);
                known.is_some_and(|known| known <= most) && same()
            });
        match few_enough {
            true => Ok(()),
            false => self.no(|| format!("may contain more than {most} of what is needed")),
        }
    }

    fn contains_enough(&self, case: &Case<'a>, wanted: Schema<'a>, least: u64) -> bool {
        // Elements that are certainly there and certainly pass.
        let certain = shortest(case);
        let passes = |index: usize| self.quietly(|| self.element_flows(case, index, wanted));
        let alike = self.first_elements(case);
        let mut found = 0;
        for index in 0..alike {
            if (index as u64) < certain && passes(index) {
                found += 1;
            }
        }
        if found < least && certain > alike as u64 && passes(alike) {
            found += certain - alike as u64;
        }
        if found >= least {
            return true;
        }
        case.facts.iter().any(|fact| {
            let Some(known) = fact.child("contains") else {
                return false;
            };
            let enough = fact.get("minContains").map_or(Some(1), count) >= Some(least);
            // Which element it is, and so how it was reduced, is not known.
            let reduced = |case: &Case<'a>| !case.types.is_subset(TypeSet::SCALAR);
            let exact = known.exact || !self.cases(&[known], None).iter().any(reduced);
            let known = Given {
                exact: true,
                ..known
            };
            let flows = || self.part_flows(Step::Element, &[known], || None, wanted);
            enough && exact && self.quietly(flows)
        })
    }
}

/// How many elements there are at least.
pub(super) fn shortest(case: &Case<'_>) -> u64 {
    let contains = |fact: &super::case::Fact<'_>| {
        fact.get("contains")?;
        fact.get("minContains").map_or(Some(1), count)
    };
    let contained = case.facts.iter().filter_map(contains).max();
    at_least(case, "minItems").max(contained.unwrap_or(0))
}

/// How many elements there are at most, if that is known.
pub(super) fn longest(case: &Case<'_>) -> Option<u64> {
    let closed = case.facts.iter().filter_map(|fact| {
        let closed = fact.get("items") == Some(&Value::Bool(false));
        let first = list(fact.keywords, "prefixItems").map_or(0, <[_]>::len);
        closed.then_some(first as u64)
    });
    at_most(case, "maxItems").into_iter().chain(closed).min()
}
