//! Checks the object keywords against what is known of properties.

use serde_json::{Map, Value};

use super::case::{Case, KnownSchema};
use super::checker::{Checker, Verdict};
use super::scalar::{at_least, at_most};
use crate::accept::{Truth, accepts, evaluates_itself};
use crate::describe::describe;
use crate::evaluated::evaluates;
use crate::mismatch::PathSegment;
use crate::names::Names;
use crate::number::count;
use crate::pattern;
use crate::schema::Schema;
use crate::types::TypeSet;

impl<'a> Checker<'a> {
    pub(super) fn object_flows(
        &self,
        case: &Case<'a>,
        to: Schema<'a>,
        keywords: &'a Map<String, Value>,
        keyword: &str,
        needed: &'a Value,
    ) -> Verdict {
        if !case.types.meets(TypeSet::OBJECT) {
            return Ok(());
        }
        match (keyword, needed) {
            ("required", Value::Array(names)) => names.iter().try_for_each(|name| {
                let name = name.as_str();
                name.map_or_else(
                    || self.malformed(keyword),
                    |it| self.required_flows(case, it),
                )
            }),
            ("properties", Value::Object(parts)) => parts
                .iter()
                .try_for_each(|(name, part)| self.property_flows(case, name, to.child(part))),
            ("patternProperties", Value::Object(patterns)) => patterns
                .iter()
                .try_for_each(|(pattern, part)| self.pattern_flows(case, pattern, to.child(part))),
            ("additionalProperties", others) => {
                let covered = |name: &str| evaluates_itself(keywords, name, self.budget);
                self.rest_flows(case, Some(keywords), &covered, to.child(others))
            }
            ("unevaluatedProperties", others) => {
                let covered = |name: &str| evaluates(to, name, self.budget);
                let own = keywords
                    .get("additionalProperties")
                    .is_none()
                    .then_some(keywords);
                match own {
                    Some(own) => self.rest_flows(case, Some(own), &covered, to.child(others)),
                    None => Ok(()),
                }
            }
            ("propertyNames", names) => self.names_flow(case, to.child(names)),
            ("minProperties" | "maxProperties", bound) => match count(bound) {
                Some(bound) => self.size_flows(case, keyword, bound),
                None => self.malformed(keyword),
            },
            ("dependentRequired", Value::Object(each)) => {
                each.iter().try_for_each(|(name, names)| match names {
                    Value::Array(names) => self.dependents_flow(case, name, names),
                    _ => self.malformed(keyword),
                })
            }
            ("dependentSchemas", Value::Object(each)) => {
                each.iter().try_for_each(|(name, part)| {
                    if self.property(case, name).is_none() {
                        return Ok(());
                    }
                    let mut case = self.narrowed(case, TypeSet::OBJECT);
                    case.present.push(name);
                    self.case_flows(&case, to.child(part))
                })
            }
            _ => self.malformed(keyword),
        }
    }

    /// Returns the least number of properties.
    pub(super) fn fewest(&self, case: &Case<'a>) -> u64 {
        let mut names = Names::default();
        self.add_names(case, &mut names);
        for fact in &case.facts {
            let required = crate::lookup::list(fact.keywords, "required").unwrap_or(&[]);
            for name in required.iter().filter_map(Value::as_str) {
                if self.budget.spend(1) {
                    names.add(name);
                }
            }
        }
        let names = names.into_vec();
        let certain = names.iter().filter(|name| case.has(name)).count() as u64;
        // Projection may remove properties.
        let reduces = case.origin.as_ref().is_some_and(|it| !it.keeps_others());
        if reduces {
            certain
        } else {
            certain.max(at_least(case, "minProperties"))
        }
    }

    /// Returns the largest number of properties, if known.
    pub(super) fn most(&self, case: &Case<'a>) -> Option<u64> {
        let said = at_most(case, "maxProperties");
        if !self.others(case).is_empty() {
            return said;
        }
        let names = self.names(case);
        let possible = names
            .iter()
            .filter(|name| self.property(case, name).is_some());
        let possible = possible.count() as u64;
        Some(said.map_or(possible, |said| said.min(possible)))
    }

    fn required_flows(&self, case: &Case<'a>, name: &str) -> Verdict {
        if case.has(name) {
            return Ok(());
        }
        let reason = match self.property(case, name) {
            Some(_) => "may be missing, but is required",
            None => "is not given, but is required",
        };
        self.refuse_at(PathSegment::Property(name), || reason.to_owned())
    }

    fn property_flows(&self, case: &Case<'a>, name: &str, to: Schema<'a>) -> Verdict {
        if to.is_anything() {
            return Ok(());
        }
        let Some(givens) = self.property(case, name) else {
            return Ok(());
        };
        let step = PathSegment::Property(name);
        if givens.is_empty() && !self.is_true(to) {
            return self.refuse_at(step, || match to.node {
                Value::Bool(false) => "may be given, but is not allowed".to_owned(),
                _ => format!("is not described where {} is needed", describe(to)),
            });
        }
        self.part_flows(step, &givens, || self.of_property(case, name), to)
    }

