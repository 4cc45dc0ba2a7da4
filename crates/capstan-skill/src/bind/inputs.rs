//! Where the inputs of a step come from: what it is given, else what earlier steps give by that name, else
//! the input of the skill.

use std::collections::BTreeSet;

use capstan_core::Span;
use capstan_core::expr::{Expr, Path, Root, Segment};
use capstan_core::similar::suggestions;
use capstan_schema::{Schema, Type};
use serde_json::{Value, json};

use super::expression::{steps_of, tell, type_of};
use super::fit::{Misfit, misfit};
use super::misfits::{Giver, Handed};
use super::order::Written;
use super::scope::Scope;
use super::types::Ty;
use crate::codes::{AMBIGUOUS, MAPPING, MISSING, UNBOUND};
use crate::findings::{Findings, More as _};
use crate::near::did_you_mean;
use crate::skill::Skill;
use crate::{Given, Placed};

/// The inputs of one step.
pub(super) struct Inputs {
    pub(super) inputs: Vec<(String, Given)>,
    /// Steps whose outputs must be there.
    pub(super) needs: BTreeSet<usize>,
    /// Steps whose outputs are used where they are there.
    pub(super) uses: BTreeSet<usize>,
}

/// Something that has the right name.
pub(super) struct Candidate {
    pub(super) given: Given,
    pub(super) ty: Ty,
    /// Nothing for the input of the skill.
    pub(super) step: Option<usize>,
    /// The field as the step calls it.
    pub(super) field: String,
}

/// One input that a step has.
struct Wanted<'a> {
    name: &'a str,
    schema: Ty,
    required: bool,
}

