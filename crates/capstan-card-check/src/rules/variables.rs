//! Checks that every variable of an operation gets a value of its type.

use apollo_compiler::ast::Type;
use apollo_compiler::executable::Operation;
use apollo_compiler::schema::ExtendedType;
use indexmap::IndexMap;

use capstan_core::expr::Expr;

use crate::finding::{Finding, VARIABLE};
use crate::infer::{Checker, ExprLocation, TypeScope};
use crate::schema::GithubSchema;
use crate::ty::{Kind, Texts, Ty};

pub(crate) fn check(
    checker: &mut Checker,
    schema: &GithubSchema,
    operation: &Operation,
    sources: &IndexMap<String, Expr>,
    scope: &TypeScope,
    pointer: &str,
) {
    for variable in &operation.variables {
        let pointer = format!("{pointer}/{}", variable.name);
        let Some(source) = sources.get(variable.name.as_str()) else {
            let message = format!("the variable `${}` has no source", variable.name);
            checker.report(Finding::new(VARIABLE, pointer, message));
            continue;
        };
        let at = ExprLocation {
            pointer: &pointer,
            code: VARIABLE,
        };
        let ty = checker.infer(source, scope, at);
        checker.places.mark_all_read(&ty);
        if let Err(why) = assignable(schema, &ty, &variable.ty, variable.default_value.is_some()) {
            let message = format!("`${}: {}`: {why}", variable.name, variable.ty);
            let mut finding = Finding::new(VARIABLE, &pointer, message);
            if ty.may_be_missing() && variable.ty.is_non_null() {
                finding = finding.with_help(
                    "require the input, give it a default, or make the variable nullable",
                );
            }
            checker.report(finding);
        }
    }
}

/// Returns why a value cannot be assigned to a variable.
fn assignable(
    schema: &GithubSchema,
    ty: &Ty,
    target: &Type,
    has_default: bool,
) -> Result<(), String> {
    let missing = ty.null || (ty.may_be_missing() && !has_default);
    if target.is_non_null() && missing {
        return Err("its source may have no value".to_owned());
    }
    match target {
        Type::Named(name) | Type::NonNullNamed(name) => match &ty.kind {
            Kind::OneOf(all) => all.iter().try_for_each(|kind| named(schema, kind, name)),
            kind => named(schema, kind, name),
        },
        Type::List(element) | Type::NonNullList(element) => match &ty.kind {
            Kind::Any | Kind::Nothing => Ok(()),
            Kind::List(given) => assignable(schema, given, element, false)
                .map_err(|why| format!("an element does not fit: {why}")),
            other => Err(format!(
                "its source is {}, not a list (`| list` makes one)",
                other.name()
            )),
        },
    }
}

fn named(schema: &GithubSchema, kind: &Kind, name: &str) -> Result<(), String> {
    let refuse = || Err(format!("its source is {}", kind.name()));
    match (kind, schema.get(name)) {
        (Kind::Any | Kind::Nothing, _) => Ok(()),
        (Kind::Object(object), Some(ExtendedType::InputObject(target))) => {
            for (field, ty) in &object.fields {
                match target.fields.get(field.as_str()) {
                    Some(definition) => {
                        let has_default = definition.default_value.is_some();
                        assignable(schema, ty, &definition.ty, has_default)
                            .map_err(|why| format!("`{field}`: {why}"))?;
                    }
                    None => return Err(format!("`{name}` has no `{field}`")),
                }
            }
            for definition in target.fields.values() {
                if definition.is_required() && !object.fields.contains_key(definition.name.as_str())
                {
                    return Err(format!("its source has no `{}`", definition.name));
                }
            }
            Ok(())
        }
        (Kind::Text(texts), Some(ExtendedType::Enum(target))) => match texts {
            Texts::All => Err(format!(
                "its source can be any text, but the enum `{name}` allows only certain values"
            )),
            Texts::These(texts) => {
                match texts
                    .iter()
                    .find(|text| !target.values.contains_key(text.as_str()))
                {
                    Some(other) => Err(format!("`{name}` has no value `{other}`")),
                    None => Ok(()),
                }
            }
        },
        (_, Some(ExtendedType::Scalar(_))) => match (kind, schema.leaf(name)) {
            (_, Kind::Any) => Ok(()),
            (Kind::Text(_), Kind::Text(_))
            | (Kind::Integer, Kind::Integer | Kind::Number)
            | (Kind::Number, Kind::Number)
            | (Kind::Boolean, Kind::Boolean) => Ok(()),
            _ => refuse(),
        },
        _ => refuse(),
    }
}
