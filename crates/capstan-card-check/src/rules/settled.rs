//! Checks lookups that replace the answer: nothing needs to change (`unchanged`), or a write whose
//! answer was lost did happen (`verify`).

use capstan_core::card::{Card, Output, Settled};
use capstan_core::expr::{Path, Root};

use crate::finding::{Finding, PATH, REQUEST};
use crate::infer::{Checker, ExprLocation, TypeScope, narrowed};
use crate::rules::output;
use crate::rules::request::untracked;
use crate::ty::Ty;

/// The lookups that may replace a route's answer.
pub(crate) struct StandInLookups<'a> {
    pub unchanged: Option<&'a Settled>,
    pub verify: Option<&'a Settled>,
    pub output: &'a Output,
    /// The pointer of the route in the card.
    pub pointer: &'static str,
}

pub(crate) fn check(
    checker: &mut Checker,
    card: &Card,
    lookups: &StandInLookups<'_>,
    scope: &TypeScope,
    input: &Ty,
) {
    let mut found = Vec::new();
    if let Some(unchanged) = lookups.unchanged {
        let at = format!("{}/unchanged/when", lookups.pointer);
        found = stand_in(checker, card, lookups, unchanged, scope, input, &at);
        report_all(checker, &found, "when nothing changes", &unchanged.from);
    }
    if let Some(verify) = lookups.verify {
        let at = format!("{}/verify/when", lookups.pointer);
        check_proof(checker, verify, &at);
        let mut new = stand_in(checker, card, lookups, verify, scope, input, &at);
        // A finding that both have is reported once.
        new.retain(|finding| !found.contains(finding));
        report_all(checker, &new, "when it is verified", &verify.from);
    }
}

/// Returns the findings about the output's fields when they are read from the lookup.
fn stand_in(
    checker: &mut Checker,
    card: &Card,
    lookups: &StandInLookups<'_>,
    settled: &Settled,
    scope: &TypeScope,
    input: &Ty,
    pointer: &str,
) -> Vec<Finding> {
    let before = scope
        .with_this(untracked(input))
        .with("input", untracked(input));
    let at = ExprLocation {
        pointer,
        code: PATH,
    };
    let facts = checker.facts(&settled.when, &before, at);
    let Some(lookup) = scope.names.get(&settled.from) else {
        return Vec::new();
    };
    let known = checker.findings.len();
    let pointer = format!("{}/output", lookups.pointer);
    let lookup = narrowed(lookup, &facts);
    output::fields(checker, card, lookups.output, lookup, scope, &pointer);
    checker.findings.split_off(known)
}

fn report_all(checker: &mut Checker, findings: &[Finding], circumstance: &str, from: &str) {
    for finding in findings {
        let message = format!("{circumstance}, from `{from}`: {}", finding.message);
        checker.report(Finding {
            message,
            ..finding.clone()
        });
    }
}

/// Checks that a condition reads a lookup. Otherwise it would call every lost write a success.
fn check_proof(checker: &mut Checker, verify: &Settled, pointer: &str) {
    let looked_up = |path: &Path| match &path.root {
        Root::Variable(name) => !matches!(name.as_str(), "input" | "page"),
        Root::This => false,
    };
    if !verify.when.paths().into_iter().any(looked_up) {
        let message = "this condition uses no lookup, so it proves nothing";
        let help = format!("compare with `${}`", verify.from);
        checker.report(Finding::new(REQUEST, pointer, message).with_help(help));
    }
}
