//! The type of an expression in a scope. What an expression cannot read, or can never be true,
//! becomes a finding.

mod filter;
mod narrow;
mod path;

pub(crate) use narrow::narrowed;

use std::collections::BTreeMap;

use capstan_core::expr::{Comparison, Expr, Template};

use crate::finding::{Finding, TYPE};
use crate::places::Places;
use crate::ty::{Kind, Texts, Ty};

/// The types of the values that an expression sees.
#[derive(Clone, Debug)]
pub(crate) struct TypeScope {
    pub this: Ty,
    pub names: BTreeMap<String, Ty>,
}

/// Where an expression stands, and the code of a path in it that leads nowhere.
#[derive(Clone, Copy, Debug)]
pub(crate) struct At<'a> {
    pub pointer: &'a str,
    pub code: &'static str,
}

/// Collects findings and reads while a route is checked.
#[derive(Debug, Default)]
pub(crate) struct Checker {
    pub findings: Vec<Finding>,
    pub places: Places,
}

impl TypeScope {
    pub(crate) fn new(this: Ty) -> Self {
        Self {
            this,
            names: BTreeMap::new(),
        }
    }

    #[must_use]
    pub(crate) fn with(mut self, name: &str, ty: Ty) -> Self {
        self.names.insert(name.to_owned(), ty);
        self
    }

    /// The same names around another current value.
    pub(crate) fn with_this(&self, this: Ty) -> Self {
        Self {
            this,
            names: self.names.clone(),
        }
    }
}

impl Checker {
    pub(crate) fn report(&mut self, finding: Finding) {
        if !self.findings.contains(&finding) {
            self.findings.push(finding);
        }
    }

    pub(crate) fn infer(&mut self, expr: &Expr, scope: &TypeScope, at: At<'_>) -> Ty {
        match expr {
            Expr::Literal(value) => Ty::of_value(value),
            Expr::Path(path) => self.path(path, scope, at),
            Expr::Filtered(inner, filter) => {
                let ty = self.infer(inner, scope, at);
                self.filter(&ty, filter, scope, at)
            }
            Expr::Not(inner) => {
                self.infer(inner, scope, at);
                Ty::of(Kind::Boolean)
            }
            Expr::And(left, right) | Expr::Or(left, right) => {
                self.infer(left, scope, at);
                self.infer(right, scope, at);
                Ty::of(Kind::Boolean)
            }
            Expr::Compare(comparison, left, right) => {
                let left = self.infer(left, scope, at);
                let right = self.infer(right, scope, at);
                self.comparable(*comparison, &left, &right, at);
                Ty::of(Kind::Boolean)
            }
        }
    }

    /// The types of a template's blanks.
    pub(crate) fn blanks(&mut self, template: &Template, scope: &TypeScope, at: At<'_>) -> Vec<Ty> {
        let expressions: Vec<_> = template.expressions().collect();
        let types = expressions
            .into_iter()
            .map(|expr| self.infer(expr, scope, at));
        types.collect()
    }

    fn comparable(&mut self, comparison: Comparison, left: &Ty, right: &Ty, at: At<'_>) {
        let element = |ty: &Ty| match &ty.kind {
            Kind::List(element) => Some(element.kind.clone()),
            Kind::Any => Some(Kind::Any),
            _ => None,
        };
        let pair = match comparison {
            Comparison::Equal | Comparison::NotEqual => {
                Some((left.kind.clone(), right.kind.clone()))
            }
            Comparison::In => element(right).map(|right| (left.kind.clone(), right)),
            Comparison::SubsetOf => element(left).zip(element(right)),
            _ => return,
        };
        let Some((left, right)) = pair else {
            let message = "the right side of `in`, and both sides of `subset_of`, have to be lists";
            return self.report(Finding::new(TYPE, at.pointer, message));
        };
        let never = match (&left, &right) {
            (Kind::Any | Kind::Nothing | Kind::OneOf(_), _)
            | (_, Kind::Any | Kind::Nothing | Kind::OneOf(_)) => false,
            (Kind::Text(Texts::These(left)), Kind::Text(Texts::These(right))) => {
                left.is_disjoint(right)
            }
            (Kind::Integer | Kind::Number, Kind::Integer | Kind::Number) => false,
            (left, right) => std::mem::discriminant(left) != std::mem::discriminant(right),
        };
        if never {
            let message = format!("{} is never equal to {}", left.name(), right.name());
            self.report(Finding::new(TYPE, at.pointer, message));
        }
    }
}
