//! Checks how requests are built: the scope of their expressions, REST calls, and that no route
//! ignores an input.

use indexmap::IndexMap;

use capstan_core::Route;
use capstan_core::card::{Card, RestCall, resolve_reference};
use capstan_core::expr::{Expr, Root, Segment, Template, ValueTemplate};

use crate::finding::{Finding, INPUT, REQUEST, TYPE};
use crate::infer::{Checker, ExprLocation, TypeScope};
use crate::json_schema::object_type;
use crate::rules::witness;
use crate::ty::{Kind, ObjectSource, Ty};

/// Returns the input's type. Every property is tracked, so that unused ones are found.
pub(crate) fn input_type(card: &Card, checker: &mut Checker) -> Ty {
    object_type(&card.input_schema, ObjectSource::Input, &mut checker.places)
}

/// Returns the scope of a request. Bare paths and `$input` are the input, `$page` is derived from
/// `first` and `after`, and `$fields` has the columns that the caller asks for.
pub(crate) fn request_scope(card: &Card, input: &Ty) -> TypeScope {
    let place = |name: &str| match &input.kind {
        Kind::Object(object) => object.fields.get(name).and_then(|ty| ty.place),
        _ => None,
    };
    let number = |input: &str| Ty {
        place: place(input),
        ..Ty::from_kind(Kind::Integer)
    };
    let page = IndexMap::from([
        ("size".to_owned(), number("first")),
        ("number".to_owned(), number("after")),
        ("probe".to_owned(), number("first")),
    ]);
    TypeScope::new(input.clone())
        .with("input", input.clone())
        .with("page", Ty::object(ObjectSource::Engine, page))
        .with("fields", fields_asked_for(card))
}

/// Returns the type of `$fields`: true for each column that the caller names, and absent for the
/// others.
fn fields_asked_for(card: &Card) -> Ty {
    let rows = card.list.as_ref().and_then(|list| {
        let schema = &card.output_schema;
        let rows = resolve_reference(schema.get("properties")?.get(&list.field)?, schema);
        resolve_reference(rows.get("items")?, schema)
            .get("properties")?
            .as_object()
    });
    let asked = || Ty::from_kind(Kind::Boolean).maybe_absent();
    let fields = rows.into_iter().flatten();
    let fields = fields.map(|(name, _)| (name.clone(), asked()));
    Ty::object(ObjectSource::Engine, fields.collect())
}

/// Returns the same type without tracking. What an answer repeats was not requested from GitHub, so
/// reading it does not count.
pub(crate) fn untracked(input: &Ty) -> Ty {
    match &input.kind {
        Kind::Object(object) => {
            let fields = object.fields.iter().map(|(name, ty)| {
                let ty = Ty {
                    place: None,
                    ..ty.clone()
                };
                (name.clone(), ty)
            });
            Ty::object(object.holder, fields.collect())
        }
        _ => input.clone(),
    }
}

/// Returns the scope of a lookup. With `each`, it includes the current element.
pub(crate) fn lookup_scope(
    checker: &mut Checker,
    each: Option<&Expr>,
    scope: &TypeScope,
    pointer: &str,
) -> TypeScope {
    let Some(each) = each else {
        return scope.clone();
    };
    let pointer = format!("{pointer}/each");
    let at = ExprLocation {
        pointer: &pointer,
        code: REQUEST,
    };
    let list = checker.infer(each, scope, at);
    let item = element(checker, &list, &pointer);
    scope.clone().with("item", item)
}

/// Returns the type of the elements of a list that `each` iterates over.
pub(crate) fn element(checker: &mut Checker, list: &Ty, pointer: &str) -> Ty {
    match &list.kind {
        Kind::List(element) => element.as_ref().clone(),
        Kind::Any | Kind::OneOf(_) => Ty::any(),
        other => {
            let message = format!("`each` takes a list, and this is {}", other.name());
            checker.report(Finding::new(TYPE, pointer, message));
            Ty::any()
        }
    }
}

/// Checks the message of a lookup that finds nothing: all its blanks must have values.
pub(crate) fn missing(
    checker: &mut Checker,
    words: Option<&Template>,
    scope: &TypeScope,
    pointer: &str,
) {
    let Some(words) = words else { return };
    let pointer = format!("{pointer}/missing");
    let at = ExprLocation {
        pointer: &pointer,
        code: REQUEST,
    };
    if checker
        .blanks(words, scope, at)
        .iter()
        .any(Ty::may_be_missing)
    {
        let message = "a blank in this message may have no value";
        checker.report(Finding::new(TYPE, &pointer, message));
    }
}

