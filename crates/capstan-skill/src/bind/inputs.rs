//! Binds the inputs of a step. The sources, in this order: values in the file, outputs of earlier steps with
//! the same name, the input of the skill.

use std::collections::BTreeSet;

use capstan_core::Span;
use capstan_core::similar::suggestions;
use capstan_schema::{Schema, Type};
use serde_json::{Value, json};

use super::by_name::{Candidate, candidates, from_input, known_names};
use super::expression::{report, steps_of, type_of};
use super::fit::{Misfit, misfit};
use super::misfits::{PassedValue, Producer};
use super::order::WrittenOrder;
use super::scope::BindScope;
use super::types::Ty;
use crate::codes::{AMBIGUOUS, MAPPING, MISSING, UNBOUND};
use crate::findings::{DiagnosticExt as _, Findings};
use crate::near::did_you_mean;
use crate::skill::Skill;
use crate::{Given, Placed};

/// The inputs of one step.
pub(super) struct Inputs {
    pub(super) inputs: Vec<(String, Given)>,
    /// Steps whose outputs are required.
    pub(super) needs: BTreeSet<usize>,
    /// Steps whose outputs are used if they exist.
    pub(super) uses: BTreeSet<usize>,
}

/// An input of the step that is bound.
struct WantedInput<'a> {
    name: &'a str,
    schema: Ty,
    required: bool,
}

pub(super) fn bind(
    skill: &Skill,
    scope: &BindScope<'_>,
    written: &WrittenOrder<'_>,
    step: usize,
    findings: &mut Findings,
) -> Inputs {
    let mut binder = Binder {
        skill,
        scope,
        written,
        step,
        findings,
        bound: Inputs {
            inputs: Vec::new(),
            needs: BTreeSet::new(),
            uses: BTreeSet::new(),
        },
    };
    binder.bind();
    binder.bound
}

struct Binder<'a, 'f> {
    skill: &'a Skill,
    scope: &'a BindScope<'a>,
    written: &'a WrittenOrder<'a>,
    step: usize,
    findings: &'f mut Findings,
    bound: Inputs,
}

