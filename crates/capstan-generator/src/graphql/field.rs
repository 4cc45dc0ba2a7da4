//! Fields of an answer: which a value has, and what has to be asked for to get them.

use apollo_compiler::ast::{FieldDefinition, Type};
use apollo_compiler::schema::ExtendedType;
use capstan_catalog::outline::{camel_case, snake_case};

use super::operation::{is_list, is_list_of_lists, is_required};
use super::rules::GraphqlRules;
use super::schema::GraphqlSchema;

/// How many types a value may have at most for fields that all of them have to be asked for.
const MAX_TYPES: usize = 6;
/// Words of expressions, which cannot be the beginning of a path.
const RESERVED: [&str; 8] = [
    "and",
    "or",
    "not",
    "in",
    "true",
    "false",
    "null",
    "subset_of",
];

/// A field of an answer.
#[derive(Clone, Debug)]
pub(super) struct AnswerField<'a> {
    pub(super) definition: &'a FieldDefinition,
    /// The types of which it has to be asked, separated by `|`, if the type itself does not have it.
    types: Option<String>,
}

impl<'a> AnswerField<'a> {
    pub(super) fn name(&self) -> &'a str {
        self.definition.name.as_str()
    }

    /// Returns the name that it has in outputs.
    pub(super) fn output_name(&self) -> String {
        snake_case(self.name())
    }

    /// Returns the place, and whether it follows from the name in outputs.
    pub(super) fn place(&self) -> (String, bool) {
        match &self.types {
            Some(types) => (format!("<{types}>.{}", self.name()), false),
            None => {
                let is_usual = camel_case(&self.output_name()) == self.name();
                (self.name().to_owned(), is_usual)
            }
        }
    }

    /// Returns the name of the type without marks of lists and of what is never null.
    pub(super) fn type_name(&self) -> &'a str {
        self.definition.ty.inner_named_type().as_str()
    }

    pub(super) fn is_list(&self) -> bool {
        is_list(&self.definition.ty)
    }
}

/// Returns the fields that can be asked for without arguments, and are not deprecated. Of a value that can have several
/// types, these are its own fields and those that all types have.
pub(super) fn fields_of<'a>(
    schema: &'a GraphqlSchema,
    ty: &str,
    rules: &GraphqlRules,
) -> Vec<AnswerField<'a>> {
    let own = schema.own_fields(ty).into_iter();
    let mut fields: Vec<AnswerField<'a>> = own
        .map(|definition| AnswerField {
            definition,
            types: None,
        })
        .collect();
    if schema.is_abstract(ty) {
        let common = common_fields(schema, ty).into_iter();
        let new = common.filter(|common| !fields.iter().any(|own| own.name() == common.name()));
        fields.extend(new.collect::<Vec<_>>());
    }
    fields.retain(|field| can_be_kept(field, rules));
    fields
}

fn can_be_kept(field: &AnswerField<'_>, rules: &GraphqlRules) -> bool {
    let definition = field.definition;
    let is_free = !definition.arguments.iter().any(|it| is_required(it));
    is_free
        && !definition.directives.has("deprecated")
        && !RESERVED.contains(&field.name())
        && !is_list_of_lists(&definition.ty)
        && !is_never(field.name(), &rules.answers.never)
}

/// Returns whether a name fits one of the patterns, which may begin or end with `*`.
pub(super) fn is_never(name: &str, patterns: &[String]) -> bool {
    patterns.iter().any(
        |pattern| match (pattern.strip_prefix('*'), pattern.strip_suffix('*')) {
            (Some(end), _) => name.ends_with(end),
            (None, Some(start)) => name.starts_with(start),
            (None, None) => name == pattern,
        },
    )
}

/// Returns the fields that all types of a value have alike.
fn common_fields<'a>(schema: &'a GraphqlSchema, ty: &str) -> Vec<AnswerField<'a>> {
    let types = schema.possible_types(ty);
    let Some((first, others)) = types.split_first() else {
        return Vec::new();
    };
    if types.len() > MAX_TYPES {
        return shared_identity(schema, &types);
    }
    let joined = types.join("|");
    let fields = schema.own_fields(first).into_iter();
    let in_all = fields.filter(|field| {
        others.iter().all(|other| {
            let same = schema.own_field(other, &field.name);
            same.is_some_and(|same| is_alike(&same.ty, &field.ty))
        })
    });
    in_all
        .map(|definition| AnswerField {
            definition,
            types: Some(joined.clone()),
        })
        .collect()
}

/// Fields of the same name must have the same type in one document.
fn is_alike(left: &Type, right: &Type) -> bool {
    left == right
}

/// Returns the fields of the interface `Node`, if all types have it.
fn shared_identity<'a>(schema: &'a GraphqlSchema, types: &[&str]) -> Vec<AnswerField<'a>> {
    const IDENTITY: &str = "Node";
    let has_identity = |name: &&str| match schema.get(name) {
        Some(ExtendedType::Object(object)) => object
            .implements_interfaces
            .iter()
            .any(|it| it.name == IDENTITY),
        _ => false,
    };
    if !types.iter().all(has_identity) {
        return Vec::new();
    }
    let fields = schema.own_fields(IDENTITY).into_iter();
    fields
        .map(|definition| AnswerField {
            definition,
            types: Some(IDENTITY.to_owned()),
        })
        .collect()
}
