//! Checks that the calls that a card offers can be made: the capability exists and gets a valid
//! input.

use serde_json::Value;

use capstan_core::CapabilityId;
use capstan_core::card::{Card, FollowUp};
use capstan_core::expr::{Scope, Template, ValueTemplate};

use crate::finding::{FOLLOW_UP, Finding};
use crate::infer::{Checker, ExprLocation, TypeScope};
use crate::json_schema::{fits, is_required, value_type};
use crate::rules::witness::is_one_blank;
use crate::ty::{Kind, ObjectSource, Texts, Ty};

pub(crate) fn check<'a>(
    card: &Card,
    find: impl Fn(&CapabilityId) -> Option<&'a Card>,
) -> Vec<Finding> {
    let input = value_type(&card.input_schema, &card.input_schema, ObjectSource::Input);
    let data = value_type(&card.output_schema, &card.output_schema, ObjectSource::Data);
    let after_success = TypeScope::new(data).with("input", input.clone());
    let nothing = Ty::object(ObjectSource::Nothing, indexmap::IndexMap::new());
    let after_failure = TypeScope::new(nothing).with("input", input);
    let next = card.next.iter().enumerate();
    let next = next.map(|(index, call)| (format!("/next/{index}"), call, &after_success));
    let mend = card.mend.iter();
    let mend = mend.map(|(code, call)| (format!("/mend/{code}"), call, &after_failure));
    let of_lookups = card.lookup_mends();
    let of_lookups = of_lookups.map(|(pointer, call)| (pointer, call, &after_failure));
    let mut checker = Checker::default();
    for (pointer, call, scope) in next.chain(mend).chain(of_lookups) {
        match find(&call.capability) {
            Some(target) => follow_up(&mut checker, call, target, scope, &pointer),
            None => {
                let message = format!("there is no capability `{}`", call.capability);
                checker.report(Finding::new(
                    FOLLOW_UP,
                    format!("{pointer}/capability"),
                    message,
                ));
            }
        }
    }
    checker.findings
}

fn follow_up(
    checker: &mut Checker,
    call: &FollowUp,
    target: &Card,
    scope: &TypeScope,
    pointer: &str,
) {
    if let Some(when) = &call.when {
        let pointer = format!("{pointer}/when");
        let at = ExprLocation {
            pointer: &pointer,
            code: FOLLOW_UP,
        };
        checker.infer(when, scope, at);
    }
    let pointer = format!("{pointer}/input");
    let ValueTemplate::Object(fields) = &call.input else {
        return checker.report(Finding::new(
            FOLLOW_UP,
            pointer,
            "the input of a call is an object",
        ));
    };
    let schema = &target.input_schema;
    for (name, field) in fields {
        let pointer = format!("{pointer}/{name}");
        let ty = value(checker, field, scope, &pointer);
        let Some(property) = schema.get("properties").and_then(|all| all.get(name)) else {
            let message = format!("`{}` has no input `{name}`", target.id);
            checker.report(Finding::new(FOLLOW_UP, &pointer, message));
            continue;
        };
        // Absent values are left out. `when` ensures that an optional value is present.
        if ty.may_be_missing() && is_required(schema, name) && call.when.is_none() {
            let message = format!(
                "`{name}` may have no value, and `{}` requires it",
                target.id
            );
            let help = "offer the call only `when` it has a value";
            checker.report(Finding::new(FOLLOW_UP, &pointer, message).with_help(help));
        }
        if let Err(why) = fits(&ty.present(), property, schema) {
            let message = format!("`{name}` does not fit the input of `{}`: {why}", target.id);
            checker.report(Finding::new(FOLLOW_UP, &pointer, message));
        }
    }
    let required = schema.get("required").and_then(Value::as_array);
    for name in required.into_iter().flatten().filter_map(Value::as_str) {
        if !fields.contains_key(name) {
            let message = format!("`{}` requires `{name}`", target.id);
            checker.report(Finding::new(FOLLOW_UP, &pointer, message));
        }
    }
}

fn value(checker: &mut Checker, template: &ValueTemplate, scope: &TypeScope, pointer: &str) -> Ty {
    match template {
        ValueTemplate::Literal(value) => Ty::from_value(value),
        ValueTemplate::Template(template) => text(checker, template, scope, pointer),
        ValueTemplate::Array(items) => {
            let mut element: Option<Ty> = None;
            for (index, item) in items.iter().enumerate() {
                let ty = value(checker, item, scope, &format!("{pointer}/{index}"));
                element = Some(element.map_or(ty.clone(), |before| before.or(ty)));
            }
            Ty::list(element.map_or_else(Ty::any, Ty::present))
        }
        ValueTemplate::Object(fields) => {
            let fields = fields.iter().map(|(name, field)| {
                let ty = value(checker, field, scope, &format!("{pointer}/{name}"));
                (name.clone(), ty)
            });
            Ty::object(ObjectSource::Input, fields.collect())
        }
    }
}

fn text(checker: &mut Checker, template: &Template, scope: &TypeScope, pointer: &str) -> Ty {
    let at = ExprLocation {
        pointer,
        code: FOLLOW_UP,
    };
    let blanks = checker.blanks(template, scope, at);
    let missing = blanks.iter().any(Ty::may_be_missing);
    let ty = match blanks.as_slice() {
        [] => {
            let fixed = template.render(&Scope::new(&Value::Null, &serde_json::Map::new()));
            Ty::from_kind(Kind::Text(
                fixed.map_or(Texts::All, |text| Texts::one(&text)),
            ))
        }
        [only] if is_one_blank(template) => return only.clone(),
        _ => Ty::text(),
    };
    if missing { ty.maybe_absent() } else { ty }
}
