//! Infers the type of an expression, part by part.

use capstan_core::expr::{Expr, Template};

use super::TypeScope;
use crate::finding::Finding;
use crate::places::ReadTracker;
use crate::ty::{Kind, Ty};

/// Collects findings and the places that are read while a route is checked.
#[derive(Debug, Default)]
pub(crate) struct Checker {
    pub findings: Vec<Finding>,
    pub places: ReadTracker,
}

/// The location of an expression, and the code to report for a path in it that does not exist.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ExprLocation<'a> {
    pub pointer: &'a str,
    pub code: &'static str,
}

impl Checker {
    /// Adds a finding, unless it is there already.
    pub(crate) fn report(&mut self, finding: Finding) {
        if !self.findings.contains(&finding) {
            self.findings.push(finding);
        }
    }

    pub(crate) fn infer(&mut self, expr: &Expr, scope: &TypeScope, at: ExprLocation<'_>) -> Ty {
        match expr {
            Expr::Literal(value) => Ty::from_value(value),
            Expr::Path(path) => self.path(path, scope, at),
            Expr::Filtered(inner, filter) => {
                let ty = self.infer(inner, scope, at);
                self.filter(&ty, filter, scope, at)
            }
            Expr::Not(inner) => {
                self.infer(inner, scope, at);
                Ty::from_kind(Kind::Boolean)
            }
            Expr::And(left, right) | Expr::Or(left, right) => {
                self.infer(left, scope, at);
                self.infer(right, scope, at);
                Ty::from_kind(Kind::Boolean)
            }
            Expr::Compare(comparison, left, right) => {
                let left = self.infer(left, scope, at);
                let right = self.infer(right, scope, at);
                self.comparable(*comparison, &left, &right, at);
                Ty::from_kind(Kind::Boolean)
            }
        }
    }

    /// Infers the types of a template's blanks.
    pub(crate) fn blanks(
        &mut self,
        template: &Template,
        scope: &TypeScope,
        at: ExprLocation<'_>,
    ) -> Vec<Ty> {
        let expressions: Vec<_> = template.expressions().collect();
        let types = expressions
            .into_iter()
            .map(|expr| self.infer(expr, scope, at));
        types.collect()
    }
}
