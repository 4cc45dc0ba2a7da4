//! Fields of an answer: which a value has, and what has to be asked for to get them.

use apollo_compiler::ast::FieldDefinition;
use capstan_catalog::outline::{camel_case, snake_case};

use super::operation::{is_list, is_list_of_lists, is_required};
use super::rules::GraphqlRules;
use super::schema::GraphqlSchema;
use crate::build::RESERVED;

/// How many types a value may have at most for fields that all of them have to be asked for.
const MAX_TYPES: usize = 6;

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

/// Returns the fields that all types of a value have alike: those of an interface that all have, and if there are not
/// too many types, those that have the same type everywhere.
fn common_fields<'a>(schema: &'a GraphqlSchema, ty: &str) -> Vec<AnswerField<'a>> {
    let types = schema.possible_types(ty);
    let Some((first, others)) = types.split_first() else {
        return Vec::new();
    };
    let mut common: Vec<AnswerField<'a>> = Vec::new();
    let shared = schema.interfaces_of(first).into_iter();
    let shared = shared.filter(|name| {
        let mut others = others.iter();
        *name != ty && others.all(|other| schema.interfaces_of(other).contains(name))
    });
    let sources = shared.map(|name| (name, name.to_owned(), true));
    let joined = (*first, types.join("|"), false);
    for (source, asked, is_interface) in sources.chain([joined]) {
        if !is_interface && types.len() > MAX_TYPES {
            continue;
        }
        for definition in schema.own_fields(source) {
            let is_alike = is_interface
                || others.iter().all(|other| {
                    let same = schema.own_field(other, &definition.name);
                    // In one document, fields of the same name must have the same type.
                    same.is_some_and(|same| same.ty == definition.ty)
                });
            let is_known = common
                .iter()
                .any(|known| known.definition.name == definition.name);
            if is_alike && !is_known {
                common.push(AnswerField {
                    definition,
                    types: Some(asked.clone()),
                });
            }
        }
    }
    common
}