/// Checks that every blank of a call exists, and that the path is valid for every input.
pub(crate) fn call(checker: &mut Checker, call: &RestCall, scope: &TypeScope, pointer: &str) {
    let path = format!("{pointer}/path");
    let at = ExprLocation {
        pointer: &path,
        code: REQUEST,
    };
    for (index, ty) in checker.blanks(&call.path, scope, at).iter().enumerate() {
        let scalar = !matches!(ty.kind, Kind::List(_) | Kind::Object(_));
        if ty.may_be_missing() || !scalar {
            let message = format!("blank {} of the path may have no value", index + 1);
            checker.report(Finding::new(REQUEST, &path, message).with_help(
                "fill a part of a path from a required input, or from one with a default",
            ));
        }
    }
    if let Some(text) = witness::render(&call.path) {
        fixed_text(checker, &text, &path);
    }
    for (name, parts) in &call.query {
        let pointer = format!("{pointer}/query/{name}");
        for part in parts {
            let at = ExprLocation {
                pointer: &pointer,
                code: REQUEST,
            };
            for ty in checker.blanks(part, scope, at) {
                if matches!(ty.kind, Kind::List(_) | Kind::Object(_)) {
                    let message = format!(
                        "a query takes texts and numbers, and this is {}",
                        ty.kind.name()
                    );
                    checker.report(
                        Finding::new(REQUEST, &pointer, message).with_help("join the list"),
                    );
                }
            }
        }
    }
    for (name, list) in &call.service.lists {
        let pointer = format!("{pointer}/lists/{name}/value");
        let at = ExprLocation {
            pointer: &pointer,
            code: REQUEST,
        };
        checker.blanks(&list.value, scope, at);
    }
    for (name, header) in &call.service.headers {
        let pointer = format!("{pointer}/headers/{name}");
        let at = ExprLocation {
            pointer: &pointer,
            code: REQUEST,
        };
        checker.blanks(header, scope, at);
    }
    if let Some(body) = &call.body {
        value(checker, body, scope, &format!("{pointer}/body"));
    }
}

/// Checks that every input reaches the request, or that a suitability rule keeps calls with it off
/// the route.
pub(crate) fn inputs_used(
    checker: &mut Checker,
    card: &Card,
    input: &Ty,
    route: Route,
    excused: &[&str],
) {
    let Kind::Object(object) = &input.kind else {
        return;
    };
    for (name, ty) in &object.fields {
        let looked_at = |expr: &Expr| reads_input(expr, name);
        let ruled_out = card
            .routing
            .suitability
            .iter()
            .any(|rule| rule.route == route && looked_at(&rule.predicate));
        // Parts that the card combines with itself use it.
        let mut others = card.combine.iter().filter(|part| part.task != card.id);
        let handed_on = others.any(|part| {
            let mut exprs = part.input.values().chain(&part.when);
            exprs.any(looked_at)
        });
        if checker.places.is_read(ty) || ruled_out || handed_on || excused.contains(&name.as_str())
        {
            continue;
        }
        let message = format!("the `{route}` route ignores the input `{name}`");
        checker.report(Finding::new(INPUT, format!("/{route}"), message).with_help(
            "send it, or add a suitability rule that keeps calls with it off this route",
        ));
    }
}

/// Checks that every blank of a value exists.
fn value(checker: &mut Checker, template: &ValueTemplate, scope: &TypeScope, pointer: &str) {
    match template {
        ValueTemplate::Literal(_) => {}
        ValueTemplate::Template(template) => {
            let at = ExprLocation {
                pointer,
                code: REQUEST,
            };
            checker.blanks(template, scope, at);
        }
        ValueTemplate::Object(fields) => {
            for (name, field) in fields {
                value(checker, field, scope, &format!("{pointer}/{name}"));
            }
        }
        ValueTemplate::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                value(checker, item, scope, &format!("{pointer}/{index}"));
            }
        }
    }
}

/// Returns whether a predicate reads an input, either bare or as `$input`.
fn reads_input(predicate: &Expr, name: &str) -> bool {
    predicate.paths().into_iter().any(|path| {
        let named = matches!(path.segments.first(), Some(Segment::Key(key)) if key == name);
        let of_input = match &path.root {
            Root::This => true,
            Root::Variable(variable) => variable == "input",
        };
        named && of_input
    })
}

/// Checks the fixed characters of a path, with `x` in every blank.
fn fixed_text(checker: &mut Checker, text: &str, pointer: &str) {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/-_.~:".contains(c);
    if let Some(odd) = text.chars().find(|c| !plain(*c)) {
        let message = format!("`{odd}` is not allowed in a path");
        let help = "a query goes into `query`; anything else comes from a blank, which is encoded";
        checker.report(Finding::new(REQUEST, pointer, message).with_help(help));
    }
    let mut segments = text.split('/').skip(1);
    if segments.any(|segment| matches!(segment, "" | "." | "..")) {
        checker.report(Finding::new(
            REQUEST,
            pointer,
            "the path has an empty or a dotted segment",
        ));
    }
}
