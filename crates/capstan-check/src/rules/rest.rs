//! The `rest` route. GitHub's answers have no schema here: their paths are taken at their word,
//! everything else is checked.

use capstan_core::Route;
use capstan_core::card::{Card, RestRoute};

use crate::finding::{Finding, PATH, REQUEST, TYPE};
use crate::infer::{At, Checker};
use crate::rules::output;
use crate::rules::request::{call, input_type, inputs_used, request_scope, unnoted};
use crate::ty::Ty;

pub(crate) fn check(card: &Card, route: &RestRoute) -> Vec<Finding> {
    let mut checker = Checker::default();
    let input = input_type(card, &mut checker);
    let mut scope = request_scope(&input);
    for (name, lookup) in &route.resolve {
        let pointer = format!("/rest/resolve/{name}");
        call(&mut checker, &lookup.call, &scope, &pointer);
        if let Some(missing) = &lookup.missing {
            let pointer = format!("{pointer}/missing");
            let at = At {
                pointer: &pointer,
                code: REQUEST,
            };
            if checker
                .blanks(missing, &scope, at)
                .iter()
                .any(Ty::may_be_missing)
            {
                let message = "a blank of this message may have no value";
                checker.report(Finding::new(TYPE, &pointer, message));
            }
        }
        scope = scope.with(name, Ty::any());
    }
    call(&mut checker, &route.call, &scope, "/rest");
    if let Some(unchanged) = &route.unchanged {
        let before = scope
            .with_this(unnoted(&input))
            .with("input", unnoted(&input));
        let at = At {
            pointer: "/rest/unchanged/when",
            code: PATH,
        };
        checker.infer(&unchanged.when, &before, at);
    }
    let answer = output::Answer {
        ty: Ty::any(),
        names: &scope,
    };
    output::check(&mut checker, card, &route.output, &answer, "/rest/output");
    inputs_used(&mut checker, card, &input, Route::Rest, &[]);
    checker.findings
}
