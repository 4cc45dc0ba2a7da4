//! Finds values by name: the fields that earlier steps produce, and the input of the skill.

use capstan_core::expr::{Expr, Path, Root, Segment};
use capstan_schema::Schema;

use super::misfits::Producer;
use super::order::WrittenOrder;
use super::scope::BindScope;
use super::types::Ty;
use crate::Given;

/// A value that has the requested name.
pub(super) struct Candidate {
    pub(super) given: Given,
    pub(super) ty: Ty,
    /// The step that produces the value; `None` for the input of the skill.
    pub(super) step: Option<usize>,
    /// The name of the field in the output of the step, before `output_mapping`.
    pub(super) field: String,
}

impl Candidate {
    pub(super) fn producer(&self) -> Producer<'_> {
        match self.step {
            Some(step) => Producer::Step(step, &self.field),
            None => Producer::Skill(&self.field),
        }
    }
}

/// Finds the values with this name that are available when `step` starts, or at the end of the skill for
/// `None`. Outputs of earlier steps come first, the latest step before the others; then the input of the
/// skill.
pub(super) fn candidates(
    scope: &BindScope<'_>,
    written: &WrittenOrder<'_>,
    step: Option<usize>,
    name: &str,
) -> Vec<Candidate> {
    let earlier = match step {
        Some(step) => written.earlier(step),
        None => {
            let mut all: Vec<_> = written.steps().collect();
            all.reverse();
            all
        }
    };
    let mut found = Vec::new();
    for step in earlier {
        if let Some(offer) = scope.offer(step, name) {
            found.push(Candidate {
                given: from_output(scope.step_name(step), &offer.field),
                ty: offer.ty.clone(),
                step: Some(step),
                field: offer.field.clone(),
            });
            // Two candidates are enough to see that the name is ambiguous.
            if found.len() == 2 {
                break;
            }
        }
    }
    // The input of the skill is not part of its output.
    if step.is_some()
        && let Some(document) = scope.input
        && let Some(property) = Schema::new(document).property(name)
    {
        found.push(Candidate {
            given: from_input(name),
            ty: Ty::from_part(property.schema(), property.required),
            step: None,
            field: name.to_owned(),
        });
    }
    found
}

/// Returns the names of all values that are available when `step` starts, or at the end of the skill for
/// `None`.
pub(super) fn known_names(
    scope: &BindScope<'_>,
    written: &WrittenOrder<'_>,
    step: Option<usize>,
) -> Vec<String> {
    let earlier = match step {
        Some(step) => written.earlier(step),
        None => written.steps().collect(),
    };
    let mut names = Vec::new();
    for step in earlier {
        names.extend(scope.offers(step).iter().map(|offer| offer.name.clone()));
    }
    if step.is_some()
        && let Some(document) = scope.input
    {
        let properties = Schema::new(document).properties();
        names.extend(properties.iter().map(|(field, _)| (*field).to_owned()));
    }
    names
}

/// Returns the expression `$input.name`.
pub(super) fn from_input(name: &str) -> Given {
    Given::Expr(Expr::Path(Path {
        root: Root::Variable("input".to_owned()),
        segments: vec![Segment::Key(name.to_owned())],
    }))
}

/// Returns the expression `$step.output.field`.
pub(super) fn from_output(step: &str, field: &str) -> Given {
    let mut names = step.split('.').map(str::to_owned);
    let root = names.next().unwrap_or_default();
    let further = names.chain(["output".to_owned(), field.to_owned()]);
    Given::Expr(Expr::Path(Path {
        root: Root::Variable(root),
        segments: further.map(Segment::Key).collect(),
    }))
}