pub(super) fn bind(
    skill: &Skill,
    scope: &Scope<'_>,
    written: &Written<'_>,
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
    scope: &'a Scope<'a>,
    written: &'a Written<'a>,
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

        // What stands with the step comes before what stands with the composition.
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
            let wanted = Wanted {
                name: &name.value,
                schema: match property {
                    Some((_, property)) => Ty::part(property.schema(), true),
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
            let wanted = Wanted {
                name,
                schema: Ty::part(property.schema(), true),
                required: property.required,
            };
            match mapped.iter().find(|(_, to)| to.value == *name) {
                Some((from, _)) => self.map(&wanted, from),
                None => self.find(&wanted),
            }
        }
    }

    /// Whether the step has an input of this name.
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

    /// Whether the step gives everything that `output_mapping` gives another name.
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
                (!all.is_empty()).then(|| format!("it gives {}", all.join(", ")))
            });
            let message = format!("`{step}` gives no `{}`", old.value);
            self.findings
                .error(MAPPING, &self.skill.origin.source, old.span, message)
                .help(help);
        }
    }

    /// The file says what it is given.
    fn give(&mut self, wanted: &Wanted<'_>, given: &Placed<Given>) {
        let mut wrong = Vec::new();
        let ty = type_of(self.scope, &given.value, &mut wrong);
        if !wrong.is_empty() {
            tell(&self.skill.origin.source, given.span, wrong, self.findings);
            return;
        }
        let ty = at_least(&given.value, ty, &wanted.schema);
        let handed = self.handed(wanted, (&given.value, &ty), Giver::File, given.span);
        tell_misfit(&handed, wanted.required, self.findings);
        self.take(wanted, given.value.clone());
    }

    /// The file says what it is called elsewhere.
    fn map(&mut self, wanted: &Wanted<'_>, from: &Placed<String>) {
        let found = candidates(self.scope, self.written, Some(self.step), &from.value);
        let Some(candidate) = found.into_iter().next() else {
            if self.infer(wanted, &from.value) {
                return;
            }
            self.tell_unknown(from);
            return;
        };
        let (given, giver) = ((&candidate.given, &candidate.ty), candidate.giver());
        let handed = self.handed(wanted, given, giver, from.span);
        tell_misfit(&handed, wanted.required, self.findings);
        self.take(wanted, candidate.given);
    }

    /// By its name.
    fn find(&mut self, wanted: &Wanted<'_>) {
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
            self.tell_missing(wanted, place);
            return;
        };
        if let (Some(first), Some(second)) = (candidate.step, found.next().and_then(|it| it.step)) {
            self.tell_ambiguous(wanted, &candidate, first, second);
        }
        let (given, giver) = ((&candidate.given, &candidate.ty), candidate.giver());
        let handed = self.handed(wanted, given, giver, place);
        match misfit(&candidate.ty, &wanted.schema) {
            // By accident it has the same name.
            Some(Misfit::Never(mismatches)) if !wanted.required => {
                let message = format!(
                    "`{}` could take {}: {}; {}, which is not passed on",
                    self.scope.step_name(self.step),
                    wanted.name,
                    wanted.schema.words(),
                    handed.gives(),
                );
                let help = handed.further(&mismatches);
                let source = &self.skill.origin.source;
                let found = self.findings.warning(UNBOUND, source, place, message);
                found.help(help);
                handed.label(found);
                return;
            }
            // What the caller of the skill gives, the step refuses before anything depends on it.
            Some(Misfit::Perhaps(_)) if candidate.step.is_none() && candidate.ty.always => {}
            _ => tell_misfit(&handed, wanted.required, self.findings),
        }
        self.take(wanted, candidate.given);
    }

    /// A skill that does not state its input takes what its steps need.
    fn infer(&mut self, wanted: &Wanted<'_>, name: &str) -> bool {
        if self.scope.input.is_some() {
            return false;
        }
        let schema = wanted.schema.clone().into_part();
        self.scope.infer(name, schema, wanted.required);
        self.take(wanted, from_input(name));
        true
    }

    fn take(&mut self, wanted: &Wanted<'_>, given: Given) {
        let steps = steps_of(self.scope, &given);
        match wanted.required {
            true => self.bound.needs.extend(&steps),
            false => self.bound.uses.extend(&steps),
        }
        self.bound.inputs.push((wanted.name.to_owned(), given));
    }

    fn handed<'h>(
        &self,
        wanted: &'h Wanted<'_>,
        (given, ty): (&'h Given, &'h Ty),
        giver: Giver<'h>,
        span: Span,
    ) -> Handed<'h>
    where
        'a: 'h,
    {
        Handed {
            skill: self.skill,
            scope: self.scope,
            step: self.step,
            name: wanted.name,
            wanted: &wanted.schema,
            given,
            ty,
            giver,
            span,
        }
    }

    /// Nothing has the name that a mapping gives.
    fn tell_unknown(&mut self, from: &Placed<String>) {
        let known = known_names(self.scope, self.written, Some(self.step));
        let near = suggestions(&from.value, known.iter().map(String::as_str));
        let help = did_you_mean(&near).or_else(|| match known.is_empty() {
            true => None,
            false => Some(format!("there are {}", known.join(", "))),
        });
        let step = self.scope.step_name(self.step);
        let message = format!("nothing before `{step}` gives `{}`", from.value);
        self.findings
            .error(MAPPING, &self.skill.origin.source, from.span, message)
            .help(help);
    }

    /// Two give it, and neither comes before the other.
    fn tell_ambiguous(
        &mut self,
        wanted: &Wanted<'_>,
        candidate: &Candidate,
        first: usize,
        second: usize,
    ) {
        if self.written.is_before(second, first) || self.written.is_before(first, second) {
            return;
        }
        let name = |step: usize| self.scope.step_name(step);
        let message = format!(
            "both `{}` and `{}` give `{}`, side by side; `{}` takes it from `{}`",
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

    fn tell_missing(&mut self, wanted: &Wanted<'_>, span: Span) {
        let message = format!(
            "`{}` needs {}: {}; nothing gives it",
            self.scope.step_name(self.step),
            wanted.name,
            wanted.schema.words()
        );
        let known = known_names(self.scope, self.written, Some(self.step));
        let near = suggestions(wanted.name, known.iter().map(String::as_str));
        // `id` for `user_id`, and the other way round.
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
                "`{near}` is there: map it with `input_mapping: {{{near}: {}}}`",
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

impl Candidate {
    fn giver(&self) -> Giver<'_> {
        match self.step {
            Some(step) => Giver::Step(step, &self.field),
            None => Giver::Skill(&self.field),
        }
    }
}

/// Of a list or a map with something in it that is not known, that it is one: where none will do, that is
/// enough to know.
fn at_least(given: &Given, ty: Ty, wanted: &Ty) -> Ty {
    let (kind, name) = match given {
        Given::List(_) => (Type::Array, "array"),
        Given::Object(_) => (Type::Object, "object"),
        Given::Literal(_) | Given::Expr(_) => return ty,
    };
    let takes = wanted.schema().is_none_or(|it| it.types().contains(kind));
    match ty.schema().is_some() || takes {
        true => ty,
        false => Ty::made(json!({"type": name})),
    }
}

fn tell_misfit(handed: &Handed<'_>, required: bool, findings: &mut Findings) {
    if required && !handed.ty.always {
        handed.tell_missing(findings);
    }
    match misfit(handed.ty, handed.wanted) {
        Some(Misfit::Never(mismatches)) => handed.tell_type(&mismatches, findings),
        Some(Misfit::Perhaps(mismatches)) => handed.tell_bounds(&mismatches, findings),
        None => {}
    }
}

/// What has a name where a step begins (without one: where the skill ends): of earlier steps the last
/// first, then of the skill's input.
pub(super) fn candidates(
    scope: &Scope<'_>,
    written: &Written<'_>,
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
            // Two tell whether there is a choice.
            if found.len() == 2 {
                break;
            }
        }
    }
    // The output of a skill is what its steps give.
    let own = scope.input.filter(|_| step.is_some());
    if let Some(document) = own
        && let Some(property) = Schema::new(document).property(name)
    {
        found.push(Candidate {
            given: from_input(name),
            ty: Ty::part(property.schema(), property.required),
            step: None,
            field: name.to_owned(),
        });
    }
    found
}

/// Everything that could be asked for.
pub(super) fn known_names(
    scope: &Scope<'_>,
    written: &Written<'_>,
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
    let input = scope.input.filter(|_| step.is_some()).map(Schema::new);
    for (field, _) in input.map(|schema| schema.properties()).unwrap_or_default() {
        names.push(field.to_owned());
    }
    names
}

/// `$input.name`
pub(super) fn from_input(name: &str) -> Given {
    Given::Expr(Expr::Path(Path {
        root: Root::Variable("input".to_owned()),
        segments: vec![Segment::Key(name.to_owned())],
    }))
}

/// `$step.output.field`
pub(super) fn from_output(step: &str, field: &str) -> Given {
    let mut names = step.split('.').map(str::to_owned);
    let root = names.next().unwrap_or_default();
    let further = names.chain(["output".to_owned(), field.to_owned()]);
    Given::Expr(Expr::Path(Path {
        root: Root::Variable(root),
        segments: further.map(Segment::Key).collect(),
    }))
}
