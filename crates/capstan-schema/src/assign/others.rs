//! Collects what is known of the properties of an object.

use std::rc::Rc;

use serde_json::Value;

use super::case::{Case, Fact, KnownSchema, Origin};
use super::checker::Checker;
use crate::accept::{Truth, accepts, evaluates_itself};
use crate::evaluated::{evaluates, evaluates_others};
use crate::named_properties::NamedProperties;
use crate::names::Names;
use crate::pattern;

/// What is known of properties that are not known by name.
#[derive(Debug)]
pub(super) struct UnnamedProperties<'a> {
    /// The pattern that their names match; `None` for names that match no pattern.
    pub(super) pattern: Option<&'a str>,
    pub(super) givens: Vec<KnownSchema<'a>>,
}

impl<'a> Checker<'a> {
    /// Returns the schemas that a property matches if it exists; `None` if it cannot exist.
    pub(super) fn property(&self, case: &Case<'a>, name: &str) -> Option<Vec<KnownSchema<'a>>> {
        if let Some(origin) = &case.origin
            && self.budget.spend(origin.nodes().len() / 8)
            && !origin.keeps(name)
        {
            return None;
        }
        let mut givens = Vec::new();
        for fact in &case.facts {
            if !self.budget.spend(1) {
                break;
            }
            self.add_property(fact, name, &mut givens)?;
        }
        let nothing = |it: &KnownSchema<'a>| it.schema.node == &Value::Bool(false);
        (!givens.iter().any(nothing)).then_some(givens)
    }

    /// Returns the names of all properties that are known by name, each once.
    pub(super) fn names(&self, case: &Case<'a>) -> Vec<&'a str> {
        let mut names = Names::default();
        self.add_names(case, &mut names);
        names.into_vec()
    }

    pub(super) fn add_names(&self, case: &Case<'a>, names: &mut Names<'a>) {
        let mut add = |name: &'a str| {
            if self.budget.spend(1) {
                names.add(name);
            }
        };
        for fact in &case.facts {
            let own = fact.get("properties").and_then(Value::as_object);
            own.into_iter().flatten().for_each(|(name, _)| add(name));
            // Properties that its subschemas evaluate are not among the others of this keyword.
            if fact.get("unevaluatedProperties").is_some() {
                NamedProperties::from_schemas([fact.given.schema])
                    .names()
                    .for_each(&mut add);
            }
        }
        if let Some(origin) = &case.origin {
            origin.names().for_each(&mut add);
        }
    }

    /// Returns all kinds of properties that are not known by name; empty if there can be none.
    pub(super) fn others(&self, case: &Case<'a>) -> Vec<UnnamedProperties<'a>> {
        if case.origin.as_ref().is_some_and(|it| !it.keeps_others()) {
            return Vec::new();
        }
        let mut all = vec![self.others_like(case, None)];
        for fact in &case.facts {
            let patterns = fact.get("patternProperties").and_then(Value::as_object);
            for (pattern, schema) in patterns.into_iter().flatten() {
                let mut others = self.others_like(case, Some(pattern));
                others.givens.push(fact.given.child(schema));
                all.push(others);
            }
        }
        let nothing = |it: &KnownSchema<'a>| it.schema.node == &Value::Bool(false);
        all.retain(|others| !others.givens.iter().any(nothing));
        all
    }

    pub(super) fn of_property(&self, case: &Case<'a>, name: &str) -> Origin<'a> {
        let origin = self.origin(case)?;
        Some(Rc::new(origin.of_property(name)))
    }

    pub(super) fn of_other(&self, case: &Case<'a>) -> Origin<'a> {
        let origin = self.origin(case)?;
        Some(Rc::new(origin.of_other()))
    }

    pub(super) fn of_element(&self, case: &Case<'a>, index: usize) -> Origin<'a> {
        let origin = self.origin(case)?;
        Some(Rc::new(origin.of_element(index)))
    }

    /// Returns what the value was projected onto, and spends the work for examining all of it. If the budget
    /// is exceeded, every later check fails, so the result does not matter.
    fn origin<'b>(&self, case: &'b Case<'a>) -> Option<&'b NamedProperties<'a>> {
        let origin = case.origin.as_deref()?;
        self.budget.spend(2 * origin.nodes().len());
        Some(origin)
    }

    fn add_property(
        &self,
        fact: &Fact<'a>,
        name: &str,
        givens: &mut Vec<KnownSchema<'a>>,
    ) -> Option<()> {
        let own = fact.get("properties").and_then(|it| it.get(name));
        givens.extend(own.map(|it| fact.given.child(it)));
        if let Some(Value::Object(patterns)) = fact.get("patternProperties") {
            for (pattern, schema) in patterns {
                if pattern::matches(pattern, name, self.budget) == Some(true) {
                    givens.push(fact.given.child(schema));
                }
            }
        }
        if let Some(others) = fact.child("additionalProperties")
            && evaluates_itself(fact.keywords, name, self.budget) == Truth::No
        {
            givens.push(others);
        }
        if let Some(others) = fact.child("unevaluatedProperties")
            && evaluates(fact.given.schema, name, self.budget) == Truth::No
        {
            givens.push(others);
        }
        if let Some(names) = fact.child("propertyNames") {
            let name = Value::String(name.to_owned());
            if accepts(&name, names.schema, self.budget) == Truth::No {
                return None;
            }
        }
        Some(())
    }

    fn others_like(&self, case: &Case<'a>, pattern: Option<&'a str>) -> UnnamedProperties<'a> {
        let mut givens = Vec::new();
        for fact in &case.facts {
            let patterns = fact.get("patternProperties").and_then(Value::as_object);
            let has_patterns = patterns.is_some_and(|it| !it.is_empty());
            if pattern.is_none() || !has_patterns {
                givens.extend(fact.child("additionalProperties"));
            }
            if let Some(others) = fact.child("unevaluatedProperties")
                && evaluates_others(fact.given.schema, self.budget) == Truth::No
            {
                givens.push(others);
            }
        }
        UnnamedProperties { pattern, givens }
    }
}
