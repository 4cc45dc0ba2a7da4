//! The question itself: from schemas and cases to keywords.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use serde_json::{Map, Value};

use super::case::{Case, Fact, Given, Origin};
use crate::budget::Budget;
use crate::mismatch::{Mismatch, Step, before};
use crate::naming::Naming;
use crate::reference::has_references;
use crate::same::same;
use crate::schema::Schema;

/// A yes, or a no with its reason; without one where nobody would read it.
pub(super) type Verdict = Result<(), Option<Box<Mismatch>>>;

/// One question and what was found out on the way.
#[derive(Debug)]
pub(super) struct Checker<'a> {
    pub(super) budget: &'a Budget,
    /// Above zero while answers are tried out: then reasons are not worth their cost.
    quiet: Cell<u32>,
    /// How many parts deep the value in question is.
    level: Cell<u32>,
    answers: RefCell<Answers>,
    /// What every name of a property is.
    pub(super) text: &'a Value,
}

/// What is known of cases and the references that they were needed to pass.
#[derive(Debug, Default)]
struct Answers {
    known: HashMap<Vec<usize>, Answer>,
    /// The yeses in the order in which they were found.
    trail: Vec<Vec<usize>>,
}

#[derive(Clone, Copy, Debug)]
enum Answer {
    /// Being looked at, for a value this many parts deep.
    Open(u32),
    /// Yes for values at least this many parts deep.
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
        let origin = projected.then(|| Rc::new(Naming::of([from])));
        let given = Given {
            schema: from,
            exact: !projected,
        };
        // Looked at first: what is equal is often large.
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

    /// Whether a value that passes all that is given passes a schema.
    pub(super) fn flows(
        &self,
        givens: &[Given<'a>],
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
            None => self.no(|| "is too large to be checked".to_owned()),
        }
    }

    /// Like [`Checker::flows`], of a part of the value.
    pub(super) fn part_flows(
        &self,
        step: Step<'_>,
        givens: &[Given<'a>],
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
                mismatch.path = before(step, &mismatch.path);
                mismatch
            })
        })
    }

    /// Whether a value of which this is known passes a schema.
    pub(super) fn case_flows(&self, case: &Case<'a>, to: Schema<'a>) -> Verdict {
        if case.types.is_empty() {
            return Ok(());
        }
        let same = |given: &Given<'a>| case.speaks(*given) && given.schema.is_same(to);
        if case.facts.iter().any(|it| same(&it.given)) {
            return Ok(());
        }
        let verdict = self.budget.deeper(|| match to.node {
            Value::Bool(true) => Ok(()),
            Value::Bool(false) => self.no(|| "is not allowed".to_owned()),
            Value::Object(keywords) => self.case_passes(case, to, keywords),
            _ => self.no(|| "is needed to pass what is not a schema".to_owned()),
        });
        match verdict {
            Some(Ok(())) => Ok(()),
            Some(no) if !self.is_empty(case) => no,
            Some(_) => Ok(()),
            None => self.no(|| "is too large to be checked".to_owned()),
        }
    }

    /// Whether it is a yes, without a reason if not.
    pub(super) fn quietly(&self, question: impl FnOnce() -> Verdict) -> bool {
        self.quiet.set(self.quiet.get() + 1);
        let yes = question().is_ok();
        self.quiet.set(self.quiet.get() - 1);
        yes
    }

    /// Whether somebody reads the reasons.
    pub(super) fn is_loud(&self) -> bool {
        self.quiet.get() == 0
    }

    pub(super) fn no(&self, reason: impl FnOnce() -> String) -> Verdict {
        Err(self.is_loud().then(|| {
            Box::new(Mismatch {
                path: String::new(),
                reason: reason(),
            })
        }))
    }

    /// A no about a part.
    pub(super) fn no_at(&self, step: Step<'_>, reason: impl FnOnce() -> String) -> Verdict {
        Err(self.is_loud().then(|| {
            Box::new(Mismatch {
                path: before(step, ""),
                reason: reason(),
            })
        }))
    }

    /// A reference in what is needed. Here questions can come back to themselves, and only here: a
    /// document is finite without references.
    pub(super) fn reference_flows(
        &self,
        case: &Case<'a>,
        to: Schema<'a>,
        reference: &Value,
    ) -> Verdict {
        let target = reference.as_str();
        let Some(target) = target.and_then(|it| to.resolve(it, self.budget)) else {
            return self
                .no(|| format!("is needed to pass {reference}, which is not in the schema"));
        };
        let key = case.key(target);
        let level = self.level.get();
        let known = self.answers.borrow().known.get(&key).copied();
        match known {
            // The value is a part of the one that is being looked at, and so smaller: by induction.
            Some(Answer::Open(above)) if level > above => return Ok(()),
            Some(Answer::Open(_)) => {
                return self
                    .no(|| format!("is needed to pass {reference}, which refers to itself"));
            }
            Some(Answer::Yes(above)) if level >= above => return Ok(()),
            Some(Answer::No) if !self.is_loud() => return self.no(String::new),
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
            // What was found meanwhile may rest on what turned out to be wrong.
            for found in answers.trail.split_off(trail) {
                answers.known.remove(&found);
            }
            answers.known.insert(key, Answer::No);
        }
        verdict
    }

    /// Whether a keyword is the same in what is known: then it holds, whatever it means. Not for
    /// keywords that mean something else next to others.
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
        given.is_some_and(|it| case.speaks(it) && self.is_equal(it, needed, self.budget))
    }

    /// Whether what is given is word for word what is needed, and means the same.
    fn is_equal(&self, given: Given<'a>, to: Schema<'a>, budget: &Budget) -> bool {
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
        // Where that is not known some pattern cannot be read: perhaps it need not be.
        if let Some(values) = self.values(case)
            && let Some(verdict) = self.values_flow(&values, to)
        {
            return verdict;
        }
        // A wrong type is the reason that people understand best.
        if let Some(types) = keywords.get("type") {
            self.type_flows(case, types)?;
        }
        for (keyword, needed) in keywords {
            if !self.budget.spend(1) {
                return self.no(String::new);
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
            // Of older drafts, or not known before the value is.
            "$dynamicRef" | "$recursiveRef" | "dependencies" | "additionalItems" => {
                self.unknown_flows(keyword)
            }
            _ => Ok(()),
        }
    }

    fn unknown_flows(&self, keyword: &str) -> Verdict {
        self.no(|| format!("is needed to pass `{keyword}`, which cannot be checked"))
    }

    pub(super) fn malformed(&self, keyword: &str) -> Verdict {
        self.no(|| format!("is needed to pass `{keyword}`, which is not well formed"))
    }
}
