//! Splits the schemas that a value matches into cases.

use serde_json::{Map, Value};

use super::case::{Case, Fact, KnownSchema, Origin};
use super::checker::Checker;
use crate::lookup::{list, own_types};
use crate::number::Exact;
use crate::types::TypeSet;

/// The largest number of cases. Beyond it less is known, but everything known still holds.
const MOST_CASES: usize = 512;

/// The largest number of facts. Beyond it less is known, but everything known still holds.
const MOST_FACTS: usize = 256;

/// The largest number of alternatives that exclude each other; more would mean too many pairs.
const MOST_EXCLUDED: usize = 24;

/// The number of keywords that split a case, in the order in which they are examined.
const STAGES: usize = 4;

impl<'a> Checker<'a> {
    /// Returns the cases of a value that matches all these schemas.
    pub(super) fn cases(&self, givens: &[KnownSchema<'a>], origin: Origin<'a>) -> Vec<Case<'a>> {
        let mut case = Case::new(origin);
        for given in givens {
            self.add(&mut case, *given);
        }
        self.split(case, 0)
    }

    /// Returns the cases of a case with one more known schema.
    pub(super) fn cases_with(&self, case: &Case<'a>, given: KnownSchema<'a>) -> Vec<Case<'a>> {
        let mut more = self.copy(case);
        self.add(&mut more, given);
        self.split(more, case.facts.len())
    }

    /// Returns the case of a value that also has one of these types.
    pub(super) fn narrowed(&self, case: &Case<'a>, types: TypeSet) -> Case<'a> {
        let mut narrowed = self.copy(case);
        narrowed.types = narrowed.types.intersection(types);
        narrowed
    }

    /// Copies a case. Cases can be large, so copying spends work too.
    pub(super) fn copy(&self, case: &Case<'a>) -> Case<'a> {
        self.budget
            .spend(1 + (case.facts.len() + case.nots.len()) / 4);
        case.clone()
    }

    /// Adds a schema that the value matches, with its subschemas.
    fn add(&self, case: &mut Case<'a>, given: KnownSchema<'a>) {
        let keywords = match given.schema.node {
            Value::Bool(false) => {
                case.types = TypeSet::NONE;
                return;
            }
            Value::Object(keywords) if !keywords.is_empty() => keywords,
            _ => return,
        };
        let known =
            |it: &Fact<'_>| it.given.exact == given.exact && it.given.schema.is_same(given.schema);
        let few = case.facts.len() < MOST_FACTS && case.nots.len() < MOST_FACTS;
        if !few || case.facts.iter().any(known) || !self.budget.spend(1 + case.facts.len() / 8) {
            return;
        }
        case.types = case.types.intersection(types(keywords));
        case.facts.push(Fact { given, keywords });
        case.nots
            .extend(keywords.get("not").map(|it| given.child(it)));
        self.budget.deeper(|| {
            if let Some(Value::String(reference)) = keywords.get("$ref")
                && let Some(schema) = given.schema.resolve(reference, self.budget)
            {
                self.add(case, KnownSchema { schema, ..given });
            }
            for part in list(keywords, "allOf").unwrap_or(&[]) {
                self.add(case, given.child(part));
            }
        });
    }

    fn split(&self, case: Case<'a>, first: usize) -> Vec<Case<'a>> {
        let mut waiting = vec![(case, first * STAGES)];
        let mut done = Vec::new();
        while let Some((mut case, mut at)) = waiting.pop() {
            let alternatives = loop {
                let Some(fact) = case.facts.get(at / STAGES).copied() else {
                    break None;
                };
                let stage = at % STAGES;
                at += 1;
                match stage {
                    0 | 1 if done.len() + waiting.len() < MOST_CASES => {
                        let keyword = ["anyOf", "oneOf"][stage];
                        if let Some(branches) = list(fact.keywords, keyword) {
                            break Some(self.branches(&case, fact, branches, stage == 1));
                        }
                    }
                    2 if done.len() + waiting.len() < MOST_CASES && !self.budget.is_spent() => {
                        if let Some(condition) = fact.child("if") {
                            break Some(self.conditional(&case, fact, condition));
                        }
                    }
                    3 => self.add_dependents(&mut case, fact),
                    _ => {}
                }
            };
            match alternatives {
                _ if case.types.is_empty() => {}
                None => done.push(case),
                Some(cases) => waiting.extend(cases.into_iter().rev().map(|case| (case, at))),
            }
        }
        done
    }

    fn branches(
        &self,
        case: &Case<'a>,
        fact: Fact<'a>,
        branches: &'a [Value],
        only_one: bool,
    ) -> Vec<Case<'a>> {
        let mut cases = Vec::with_capacity(branches.len());
        for (index, branch) in branches.iter().enumerate() {
            if !self.budget.spend(1) {
                // The budget is exceeded, so ignore the alternatives.
                return vec![case.clone()];
            }
            let mut case = self.copy(case);
            self.add(&mut case, fact.given.child(branch));
            if only_one && branches.len() <= MOST_EXCLUDED {
                let others = branches.iter().enumerate();
                let others = others.filter(|(other, _)| *other != index);
                case.nots.extend(others.map(|(_, it)| fact.given.child(it)));
            }
            if !case.types.is_empty() {
                cases.push(case);
            }
        }
        cases
    }

    fn conditional(
        &self,
        case: &Case<'a>,
        fact: Fact<'a>,
        condition: KnownSchema<'a>,
    ) -> Vec<Case<'a>> {
        let mut passes = self.copy(case);
        self.add(&mut passes, condition);
        if let Some(then) = fact.child("then") {
            self.add(&mut passes, then);
        }
        let mut fails = self.copy(case);
        fails.nots.push(condition);
        if let Some(otherwise) = fact.child("else") {
            self.add(&mut fails, otherwise);
        }
        vec![passes, fails]
    }

    fn add_dependents(&self, case: &mut Case<'a>, fact: Fact<'a>) {
        let Some(Value::Object(each)) = fact.get("dependentSchemas") else {
            return;
        };
        for (name, schema) in each {
            if case.types.is_subset(TypeSet::OBJECT) && case.has(name) {
                self.add(case, fact.given.child(schema));
            }
        }
    }
}

/// Returns the types that a schema's own keywords allow.
fn types(keywords: &Map<String, Value>) -> TypeSet {
    let types = own_types(keywords);
    match keywords.get("multipleOf").and_then(Exact::from_value) {
        Some(Exact::Whole(of)) if of != 0 => types.without(TypeSet::FRACTION),
        _ => types,
    }
}
