//! Checks the `rest` route. There is no schema for GitHub's REST answers, so their paths are
//! trusted; everything else is checked.

use capstan_core::Route;
use capstan_core::card::{Card, RestRoute, SealedInput};

use crate::finding::{FORM, Finding, REQUEST, TYPE};
use crate::infer::{Checker, ExprLocation, TypeScope};
use crate::rules::request::{call, input_type, inputs_used, lookup_scope, missing, request_scope};
use crate::rules::{output, refusal, settled, witness};
use crate::ty::{Kind, Ty};

pub(crate) fn check(card: &Card, route: &RestRoute) -> Vec<Finding> {
    let mut checker = Checker::default();
    let input = input_type(card, &mut checker);
    let mut scope = request_scope(card, &input);
    for (name, lookup) in &route.resolve {
        let pointer = format!("/rest/resolve/{name}");
        let inside = lookup_scope(&mut checker, lookup.each.as_ref(), &scope, &pointer);
        missing(&mut checker, lookup.missing.as_ref(), &inside, &pointer);
        call(&mut checker, &lookup.call, &inside, &pointer);
        let found = match lookup.each {
            Some(_) => Ty::list(Ty::any()),
            None => Ty::any(),
        };
        scope = scope.with(name, found);
    }
    for (name, sealed) in &route.seal {
        let ty = secret_type(&mut checker, sealed, &input, &scope, name);
        scope = scope.with(name, ty);
    }
    call(&mut checker, &route.call, &scope, "/rest");
    if let (Some(raw), Kind::Object(object)) = (&route.call.raw, &input.kind) {
        for expression in raw.expressions() {
            let at = ExprLocation {
                pointer: "/rest/raw",
                code: REQUEST,
            };
            checker.infer(expression, &scope, at);
        }
        if let Some(content) = object.fields.get(&raw.input) {
            checker.places.mark_read(content);
        }
    }
    let answer = output::Answer {
        ty: Ty::any(),
        names: &scope,
    };
    output::check(&mut checker, card, &route.output, &answer, "/rest/output");
    let stands = settled::StandInLookups {
        unchanged: route.unchanged.as_ref(),
        verify: route.verify.as_ref(),
        output: &route.output,
        pointer: "/rest",
    };
    settled::check(&mut checker, card, &stands, &scope, &input);
    let refuse = route.refuse.as_ref();
    refusal::check(&mut checker, card, refuse, &scope, "/rest/refuse");
    check_incomplete_flag(&mut checker, route);
    inputs_used(&mut checker, card, &input, Route::Rest, &[]);
    checker.findings
}

/// Returns the type of a sealed secret: a text, if the secret is given.
fn secret_type(
    checker: &mut Checker,
    sealed: &SealedInput,
    input: &Ty,
    scope: &TypeScope,
    name: &str,
) -> Ty {
    let key = format!("/rest/seal/{name}/key");
    let at = ExprLocation {
        pointer: &key,
        code: REQUEST,
    };
    checker.infer(&sealed.key, scope, at);
    let secret = match &input.kind {
        Kind::Object(object) => object.fields.get(&sealed.input),
        _ => None,
    };
    let Some(secret) = secret else {
        return Ty::any();
    };
    checker.places.mark_read(secret);
    if !matches!(secret.kind, Kind::Text(_) | Kind::Any) {
        let message = format!(
            "only a text can be sealed, and this is {}",
            secret.kind.name()
        );
        let pointer = format!("/rest/seal/{name}/input");
        checker.report(Finding::new(TYPE, pointer, message));
    }
    Ty {
        place: None,
        ..secret.clone()
    }
}

/// Checks that a search reads whether its answer is incomplete. GitHub's search answers with what
/// it found when its time was up; without the flag, an empty answer would look like proof that
/// nothing exists.
fn check_incomplete_flag(checker: &mut Checker, route: &RestRoute) {
    let searches = witness::render(&route.call.path).is_some_and(|it| it.starts_with("/search/"));
    // A list without `pagination` is reported elsewhere.
    let has_no_flag = route
        .pagination
        .as_ref()
        .is_some_and(|pages| pages.incomplete.is_none());
    if searches && has_no_flag {
        let message = "a search may be incomplete, but nothing reads whether it is";
        let help = "add `pagination: { incomplete: incomplete_results }`";
        checker.report(Finding::new(FORM, "/rest/pagination", message).with_help(help));
    }
}
