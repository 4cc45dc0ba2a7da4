//! Checks L1 skills: what they declare against what is known of the capability that they run.

use std::sync::Arc;

use capstan_core::Span;
use capstan_core::similar::suggestions;
use capstan_schema::{Mismatch, Schema, describe};

use crate::bind::{Misfit, between};
use crate::codes::{BOUNDS, NOT_FOUND, TYPE};
use crate::findings::{DiagnosticExt as _, Findings};
use crate::library::{Contract, OutsideCapability, hidden_help};
use crate::near::did_you_mean;
use crate::places::{PathSegment, path_segments};
use crate::skill::{Runs, Skill};
use crate::{OperationClass, OutsideCapabilities, Places};

/// Returns the contract of an L1 skill and reports mistakes in it.
pub(super) fn contract(
    skill: &Skill,
    outside: &dyn OutsideCapabilities,
    findings: &mut Findings,
) -> Contract {
    let runs = skill.runs.as_ref().map(|it| &it.value);
    let known = match runs {
        Some(runs @ (Runs::Card(name) | Runs::Tool(name) | Runs::Capability(name))) => {
            let known = outside.find(name);
            // A card is run as a card and code as code, even if something else has the same name.
            let known = known.filter(|it| it.runs.key() == runs.key());
            // Tools and code may be known only where the skill runs; cards come with the catalogue.
            let is_missing = matches!(runs, Runs::Card(_)) || outside.is_hidden(name);
            if known.is_none() && is_missing {
                report_missing(skill, runs, name, outside, findings);
            }
            known.map(|OutsideCapability { contract, .. }| contract)
        }
        Some(Runs::Code(code)) => Some(Contract {
            input: None,
            output: None,
            operation: operation_of_code(code),
            effects: Vec::new(),
        }),
        None => None,
    };
    let known = known.unwrap_or(Contract {
        input: None,
        output: None,
        operation: OperationClass::Write,
        effects: Vec::new(),
    });
    let is_code = matches!(runs, Some(Runs::Code(_)));
    if !is_code {
        super::effects::check(skill, name_of(runs).zip(Some(&known)).into_iter(), findings);
    }
    check_schemas(skill, &known, findings);
    let declared = |schema: &Option<crate::Placed<serde_json::Value>>| {
        schema.as_ref().map(|it| Arc::new(it.value.clone()))
    };
    let operation = skill.operation.as_ref().map(|it| it.value);
    let effects = skill.effects.as_ref().map(|it| it.value.clone());
    Contract {
        input: declared(&skill.input_schema).or_else(|| known.input.clone()),
        output: declared(&skill.output_schema).or_else(|| known.output.clone()),
        // Only the author knows what code does.
        operation: match (operation, is_code) {
            (Some(declared), true) => declared,
            (Some(declared), false) => declared.max(known.operation),
            (None, _) => known.operation,
        },
        effects: effects.unwrap_or(known.effects),
    }
}

fn name_of(runs: Option<&Runs>) -> Option<&str> {
    match runs? {
        Runs::Card(name) | Runs::Tool(name) | Runs::Capability(name) => Some(name),
        Runs::Code(_) => None,
    }
}

/// Returns the operation of code: code that calls nothing changes nothing.
fn operation_of_code(code: &str) -> OperationClass {
    let calls = ["capstan", "mcp", "caps", "globalThis", "this"];
    if calls.iter().any(|name| code.contains(name)) {
        OperationClass::Write
    } else {
        OperationClass::Transform
    }
}

fn report_missing(
    skill: &Skill,
    runs: &Runs,
    name: &str,
    outside: &dyn OutsideCapabilities,
    findings: &mut Findings,
) {
    let what = match runs {
        Runs::Card(_) => "Card",
        Runs::Tool(_) => "Tool",
        Runs::Capability(_) | Runs::Code(_) => "Code",
    };
    let help = if outside.is_hidden(name) {
        Some(hidden_help(name))
    } else {
        let names = outside.names();
        did_you_mean(&suggestions(name, names.iter().map(String::as_str)))
    };
    let place = skill.runs.as_ref().map_or(skill.origin.id, |it| it.span);
    findings
        .error(
            NOT_FOUND,
            &skill.origin.source,
            place,
            format!("{what} '{name}' not found"),
        )
        .help(help);
}

/// Checks that the capability accepts what the skill takes, and produces what the skill declares.
fn check_schemas(skill: &Skill, known: &Contract, findings: &mut Findings) {
    let what = name_of(skill.runs.as_ref().map(|it| &it.value)).unwrap_or("what it runs");
    if let (Some(declared), Some(known)) = (&skill.input_schema, known.input.as_deref()) {
        let misfit = between(Schema::new(&declared.value), Schema::new(known));
        let side = SchemaSide {
            skill,
            span: declared.span,
            places: &skill.origin.inputs,
            what: format!("the input of '{}' does not fit `{what}`", skill.id),
            theirs: Schema::new(known),
            verb: "needs",
        };
        side.report(misfit, findings);
    }
    if let (Some(declared), Some(known)) = (&skill.output_schema, known.output.as_deref()) {
        let misfit = between(Schema::new(known), Schema::new(&declared.value));
        let side = SchemaSide {
            skill,
            span: declared.span,
            places: &skill.origin.outputs,
            what: format!("the output of `{what}` does not fit '{}'", skill.id),
            theirs: Schema::new(known),
            verb: "gives",
        };
        side.report(misfit, findings);
    }
}

/// The input or the output of a skill, compared with that of the capability that it runs.
struct SchemaSide<'a> {
    skill: &'a Skill,
    /// Where the skill's schema is, and where its parts are.
    span: Span,
    places: &'a Places,
    what: String,
    /// The schema of the capability, and what the capability does with such values.
    theirs: Schema<'a>,
    verb: &'static str,
}

impl SchemaSide<'_> {
    /// Reports each mismatch at its own place, because they are fixed one by one.
    fn report(&self, misfit: Option<Misfit>, findings: &mut Findings) {
        let source = &self.skill.origin.source;
        let place = |it: &Mismatch| self.places.find(&it.path).unwrap_or(self.span);
        match misfit {
            Some(Misfit::Never(mismatches)) => {
                for it in mismatches {
                    let message = format!("{}: {}", self.what, describe_mismatch(&it));
                    let found = findings.error(TYPE, source, place(&it), message);
                    if let (Some(runs), Some(label)) = (&self.skill.runs, self.label(&it)) {
                        found.label(runs.span, label);
                    }
                }
            }
            Some(Misfit::Perhaps(mismatches)) => {
                for it in mismatches {
                    let message = format!(
                        "{}, which is checked only when it runs",
                        describe_mismatch(&it)
                    );
                    findings.hint(BOUNDS, source, place(&it), message);
                }
            }
            None => {}
        }
    }

    /// Describes the field in question as the capability defines it.
    fn label(&self, mismatch: &Mismatch) -> Option<String> {
        let Some(PathSegment::Property(name)) = path_segments(&mismatch.path).into_iter().next()
        else {
            return None;
        };
        let property = self.theirs.property(&name)?;
        let words = describe(property.schema());
        Some(format!("{} {name}: {words}", self.verb))
    }
}

fn describe_mismatch(mismatch: &Mismatch) -> String {
    let Mismatch { path, reason } = mismatch;
    if path.is_empty() {
        reason.clone()
    } else {
        format!("`{path}` {reason}")
    }
}
