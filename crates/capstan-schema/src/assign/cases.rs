//! Checks combinations in the target schema: `allOf`, `anyOf`, `oneOf`, `not`, `if`.

use serde_json::{Map, Value};

use super::case::{Case, KnownSchema};
use super::checker::{Checker, Verdict};
use crate::accept::{Truth, accepts};
use crate::describe::describe;
use crate::lookup::Lookup;
use crate::schema::Schema;
use crate::types::TypeSet;

impl<'a> Checker<'a> {
    pub(super) fn combination_flows(
        &self,
        case: &Case<'a>,
        to: Schema<'a>,
        keywords: &'a Map<String, Value>,
        keyword: &str,
        needed: &'a Value,
    ) -> Verdict {
        match (keyword, needed) {
            ("allOf", Value::Array(parts)) => parts
                .iter()
                .try_for_each(|part| self.case_flows(case, to.child(part))),
            ("anyOf" | "oneOf", Value::Array(branches)) => {
                let branches = Branches {
                    to,
                    all: branches,
                    only_one: keyword == "oneOf",
                };
                self.any_flows(case, &branches).or_else(|no| {
                    if self.holds_literally(case, to, keyword, needed) {
                        Ok(())
                    } else {
                        Err(no)
                    }
                })
            }
            ("not", forbidden) => self.not_flows(case, to.child(forbidden)),
            ("if", condition) => {
                let child = |keyword| keywords.get(keyword).map(|it| to.child(it));
                let (then, otherwise) = (child("then"), child("else"));
                self.if_flows(case, to.child(condition), then, otherwise)
            }
            _ => self.malformed(keyword),
        }
    }

    /// Whether no value of this case matches a schema.
    pub(super) fn is_disjoint(&self, case: &Case<'a>, from: Schema<'a>) -> bool {
        let given = KnownSchema {
            schema: from,
            exact: true,
        };
        let excluded = |not: &KnownSchema<'a>| {
            case.applies_to(*not)
                && self.holds_without_reason(|| self.flows(&[given], None, not.schema))
        };
        case.nots.iter().any(excluded)
            || self
                .cases_with(case, given)
                .iter()
                .all(|both| self.is_empty(both))
    }

    fn any_flows(&self, case: &Case<'a>, branches: &Branches<'a>) -> Verdict {
        if self.passes_some(case, branches) {
            return Ok(());
        }
        let mut atoms = case.types.atoms();
        atoms.try_for_each(|atom| {
            let case = self.narrowed(case, atom);
            let passes = match self.values(&case) {
                Some(values) => values
                    .iter()
                    .all(|value| branches.accept(value, self) == Truth::Yes),
                None => self.passes_some(&case, branches),
            };
            if passes || self.is_empty(&case) {
                return Ok(());
            }
            self.none_flows(&case, branches)
        })
    }

    fn passes_some(&self, case: &Case<'a>, branches: &Branches<'a>) -> bool {
        let passes = |index: usize, branch: Schema<'a>| {
            self.holds_without_reason(|| self.case_flows(case, branch))
                && (!branches.only_one
                    || branches
                        .others(index)
                        .all(|other| self.is_disjoint(case, other)))
        };
        let mut all = branches.iter().enumerate();
        all.any(|(index, branch)| passes(index, branch))
    }

    /// Explains why a case matches none of the alternatives.
    fn none_flows(&self, case: &Case<'a>, branches: &Branches<'a>) -> Verdict {
        let types = |branch| Lookup::new(self.budget).types(branch);
        let near = branches.iter().filter(|it| types(*it).meets(case.types));
        let mut near: Vec<_> = near.collect();
        if near.len() > 1 && self.wants_reasons() {
            near.retain(|it| !self.is_disjoint(case, *it));
        }
        match near.as_slice() {
            [] if !branches.iter().any(|it| types(it).meets(case.types)) => {
                let all = branches.iter().map(types);
                let needed = all.fold(TypeSet::NONE, TypeSet::union);
                self.wrong_types(case.types, needed)
            }
            [branch] => {
                self.case_flows(case, *branch)?;
                self.refuse(|| "may pass several alternatives of `oneOf`".to_owned())
            }
            _ if branches
                .iter()
                .any(|it| self.holds_without_reason(|| self.case_flows(case, it))) =>
            {
                self.refuse(|| "may pass several alternatives of `oneOf`".to_owned())
            }
            _ => self.refuse(|| {
                let needed = describe(branches.to);
                format!("fits none of the alternatives of {needed}")
            }),
        }
    }

    fn not_flows(&self, case: &Case<'a>, forbidden: Schema<'a>) -> Verdict {
        if self.is_disjoint(case, forbidden) {
            return Ok(());
        }
        let apart = |atom| self.is_disjoint(&self.narrowed(case, atom), forbidden);
        if case.types.atoms().all(apart) {
            return Ok(());
        }
        self.refuse(|| format!("may be {}, which `not` forbids", describe(forbidden)))
    }

    fn if_flows(
        &self,
        case: &Case<'a>,
        condition: Schema<'a>,
        then: Option<Schema<'a>>,
        otherwise: Option<Schema<'a>>,
    ) -> Verdict {
        let one = |case: &Case<'a>| {
            if let Some(then) = then {
                let given = KnownSchema {
                    schema: condition,
                    exact: true,
                };
                for case in self.cases_with(case, given) {
                    self.case_flows(&case, then)?;
                }
            }
            match otherwise {
                Some(otherwise)
                    if !self.holds_without_reason(|| self.case_flows(case, condition)) =>
                {
                    self.case_flows(case, otherwise)
                }
                _ => Ok(()),
            }
        };
        if self.holds_without_reason(|| one(case)) {
            return Ok(());
        }
        let mut atoms = case.types.atoms();
        atoms.try_for_each(|atom| one(&self.narrowed(case, atom)))
    }
}

/// The alternatives of `anyOf` or `oneOf`.
struct Branches<'a> {
    to: Schema<'a>,
    all: &'a [Value],
    only_one: bool,
}

impl<'a> Branches<'a> {
    fn iter(&self) -> impl Iterator<Item = Schema<'a>> {
        self.all.iter().map(|branch| self.to.child(branch))
    }

    fn others(&self, index: usize) -> impl Iterator<Item = Schema<'a>> {
        let all = self.iter().enumerate();
        all.filter(move |(other, _)| *other != index)
            .map(|(_, branch)| branch)
    }

    fn accept(&self, value: &Value, checker: &Checker<'_>) -> Truth {
        let each = self.iter().map(|it| accepts(value, it, checker.budget));
        if self.only_one {
            Truth::exactly_one(each)
        } else {
            Truth::any(each)
        }
    }
}
