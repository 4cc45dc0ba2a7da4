//! Where a lookup stands in for the answer: there is nothing to do (`unchanged`), or a write whose
//! answer was lost did happen (`verify`).

use capstan_core::card::{Card, Output, Settled};
use capstan_core::expr::{Path, Root};

use crate::finding::{Finding, PATH, REQUEST};
use crate::infer::{At, Checker, TypeScope, narrowed};
use crate::rules::output;
use crate::rules::request::unnoted;
use crate::ty::Ty;

/// What a route says about lookups that stand in for its answer.
pub(crate) struct Stands<'a> {
    pub unchanged: Option<&'a Settled>,
    pub verify: Option<&'a Settled>,
    pub output: &'a Output,
    /// The route in the card.
    pub pointer: &'static str,
}

pub(crate) fn check(
    checker: &mut Checker,
    card: &Card,
    stands: &Stands<'_>,
    scope: &TypeScope,
    input: &Ty,
) {
    let mut found = Vec::new();
    if let Some(unchanged) = stands.unchanged {
        let at = format!("{}/unchanged/when", stands.pointer);
        found = stand_in(checker, card, stands, unchanged, scope, input, &at);
        say(checker, &found, "when nothing changes", &unchanged.from);
    }
    if let Some(verify) = stands.verify {
        let at = format!("{}/verify/when", stands.pointer);
        proves(checker, verify, &at);
        let mut new = stand_in(checker, card, stands, verify, scope, input, &at);
        // What both find is said once.
        new.retain(|finding| !found.contains(finding));
        say(checker, &new, "when it is verified", &verify.from);
    }
}

/// What is wrong with the output's fields when they are read from the lookup.
fn stand_in(
    checker: &mut Checker,
    card: &Card,
    stands: &Stands<'_>,
    settled: &Settled,
    scope: &TypeScope,
    input: &Ty,
    pointer: &str,
) -> Vec<Finding> {
    let before = scope
        .with_this(unnoted(input))
        .with("input", unnoted(input));
    let at = At {
        pointer,
        code: PATH,
    };
    let facts = checker.facts(&settled.when, &before, at);
    let Some(lookup) = scope.names.get(&settled.from) else {
        return Vec::new();
    };
    let known = checker.findings.len();
    let pointer = format!("{}/output", stands.pointer);
    let lookup = narrowed(lookup, &facts);
    output::fields(checker, card, stands.output, lookup, scope, &pointer);
    checker.findings.split_off(known)
}

fn say(checker: &mut Checker, findings: &[Finding], circumstance: &str, from: &str) {
    for finding in findings {
        let message = format!("{circumstance}, from `{from}`: {}", finding.message);
        checker.report(Finding {
            message,
            ..finding.clone()
        });
    }
}

/// A condition that no lookup decides would call every lost write a success.
fn proves(checker: &mut Checker, verify: &Settled, pointer: &str) {
    let looked_up = |path: &Path| match &path.root {
        Root::Variable(name) => !matches!(name.as_str(), "input" | "page"),
        Root::This => false,
    };
    if !verify.when.paths().into_iter().any(looked_up) {
        let message = "this looks at nothing that was looked up, and so proves nothing";
        let help = format!("compare with `${}`", verify.from);
        checker.report(Finding::new(REQUEST, pointer, message).with_help(help));
    }
}
