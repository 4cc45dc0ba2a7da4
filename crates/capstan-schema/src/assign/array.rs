//! Checks the array keywords against what is known of elements.

use serde_json::{Map, Value};

use super::case::{Case, KnownSchema};
use super::checker::{Checker, Verdict};
use super::scalar::{at_least, at_most};
use crate::lookup::list;
use crate::mismatch::PathSegment;
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
            // It is not known here which elements other keywords evaluate, so assume none.
            ("unevaluatedItems", items) => {
                if keywords.contains_key("items") {
                    Ok(())
                } else {
                    self.elements_flow(case, first, to.child(items))
                }
            }
            ("prefixItems", Value::Array(parts)) => {
                let longest = longest(case).unwrap_or(u64::MAX);
                let parts = parts.iter().enumerate();
                let mut parts = parts.take_while(|(index, _)| (*index as u64) < longest);
                parts.try_for_each(|(index, part)| self.element_flows(case, index, to.child(part)))
            }
            ("minItems", bound) => match count(bound) {
                Some(bound) if shortest(case) >= bound => Ok(()),
                Some(1) => self.refuse(|| "may be empty".to_owned()),
                Some(bound) => self.refuse(|| format!("may have fewer than {bound} elements")),
                None => self.malformed(keyword),
            },
            ("maxItems", bound) => match (count(bound), longest(case)) {
                (Some(bound), Some(longest)) if longest <= bound => Ok(()),
                (Some(bound), _) => self.refuse(|| format!("may have more than {bound} elements")),
                (None, _) => self.malformed(keyword),
            },
            ("uniqueItems", Value::Bool(false)) => Ok(()),
            ("uniqueItems", Value::Bool(true)) => {
                if self.is_unique(case) {
                    return Ok(());
                }
                self.refuse(|| "may have an element twice".to_owned())
            }
            ("contains", wanted) => self.contains_flows(case, to, keywords, wanted),
            _ => self.malformed(keyword),
        }
    }

    /// Returns the schemas that an element at this index matches, if it exists.
    pub(super) fn element(&self, case: &Case<'a>, index: usize) -> Vec<KnownSchema<'a>> {
        let facts = case.facts.iter();
        let each = facts.filter_map(|fact| {
            let first = list(fact.keywords, "prefixItems").and_then(|it| it.get(index));
            let node = first.or_else(|| fact.get("items"))?;
            Some(fact.given.child(node))
        });
        each.collect()
    }

    /// Returns the number of first elements that must be checked one by one. All later elements are alike.
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
            let flows = || {
                self.part_flows(
                    PathSegment::Element,
                    &givens,
                    || self.of_element(case, alike),
                    to,
                )
            };
            return if self.holds_without_reason(flows) {
                Ok(())
            } else {
                self.refuse(|| format!("may have more than {from} elements"))
            };
        }
        self.part_flows(
            PathSegment::Element,
            &givens,
            || self.of_element(case, alike),
            to,
        )
    }

    fn element_flows(&self, case: &Case<'a>, index: usize, to: Schema<'a>) -> Verdict {
        let givens = self.element(case, index);
        self.part_flows(
            PathSegment::At(index),
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
        // Distinct elements may become equal by projection, unless they are scalars.
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
            return self.refuse(|| "may not contain what is needed".to_owned());
        }
        let few_enough = most == u64::MAX
            || longest(case).is_some_and(|longest| longest <= most)
            || case.facts.iter().any(|fact| {
                let known = fact.get("maxContains").and_then(count);
                let same = || self.holds_literally_in(case, fact, "contains", wanted);
                known.is_some_and(|known| known <= most) && same()
            });
        if few_enough {
            Ok(())
        } else {
            self.refuse(|| format!("may contain more than {most} of what is needed"))
        }
    }

    fn contains_enough(&self, case: &Case<'a>, wanted: Schema<'a>, least: u64) -> bool {
        // Elements that certainly exist and certainly match.
        let certain = shortest(case);
        let passes =
            |index: usize| self.holds_without_reason(|| self.element_flows(case, index, wanted));
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
            // It is not known which element it is, and so not how it was projected.
            let reduced = |case: &Case<'a>| !case.types.is_subset(TypeSet::SCALAR);
            let exact = known.exact || !self.cases(&[known], None).iter().any(reduced);
            let known = KnownSchema {
                exact: true,
                ..known
            };
            let flows = || self.part_flows(PathSegment::Element, &[known], || None, wanted);
            enough && exact && self.holds_without_reason(flows)
        })
    }
}

/// Returns the least number of elements.
pub(super) fn shortest(case: &Case<'_>) -> u64 {
    let contains = |fact: &super::case::Fact<'_>| {
        fact.get("contains")?;
        fact.get("minContains").map_or(Some(1), count)
    };
    let contained = case.facts.iter().filter_map(contains).max();
    at_least(case, "minItems").max(contained.unwrap_or(0))
}

/// Returns the largest number of elements, if known.
pub(super) fn longest(case: &Case<'_>) -> Option<u64> {
    let closed = case.facts.iter().filter_map(|fact| {
        let closed = fact.get("items") == Some(&Value::Bool(false));
        let first = list(fact.keywords, "prefixItems").map_or(0, <[_]>::len);
        closed.then_some(first as u64)
    });
    at_most(case, "maxItems").into_iter().chain(closed).min()
}
