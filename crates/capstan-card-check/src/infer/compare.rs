//! Checks comparisons: one that can never be true is a mistake.

use capstan_core::expr::Comparison;

use super::{Checker, ExprLocation};
use crate::finding::{Finding, TYPE};
use crate::ty::{Kind, Texts, Ty};

impl Checker {
    pub(super) fn comparable(
        &mut self,
        comparison: Comparison,
        left: &Ty,
        right: &Ty,
        at: ExprLocation<'_>,
    ) {
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