impl<'a> Binder<'a, '_> {
    fn bind(&mut self) {
        let scope = self.scope;
        let part = &scope.parts[self.step];
        let compose = part.compose;
        let block = self.written.block(self.step);
        let stated = block
            .map(|block| block.inputs.as_slice())
            .unwrap_or_default();
        let input = part.contract.input.as_deref();
        let properties = input.map(|schema| Schema::new(schema).properties());
        let properties = properties.unwrap_or_default();

        // Inputs of the block in `execution` override those in `composes`.
        let all = stated.iter().chain(&compose.inputs);
        let mut explicit: Vec<(&Placed<String>, &Placed<Given>)> = Vec::new();
        for (name, given) in all {
            if explicit.iter().all(|(known, _)| known.value != name.value) {
                explicit.push((name, given));
            }
        }
        for (name, given) in &explicit {
            self.check_name(&name.value, name.span, input);
            let property = properties.iter().find(|(known, _)| *known == name.value);
            let wanted = WantedInput {
                name: &name.value,
                schema: match property {
                    Some((_, property)) => Ty::from_part(property.schema(), true),
                    None => Ty::unknown(),
                },
                required: property.is_some_and(|(_, property)| property.required),
            };
            self.give(&wanted, given);
        }
        self.check_offers();
        let mapped = &compose.input_mapping;
        for (_, to) in mapped {
            self.check_name(&to.value, to.span, input);
        }
        for (name, property) in &properties {
            if explicit.iter().any(|(given, _)| given.value == *name) {
                continue;
            }
            let wanted = WantedInput {
                name,
                schema: Ty::from_part(property.schema(), true),
                required: property.required,
            };
            match mapped.iter().find(|(_, to)| to.value == *name) {
                Some((from, _)) => self.map(&wanted, from),
                None => self.find(&wanted),
            }
        }
    }

    /// Reports a name that is not an input of the step.
    fn check_name(&mut self, name: &str, span: Span, input: Option<&Value>) {
        let Some(schema) = input.map(Schema::new) else {
            return;
        };
        if !schema.is_closed() || schema.property(name).is_some() {
            return;
        }
        let known = schema.properties();
        let names: Vec<_> = known.iter().map(|(name, _)| *name).collect();
        let step = self.scope.step_name(self.step);
        let help = did_you_mean(&suggestions(name, names.iter().copied()))
            .or_else(|| Some(format!("it has {}", names.join(", "))));
        let message = format!("`{step}` has no input `{name}`");
        self.findings
            .error(MAPPING, &self.skill.origin.source, span, message)
            .help(help);
    }

    /// Reports entries of `output_mapping` that rename a field that the step does not produce.
    fn check_offers(&mut self) {
        let part = &self.scope.parts[self.step];
        if part.contract.output.is_none() {
            return;
        }
        let step = self.scope.step_name(self.step);
        let offers = self.scope.offers(self.step);
        for (old, _) in &part.compose.output_mapping {
            if self.scope.gives(self.step, &old.value) {
                continue;
            }
            let fields = || offers.iter().map(|offer| offer.field.as_str());
            let help = did_you_mean(&suggestions(&old.value, fields())).or_else(|| {
                let all: Vec<_> = fields().collect();
                (!all.is_empty()).then(|| format!("its outputs are {}", all.join(", ")))
            });
            let message = format!("`{step}` has no output `{}`", old.value);
            self.findings
                .error(MAPPING, &self.skill.origin.source, old.span, message)
                .help(help);
        }
    }

    /// Binds an input to the value that the file gives.
    fn give(&mut self, wanted: &WantedInput<'_>, given: &Placed<Given>) {
        let mut problems = Vec::new();
        let ty = type_of(self.scope, &given.value, &mut problems);
        if !problems.is_empty() {
            report(
                &self.skill.origin.source,
                given.span,
                problems,
                self.findings,
            );
            return;
        }
        let ty = at_least(&given.value, ty, &wanted.schema);
        let passed = self.passed_value(wanted, (&given.value, &ty), Producer::File, given.span);
        report_misfit(&passed, wanted.required, self.findings);
        self.take(wanted, given.value.clone());
    }

    /// Binds an input to the value that `input_mapping` names.
    fn map(&mut self, wanted: &WantedInput<'_>, from: &Placed<String>) {
        let found = candidates(self.scope, self.written, Some(self.step), &from.value);
        let Some(candidate) = found.into_iter().next() else {
            if self.infer(wanted, &from.value) {
                return;
            }
            self.report_unknown(from);
            return;
        };
        let (given, producer) = ((&candidate.given, &candidate.ty), candidate.producer());
        let passed = self.passed_value(wanted, given, producer, from.span);
        report_misfit(&passed, wanted.required, self.findings);
        self.take(wanted, candidate.given);
    }

    /// Binds an input to a value of the same name.
    fn find(&mut self, wanted: &WantedInput<'_>) {
        let mut found = candidates(self.scope, self.written, Some(self.step), wanted.name);
        if !wanted.required && !self.scope.parts[self.step].states_its_input {
            found.retain(|candidate| candidate.step.is_none());
        }
        let place = self.scope.parts[self.step].compose.skill.span;
        let mut found = found.into_iter();
        let Some(candidate) = found.next() else {
            if self.infer(wanted, wanted.name) || !wanted.required {
                return;
            }
            self.report_missing(wanted, place);
            return;
        };
        if let (Some(first), Some(second)) = (candidate.step, found.next().and_then(|it| it.step)) {
            self.report_ambiguous(wanted, &candidate, first, second);
        }
        let (given, producer) = ((&candidate.given, &candidate.ty), candidate.producer());
        let passed = self.passed_value(wanted, given, producer, place);
        match misfit(&candidate.ty, &wanted.schema) {
            // The names match by accident.
            Some(Misfit::Never(mismatches)) if !wanted.required => {
                let message = format!(
                    "`{}` accepts {}: {}; {}, which is not passed on",
                    self.scope.step_name(self.step),
                    wanted.name,
                    wanted.schema.words(),
                    passed.gives_text(),
                );
                let help = passed.further(&mismatches);
                let source = &self.skill.origin.source;
                let found = self.findings.warning(UNBOUND, source, place, message);
                found.help(help);
                passed.label(found);
                return;
            }
            // The step itself rejects such a value from the caller before anything depends on it.
            Some(Misfit::Perhaps(_)) if candidate.step.is_none() && candidate.ty.always => {}
            _ => report_misfit(&passed, wanted.required, self.findings),
        }
        self.take(wanted, candidate.given);
    }

    /// Adds an input to a skill that does not declare its input. Returns false if it does.
    fn infer(&mut self, wanted: &WantedInput<'_>, name: &str) -> bool {
        if self.scope.input.is_some() {
            return false;
        }
        let schema = wanted.schema.clone().into_subschema();
        self.scope.infer(name, schema, wanted.required);
        self.take(wanted, from_input(name));
        true
    }

    fn take(&mut self, wanted: &WantedInput<'_>, given: Given) {
        let steps = steps_of(self.scope, &given);
        if wanted.required {
            self.bound.needs.extend(&steps);
        } else {
            self.bound.uses.extend(&steps);
        }
        self.bound.inputs.push((wanted.name.to_owned(), given));
    }

    fn passed_value<'h>(
        &self,
        wanted: &'h WantedInput<'_>,
        (given, ty): (&'h Given, &'h Ty),
        producer: Producer<'h>,
        span: Span,
    ) -> PassedValue<'h>
    where
        'a: 'h,
    {
        PassedValue {
            skill: self.skill,
            scope: self.scope,
            step: self.step,
            name: wanted.name,
            wanted: &wanted.schema,
            given,
            ty,
            producer,
            span,
        }
    }

    /// Reports that no value has the name that a mapping uses.
    fn report_unknown(&mut self, from: &Placed<String>) {
        let known = known_names(self.scope, self.written, Some(self.step));
        let near = suggestions(&from.value, known.iter().map(String::as_str));
        let help = did_you_mean(&near).or_else(|| {
            if known.is_empty() {
                None
            } else {
                Some(format!("expected one of {}", known.join(", ")))
            }
        });
        let step = self.scope.step_name(self.step);
        let message = format!(
            "`{}` is neither an input of the skill nor an output of a step before `{step}`",
            from.value
        );
        self.findings
            .error(MAPPING, &self.skill.origin.source, from.span, message)
            .help(help);
    }

    /// Reports that two steps produce the value and neither runs before the other.
    fn report_ambiguous(
        &mut self,
        wanted: &WantedInput<'_>,
        candidate: &Candidate,
        first: usize,
        second: usize,
    ) {
        if self.written.is_before(second, first) || self.written.is_before(first, second) {
            return;
        }
        let name = |step: usize| self.scope.step_name(step);
        let message = format!(
            "both `{}` and `{}` give `{}`, in no fixed order; `{}` takes it from `{}`",
            name(second),
            name(first),
            wanted.name,
            name(self.step),
            name(first),
        );
        let help = format!(
            "say which one: `inputs: {{{}: ${}.output.{}}}`",
            wanted.name,
            name(first),
            candidate.field
        );
        let place = |step: usize| self.scope.parts[step].compose.skill.span;
        let source = &self.skill.origin.source;
        let found = self
            .findings
            .warning(AMBIGUOUS, source, place(self.step), message);
        found.help(Some(help));
        for step in [second, first] {
            found.label(place(step), format!("gives {}", wanted.name));
        }
    }

    fn report_missing(&mut self, wanted: &WantedInput<'_>, span: Span) {
        let message = format!(
            "`{}` needs {}: {}, but nothing provides it",
            self.scope.step_name(self.step),
            wanted.name,
            wanted.schema.words()
        );
        let known = known_names(self.scope, self.written, Some(self.step));
        let near = suggestions(wanted.name, known.iter().map(String::as_str));
        // Also suggests `id` for `user_id`, and the reverse.
        let ends = |long: &str, short: &str| {
            let rest = long.strip_suffix(short);
            rest.is_some_and(|it| it.ends_with('_'))
        };
        let akin = known
            .iter()
            .map(String::as_str)
            .find(|known| ends(wanted.name, known) || ends(known, wanted.name));
        let help = match near.first().or(akin.as_ref()) {
            Some(near) => format!(
                "there is `{near}`: map it with `input_mapping: {{{near}: {}}}`",
                wanted.name
            ),
            None => format!(
                "add `{}` to the input of the skill, or give it with `inputs`",
                wanted.name
            ),
        };
        self.findings
            .error(MISSING, &self.skill.origin.source, span, message)
            .help(Some(help));
    }
}

/// Returns the bare type of a list or map whose elements are not fully known, if the input does not accept
/// that type. Then the bare type is enough to show the mismatch.
fn at_least(given: &Given, ty: Ty, wanted: &Ty) -> Ty {
    let (kind, name) = match given {
        Given::List(_) => (Type::Array, "array"),
        Given::Object(_) => (Type::Object, "object"),
        Given::Literal(_) | Given::Expr(_) => return ty,
    };
    let takes = wanted.schema().is_none_or(|it| it.types().contains(kind));
    if ty.schema().is_some() || takes {
        ty
    } else {
        Ty::known(json!({"type": name}))
    }
}

fn report_misfit(passed: &PassedValue<'_>, required: bool, findings: &mut Findings) {
    if required && !passed.ty.always {
        passed.report_missing(findings);
    }
    match misfit(passed.ty, passed.wanted) {
        Some(Misfit::Never(mismatches)) => passed.report_type(&mismatches, findings),
        Some(Misfit::Perhaps(mismatches)) => passed.report_bounds(&mismatches, findings),
        None => {}
    }
}
