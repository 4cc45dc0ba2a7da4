//! Derives the types of objects from a predicate that is true: if a field is present that only
//! review threads have, the object is a review thread.

use std::collections::BTreeSet;

use capstan_core::expr::{Comparison, Expr};

use super::{Checker, ExprLocation, TypeScope};
use crate::ty::{Absent, Kind, Ty};

/// States that the object at a place is of one of these types.
#[derive(Clone, Debug)]
pub(crate) struct Fact {
    place: usize,
    types: BTreeSet<String>,
}

impl Checker {
    /// Checks a predicate and returns the facts that follow from it.
    pub(crate) fn facts(
        &mut self,
        predicate: &Expr,
        scope: &TypeScope,
        at: ExprLocation<'_>,
    ) -> Vec<Fact> {
        let there: Vec<&Expr> = match predicate {
            Expr::And(left, right) => {
                let mut facts = self.facts(left, scope, at);
                facts.extend(self.facts(right, scope, at));
                return facts;
            }
            Expr::Path(_) => vec![predicate],
            Expr::Compare(comparison, left, right) => {
                match (comparison, left.as_ref(), right.as_ref()) {
                    (Comparison::Equal, other, Expr::Literal(literal))
                    | (Comparison::Equal, Expr::Literal(literal), other)
                        if !literal.is_null() =>
                    {
                        vec![other]
                    }
                    (Comparison::In, _, list) => vec![list],
                    _ => Vec::new(),
                }
            }
            _ => Vec::new(),
        };
        self.infer(predicate, scope, at);
        let types = there.into_iter().map(|expr| self.infer(expr, scope, at));
        types.filter_map(fact).collect()
    }
}

/// Returns the type, given the facts.
pub(crate) fn narrowed(ty: &Ty, facts: &[Fact]) -> Ty {
    let mut ty = ty.clone();
    if let Absent::Unless { place, types, .. } = &ty.absent {
        let certain = |fact: &Fact| fact.place == *place && fact.types.is_subset(types);
        if facts.iter().any(certain) {
            ty.absent = Absent::Never;
        }
    }
    match &ty.kind {
        Kind::List(element) => ty.kind = Kind::List(Box::new(narrowed(element, facts))),
        Kind::Object(object) => {
            let fields = object.fields.iter();
            let fields = fields.map(|(name, field)| (name.clone(), narrowed(field, facts)));
            ty.kind = Ty::object(object.holder, fields.collect()).kind;
        }
        _ => {}
    }
    ty
}

fn fact(ty: Ty) -> Option<Fact> {
    match ty.absent {
        Absent::Unless { place, types, .. } => Some(Fact { place, types }),
        _ => None,
    }
}
