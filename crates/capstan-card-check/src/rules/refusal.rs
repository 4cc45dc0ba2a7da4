//! Checks `refuse`: every rule reads a lookup, can state its reason, and can be overridden only by
//! an input that people have to set.

use serde_json::Value;

use capstan_core::card::{Card, Refusal, resolve_reference};
use capstan_core::expr::{Expr, Path, Root, Segment};

use crate::finding::{Finding, INPUT, PATH, REQUEST, TYPE};
use crate::infer::{Checker, ExprLocation, TypeScope};
use crate::ty::Ty;

pub(crate) fn check(
    checker: &mut Checker,
    card: &Card,
    refusal: Option<&Refusal>,
    scope: &TypeScope,
    pointer: &str,
) {
    let Some(refusal) = refusal else { return };
    if let Some(name) = &refusal.override_input {
        overridden(checker, card, name, scope, &format!("{pointer}/override"));
    }
    for (index, rule) in refusal.rules.iter().enumerate() {
        let when = format!("{pointer}/rules/{index}/when");
        let because = format!("{pointer}/rules/{index}/because");
        let (decides, paths) = match &rule.when {
            Some(condition) => {
                let at = ExprLocation {
                    pointer: &when,
                    code: PATH,
                };
                checker.infer(condition, scope, at);
                (&when, condition.paths())
            }
            None => {
                let blanks = rule.because.expressions();
                (&because, blanks.flat_map(Expr::paths).collect())
            }
        };
        if !paths.into_iter().any(is_looked_up) {
            let message = "this condition uses no lookup";
            let help = "rules about the input alone belong in `input_schema`";
            checker.report(Finding::new(REQUEST, decides, message).with_help(help));
        }
        let at = ExprLocation {
            pointer: &because,
            code: PATH,
        };
        let blanks = checker.blanks(&rule.because, scope, at);
        if rule.when.is_some() && blanks.iter().any(Ty::may_be_missing) {
            let message = "a blank in this message may have no value";
            checker.report(Finding::new(TYPE, &because, message));
        }
    }
}

fn overridden(checker: &mut Checker, card: &Card, name: &str, scope: &TypeScope, pointer: &str) {
    let property = card
        .input_schema
        .get("properties")
        .and_then(|all| all.get(name))
        .map(|property| resolve_reference(property, &card.input_schema));
    let Some(property) = property else {
        let message = format!("the input has no `{name}`");
        checker.report(Finding::new(INPUT, pointer, message));
        return;
    };
    let is_flag = property.get("type") == Some(&Value::from("boolean"))
        && property.get("default") == Some(&Value::Bool(false));
    if !is_flag {
        let message =
            format!("`{name}` overrides a refusal: it must be a boolean with the default false");
        checker.report(Finding::new(TYPE, pointer, message));
    }
    let at = ExprLocation {
        pointer,
        code: INPUT,
    };
    let path = Path {
        root: Root::Variable("input".to_owned()),
        segments: vec![Segment::Key(name.to_owned())],
    };
    checker.infer(&Expr::Path(path), scope, at);
}

fn is_looked_up(path: &Path) -> bool {
    match &path.root {
        Root::Variable(name) => !matches!(name.as_str(), "input" | "page"),
        Root::This => false,
    }
}
