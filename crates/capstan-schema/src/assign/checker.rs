//! The checker: reduces a question about schemas to cases, and these to keywords.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use serde_json::{Map, Value};

use super::case::{Case, Fact, KnownSchema, Origin};
use crate::budget::Budget;
use crate::mismatch::{Mismatch, PathSegment, prepend_segment};
use crate::named_properties::NamedProperties;
use crate::reference::has_references;
use crate::same::same;
use crate::schema::Schema;

/// Success, or a mismatch with its reason. The reason is `None` if nobody needs it.
pub(super) type Verdict = Result<(), Option<Box<Mismatch>>>;

/// The state of one check. The `flows` methods check that a value, a part of it or a case matches the target
/// schema.
#[derive(Debug)]
pub(super) struct Checker<'a> {
    pub(super) budget: &'a Budget,
    /// Greater than zero while alternatives are tried; reasons are then not worth their cost.
    quiet: Cell<u32>,
    /// The depth of the current part in the value.
    level: Cell<u32>,
    answers: RefCell<Answers>,
    /// The schema of every property name.
    pub(super) text: &'a Value,
}

/// Answers for cases and the references that they must match.
#[derive(Debug, Default)]
struct Answers {
    known: HashMap<Vec<usize>, Answer>,
    /// The keys of positive answers, in the order in which they were found.
    trail: Vec<Vec<usize>>,
}

#[derive(Clone, Copy, Debug)]
enum Answer {
    /// Being checked, for a part at this depth.
    Open(u32),
    /// Holds for parts at this depth or deeper.
    Yes(u32),
    No,
}

impl<'a> Checker<'a> {
    pub(super) fn new(text: &'a Value, budget: &'a Budget) -> Self {
        Self {
            budget,
            quiet: Cell::new(0),
            level: Cell::new(0),
            answers: RefCell::default(),
            text,
        }
    }

    pub(super) fn run(
        &self,
        from: Schema<'a>,
        to: Schema<'a>,
        projected: bool,
    ) -> Result<(), Mismatch> {
        let origin = projected.then(|| Rc::new(NamedProperties::from_schemas([from])));
        let given = KnownSchema {
            schema: from,
            exact: !projected,
        };
        // Check equality first, because equal schemas are often large.
        if self.is_equal(given, to, &Budget::new()) {
            return Ok(());
        }
        self.flows(&[given], origin, to).map_err(|no| {
            let too_large = || Mismatch {
                path: String::new(),
                reason: "is too large to be checked".to_owned(),
            };
            match no {
                Some(mismatch) if !self.budget.is_spent() => *mismatch,
                _ => too_large(),
            }
        })
    }

