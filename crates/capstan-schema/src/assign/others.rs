//! What is known about the properties of an object.

use std::rc::Rc;

use serde_json::Value;

use super::case::{Case, Fact, Given, Origin};
use super::checker::Checker;
use crate::accept::{Truth, accepts, own_covers};
use crate::covers::{covers, covers_others};
use crate::names::Names;
use crate::naming::Naming;
use crate::pattern;

/// What is known about properties that are not known by name.
#[derive(Debug)]
pub(super) struct Others<'a> {
    /// Those whose names match this; nothing for those that match no pattern.
    pub(super) pattern: Option<&'a str>,
    pub(super) givens: Vec<Given<'a>>,
}

impl<'a> Checker<'a> {
    /// What is known about a property if it is there; nothing if it is not.
    pub(super) fn property(&self, case: &Case<'a>, name: &str) -> Option<Vec<Given<'a>>> {
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
        let nothing = |it: &Given<'a>| it.schema.node == &Value::Bool(false);
        (!givens.iter().any(nothing)).then_some(givens)
    }

    /// The names of all properties that are known by name, each once.
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
            // What it looks at elsewhere is not among the others of this keyword.
            if fact.get("unevaluatedProperties").is_some() {
                Naming::of([fact.given.schema]).names().for_each(&mut add);
            }
        }
        if let Some(origin) = &case.origin {
            origin.names().for_each(&mut add);
        }
    }

    /// All kinds of properties that are not known by name; none if there can be no such properties.
    pub(super) fn others(&self, case: &Case<'a>) -> Vec<Others<'a>> {
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
        let nothing = |it: &Given<'a>| it.schema.node == &Value::Bool(false);
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

    /// What reduced the value, to be looked through as a whole. When that costs too much everything
    /// after it is a no, so that it does not matter what it is.
    fn origin<'b>(&self, case: &'b Case<'a>) -> Option<&'b Naming<'a>> {
        let origin = case.origin.as_deref()?;
        self.budget.spend(2 * origin.nodes().len());
        Some(origin)
    }

    fn add_property(&self, fact: &Fact<'a>, name: &str, givens: &mut Vec<Given<'a>>) -> Option<()> {
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
            && own_covers(fact.keywords, name, self.budget) == Truth::No
        {
            givens.push(others);
        }
        if let Some(others) = fact.child("unevaluatedProperties")
            && covers(fact.given.schema, name, self.budget) == Truth::No
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

    fn others_like(&self, case: &Case<'a>, pattern: Option<&'a str>) -> Others<'a> {
        let mut givens = Vec::new();
        for fact in &case.facts {
            let patterns = fact.get("patternProperties").and_then(Value::as_object);
            let has_patterns = patterns.is_some_and(|it| !it.is_empty());
            if pattern.is_none() || !has_patterns {
                givens.extend(fact.child("additionalProperties"));
            }
            if let Some(others) = fact.child("unevaluatedProperties")
                && covers_others(fact.given.schema, self.budget) == Truth::No
            {
                givens.push(others);
            }
        }
        Others { pattern, givens }
    }
}