    fn pattern_flows(&self, case: &Case<'a>, needed: &str, to: Schema<'a>) -> Verdict {
        for name in self.names(case) {
            if pattern::matches(needed, name, self.budget) != Some(false) {
                self.property_flows(case, name, to)?;
            }
        }
        let others = self.others(case);
        let known = others.iter().any(|it| it.pattern == Some(needed));
        for others in others {
            // Properties that match no known pattern do not match this one, if it is among the known
            // patterns.
            if others.pattern.is_none() && known {
                continue;
            }
            self.others_flow(case, &others.givens, to)?;
        }
        Ok(())
    }

    /// Checks the properties that are not `covered`, as `additionalProperties` does.
    fn rest_flows(
        &self,
        case: &Case<'a>,
        own: Option<&'a Map<String, Value>>,
        covered: &dyn Fn(&str) -> Truth,
        to: Schema<'a>,
    ) -> Verdict {
        if to.is_anything() {
            return Ok(());
        }
        for name in self.names(case) {
            if covered(name) == Truth::Yes {
                continue;
            }
            if to.node == &Value::Bool(false) && self.property(case, name).is_some() {
                let givens = self.property(case, name).unwrap_or_default();
                let cases = self.cases(&givens, self.of_property(case, name));
                if !cases.iter().all(|case| self.is_empty(case)) {
                    return self.refuse_at(PathSegment::Property(name), || {
                        "may be given, but is not allowed".to_owned()
                    });
                }
            }
            self.property_flows(case, name, to)?;
        }
        let patterns = own.and_then(|it| it.get("patternProperties")?.as_object());
        for others in self.others(case) {
            let covered = others.pattern.is_some_and(|pattern| {
                patterns.is_some_and(|patterns| patterns.contains_key(pattern))
            });
            if !covered {
                self.others_flow(case, &others.givens, to)?;
            }
        }
        Ok(())
    }

    fn others_flow(&self, case: &Case<'a>, givens: &[KnownSchema<'a>], to: Schema<'a>) -> Verdict {
        if self.is_true(to) {
            return Ok(());
        }
        let flows = || {
            let step = PathSegment::Property("*");
            self.part_flows(step, givens, || self.of_other(case), to)
        };
        if !givens.is_empty() && to.node != &Value::Bool(false) {
            return flows();
        }
        if self.holds_without_reason(flows) {
            return Ok(());
        }
        self.refuse(|| match to.node {
            Value::Bool(false) => "may have other properties, which are not allowed".to_owned(),
            _ => {
                let needed = describe(to);
                format!(
                    "may have other properties, which are not described where {needed} is needed"
                )
            }
        })
    }

    fn names_flow(&self, case: &Case<'a>, to: Schema<'a>) -> Verdict {
        if to.is_anything() {
            return Ok(());
        }
        for name in self.names(case) {
            if self.property(case, name).is_none() {
                continue;
            }
            let text = Value::String(name.to_owned());
            if accepts(&text, to, self.budget) != Truth::Yes && !self.names_follow(case, to) {
                return self.refuse_at(PathSegment::Property(name), || {
                    "has a name that may not be allowed".to_owned()
                });
            }
        }
        if self.others(case).is_empty() || self.names_follow(case, to) {
            return Ok(());
        }
        self.refuse(|| "may have other properties, whose names may not be allowed".to_owned())
    }

    /// Whether all names match because of what is known of names.
    fn names_follow(&self, case: &Case<'a>, to: Schema<'a>) -> bool {
        let facts = case.facts.iter();
        let mut givens: Vec<_> = facts.filter_map(|it| it.child("propertyNames")).collect();
        // Names are never projected.
        givens.iter_mut().for_each(|it| it.exact = true);
        givens.push(KnownSchema {
            schema: Schema::new(self.text),
            exact: true,
        });
        self.holds_without_reason(|| self.part_flows(PathSegment::Element, &givens, || None, to))
    }

    fn size_flows(&self, case: &Case<'a>, keyword: &str, bound: u64) -> Verdict {
        if keyword == "minProperties" {
            return match bound {
                0 => Ok(()),
                _ if self.fewest(case) >= bound => Ok(()),
                1 => self.refuse(|| "may be empty".to_owned()),
                _ => self.refuse(|| format!("may have fewer than {bound} properties")),
            };
        }
        match self.most(case) {
            Some(most) if most <= bound => Ok(()),
            _ => self.refuse(|| format!("may have more than {bound} properties")),
        }
    }

    fn dependents_flow(&self, case: &Case<'a>, name: &'a str, names: &'a [Value]) -> Verdict {
        if self.property(case, name).is_none() {
            return Ok(());
        }
        let mut with = self.narrowed(case, TypeSet::OBJECT);
        with.present.push(name);
        for needed in names {
            let Some(needed) = needed.as_str() else {
                return self.malformed("dependentRequired");
            };
            if !with.has(needed) {
                return self.refuse_at(PathSegment::Property(needed), || {
                    format!("may be missing, but is required with `{name}`")
                });
            }
        }
        Ok(())
    }

    /// Whether a schema accepts everything, even if that is not obvious.
    fn is_true(&self, to: Schema<'a>) -> bool {
        to.is_anything() || self.holds_without_reason(|| self.flows(&[], None, to))
    }
}
