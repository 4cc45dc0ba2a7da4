//! The type of an expression, part by part.

use capstan_core::expr::{Expr, Template};

use super::TypeScope;
use crate::finding::Finding;
use crate::places::Places;
use crate::ty::{Kind, Ty};

/// Collects findings and reads while a route is checked.
#[derive(Debug, Default)]
pub(crate) struct Checker {
    pub findings: Vec<Finding>,
    pub places: Places,
}

/// Where an expression stands, and the code of a path in it that leads nowhere.
#[derive(Clone, Copy, Debug)]
pub(crate) struct At<'a> {
    pub pointer: &'a str,
    pub code: &'static str,
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
}