    /// Checks that a value that matches all known schemas matches the target.
    pub(super) fn flows(
        &self,
        givens: &[KnownSchema<'a>],
        origin: Origin<'a>,
        to: Schema<'a>,
    ) -> Verdict {
        if to.is_anything() || givens.iter().any(|it| it.exact && it.schema.is_same(to)) {
            return Ok(());
        }
        let verdict = self.budget.deeper(|| {
            for case in self.cases(givens, origin) {
                self.case_flows(&case, to)?;
            }
            Ok(())
        });
        match verdict {
            Some(Ok(())) => Ok(()),
            Some(no) if !givens.iter().any(|it| self.is_equal(*it, to, self.budget)) => no,
            Some(_) => Ok(()),
            None => self.refuse(|| "is too large to be checked".to_owned()),
        }
    }

    /// Like [`Checker::flows`], for a part of the value.
    pub(super) fn part_flows(
        &self,
        segment: PathSegment<'_>,
        givens: &[KnownSchema<'a>],
        origin: impl FnOnce() -> Origin<'a>,
        to: Schema<'a>,
    ) -> Verdict {
        if to.is_anything() || givens.iter().any(|it| it.exact && it.schema.is_same(to)) {
            return Ok(());
        }
        self.level.set(self.level.get() + 1);
        let verdict = self.flows(givens, origin(), to);
        self.level.set(self.level.get() - 1);
        verdict.map_err(|no| {
            no.map(|mut mismatch| {
                mismatch.path = prepend_segment(segment, &mismatch.path);
                mismatch
            })
        })
    }

    /// Checks that a value of this case matches the target.
    pub(super) fn case_flows(&self, case: &Case<'a>, to: Schema<'a>) -> Verdict {
        if case.types.is_empty() {
            return Ok(());
        }
        let same = |given: &KnownSchema<'a>| case.applies_to(*given) && given.schema.is_same(to);
        if case.facts.iter().any(|it| same(&it.given)) {
            return Ok(());
        }
        let verdict = self.budget.deeper(|| match to.node {
            Value::Bool(true) => Ok(()),
            Value::Bool(false) => self.refuse(|| "is not allowed".to_owned()),
            Value::Object(keywords) => self.case_passes(case, to, keywords),
            _ => self.refuse(|| "is needed to pass what is not a schema".to_owned()),
        });
        match verdict {
            Some(Ok(())) => Ok(()),
            Some(no) if !self.is_empty(case) => no,
            Some(_) => Ok(()),
            None => self.refuse(|| "is too large to be checked".to_owned()),
        }
    }

    /// Whether a check succeeds. It collects no reason.
    pub(super) fn holds_without_reason(&self, question: impl FnOnce() -> Verdict) -> bool {
        self.quiet.set(self.quiet.get() + 1);
        let yes = question().is_ok();
        self.quiet.set(self.quiet.get() - 1);
        yes
    }

    /// Whether the caller needs reasons.
    pub(super) fn wants_reasons(&self) -> bool {
        self.quiet.get() == 0
    }

    pub(super) fn refuse(&self, reason: impl FnOnce() -> String) -> Verdict {
        Err(self.wants_reasons().then(|| {
            Box::new(Mismatch {
                path: String::new(),
                reason: reason(),
            })
        }))
    }

    /// Returns a mismatch in a part of the value.
    pub(super) fn refuse_at(
        &self,
        segment: PathSegment<'_>,
        reason: impl FnOnce() -> String,
    ) -> Verdict {
        Err(self.wants_reasons().then(|| {
            Box::new(Mismatch {
                path: prepend_segment(segment, ""),
                reason: reason(),
            })
        }))
    }

    /// Checks a reference in the target. Only references can make a check depend on itself, because a
    /// document without references is finite.
    pub(super) fn reference_flows(
        &self,
        case: &Case<'a>,
        to: Schema<'a>,
        reference: &Value,
    ) -> Verdict {
        let target = reference.as_str();
        let Some(target) = target.and_then(|it| to.resolve(it, self.budget)) else {
            return self
                .refuse(|| format!("is needed to pass {reference}, which is not in the schema"));
        };
        let key = case.key(target);
        let level = self.level.get();
        let known = self.answers.borrow().known.get(&key).copied();
        match known {
            // By induction: the value is a part of the one that is being checked, and so smaller.
            Some(Answer::Open(above)) if level > above => return Ok(()),
            Some(Answer::Open(_)) => {
                return self
                    .refuse(|| format!("is needed to pass {reference}, which refers to itself"));
            }
            Some(Answer::Yes(above)) if level >= above => return Ok(()),
            Some(Answer::No) if !self.wants_reasons() => return self.refuse(String::new),
            _ => {}
        }
        let trail = {
            let mut answers = self.answers.borrow_mut();
            answers.known.insert(key.clone(), Answer::Open(level));
            answers.trail.len()
        };
        let verdict = self.case_flows(case, target);
        let mut answers = self.answers.borrow_mut();
        if verdict.is_ok() {
            answers.known.insert(key.clone(), Answer::Yes(level));
            answers.trail.push(key);
        } else {
            // Answers found meanwhile may depend on the one that turned out to be wrong.
            for found in answers.trail.split_off(trail) {
                answers.known.remove(&found);
            }
            answers.known.insert(key, Answer::No);
        }
        verdict
    }

    /// Whether the value is known to match the same keyword literally. Then it holds, whatever it means. Not
    /// for keywords whose meaning depends on others.
    pub(super) fn holds_literally(
        &self,
        case: &Case<'a>,
        to: Schema<'a>,
        keyword: &str,
        needed: &'a Value,
    ) -> bool {
        let needed = to.child(needed);
        let mut facts = case.facts.iter();
        facts.any(|fact| self.holds_literally_in(case, fact, keyword, needed))
    }

    pub(super) fn holds_literally_in(
        &self,
        case: &Case<'a>,
        fact: &Fact<'a>,
        keyword: &str,
        needed: Schema<'a>,
    ) -> bool {
        let given = fact.child(keyword);
        given.is_some_and(|it| case.applies_to(it) && self.is_equal(it, needed, self.budget))
    }

    /// Whether the known schema is equal to the target and means the same.
    fn is_equal(&self, given: KnownSchema<'a>, to: Schema<'a>, budget: &Budget) -> bool {
        given.exact
            && same(given.schema.node, to.node, budget) == Some(true)
            && (std::ptr::eq(given.schema.root, to.root)
                || !has_references(to.node, budget)
                || same(given.schema.root, to.root, budget) == Some(true))
    }

    fn case_passes(
        &self,
        case: &Case<'a>,
        to: Schema<'a>,
        keywords: &'a Map<String, Value>,
    ) -> Verdict {
        // If some value cannot be decided because of an unreadable pattern, the other checks may still
        // succeed.
        if let Some(values) = self.values(case)
            && let Some(verdict) = self.values_flow(&values, to)
        {
            return verdict;
        }
        // A wrong type is the reason that is easiest to understand, so check it first.
        if let Some(types) = keywords.get("type") {
            self.type_flows(case, types)?;
        }
        for (keyword, needed) in keywords {
            if !self.budget.spend(1) {
                return self.refuse(String::new);
            }
            self.keyword_flows(case, to, keywords, keyword, needed)?;
        }
        Ok(())
    }

    fn keyword_flows(
        &self,
        case: &Case<'a>,
        to: Schema<'a>,
        keywords: &'a Map<String, Value>,
        keyword: &str,
        needed: &'a Value,
    ) -> Verdict {
        match keyword {
            "$ref" => self.reference_flows(case, to, needed),
            "allOf" | "anyOf" | "oneOf" | "not" | "if" => {
                self.combination_flows(case, to, keywords, keyword, needed)
            }
            "enum" | "const" => self.enum_flows(case, to, keyword, needed),
            "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => {
                self.number_flows(case, keyword, needed)
            }
            "minLength" | "maxLength" | "pattern" => self.string_flows(case, keyword, needed),
            "items" | "prefixItems" | "minItems" | "maxItems" | "uniqueItems" | "contains"
            | "unevaluatedItems" => self.array_flows(case, to, keywords, keyword, needed),
            "properties"
            | "required"
            | "patternProperties"
            | "additionalProperties"
            | "unevaluatedProperties"
            | "propertyNames"
            | "minProperties"
            | "maxProperties"
            | "dependentRequired"
            | "dependentSchemas" => self.object_flows(case, to, keywords, keyword, needed),
            // Keywords of older drafts, or keywords that depend on the value.
            "$dynamicRef" | "$recursiveRef" | "dependencies" | "additionalItems" => {
                self.unknown_flows(keyword)
            }
            _ => Ok(()),
        }
    }

    fn unknown_flows(&self, keyword: &str) -> Verdict {
        self.refuse(|| format!("is needed to pass `{keyword}`, which cannot be checked"))
    }

    pub(super) fn malformed(&self, keyword: &str) -> Verdict {
        self.refuse(|| format!("is needed to pass `{keyword}`, which is not well formed"))
    }
}
