//! Turns an outline of a GraphQL operation into a card.

use capstan_core::Route;
use capstan_core::card::{ApiKind, Operation};
use indexmap::IndexMap;
use serde_json::{Map, Value, json};

use super::answer::{AnswerReader, split_place};
use super::document::{Variable, document};
use super::lookup::lookups;
use super::place::{Place, PlaceStep};
use super::selection::Selection;
use crate::document::{Documents, name_from_id};
use crate::outline::expand::{add_page_inputs, deprecation};
use crate::outline::notation::properties;
use crate::outline::raw::{Outline, RawAnswer};
use crate::raw::{
    RawCard, RawCli, RawGraphql, RawGraphqlLimits, RawGraphqlPagination, RawLine, RawList,
    RawOutput, RawRouting,
};

/// The largest page, if the outline does not say.
const LARGEST_PAGE: u64 = 100;

/// Marks that the arguments are fields of the argument `input`.
const IN_INPUT: &str = "(input)";

/// Returns whether an outline calls a GraphQL operation.
pub(crate) fn is_graphql(outline: &Outline) -> bool {
    operation_of(outline).is_some()
}

fn operation_of(outline: &Outline) -> Option<(Operation, &str)> {
    let (keyword, field) = outline.call.split_once(' ')?;
    match keyword {
        "query" => Some((Operation::Read, field)),
        "mutation" => Some((Operation::Write, field)),
        _ => None,
    }
}

/// Returns the card of an outline with its documents, or what is wrong with the outline.
pub(crate) fn expand(id: &str, outline: &Outline) -> Result<(RawCard, Documents), String> {
    let (operation, field) =
        operation_of(outline).ok_or("`call` must be `query NAME` or `mutation NAME`")?;
    let mut documents = Documents::new();
    let resolve = lookups(outline, &mut documents)?;
    let variables: Vec<Variable> = outline.send.iter().map(variable).collect();
    let answer = Answer::new(operation, field, outline, &variables)?;
    let name = name_from_id(id);
    let sent = document(&name, operation, &variables, &answer.selection);
    documents.insert(name.clone(), sent);
    let mut input = properties(outline.input.iter())?;
    if outline.pages.is_some() {
        add_page_inputs(
            &mut input,
            true,
            outline.largest_page.unwrap_or(LARGEST_PAGE),
        );
    }
    input["additionalProperties"] = json!(false);
    let has_cli = outline.service.is_none();
    let card = RawCard {
        capability_id: id.to_owned(),
        version: "1.0.0".to_owned(),
        service: outline.service.clone(),
        description: outline.description.clone(),
        operation: Some(operation),
        effects: Vec::new(),
        input_schema: input,
        output_schema: answer.schema,
        routing: RawRouting {
            preferred: Some(Route::Graphql),
            fallbacks: has_cli.then_some(Route::Cli).into_iter().collect(),
            ..RawRouting::default()
        },
        graphql: Some(RawGraphql {
            document: None,
            operation: Some(name),
            variables: variables
                .into_iter()
                .map(|variable| (variable.name, variable.value))
                .collect(),
            resolve,
            unchanged: None,
            refuse: None,
            verify: None,
            output: Some(answer.output),
            pagination: answer.pagination,
            limits: outline.pages.map(|_| RawGraphqlLimits {
                max_page_size: outline.largest_page.unwrap_or(LARGEST_PAGE),
            }),
        }),
        no_graphql: None,
        rest: None,
        cli: has_cli.then(|| RawCli {
            api: Some(ApiKind::Graphql),
            command: None,
            args: None,
            json_fields: Vec::new(),
            output: None,
            overfetch: false,
            limits: None,
        }),
        request: None,
        combine: Vec::new(),
        list: answer.list,
        line: RawLine {
            positional: positional(outline),
            ..RawLine::default()
        },
        names: Vec::new(),
        next: Vec::new(),
        mend: IndexMap::new(),
        intents: Vec::new(),
        examples: Vec::new(),
        deprecated: outline.deprecated.as_ref().map(deprecation),
    };
    Ok((card, documents))
}

/// Returns the inputs that a line may give without a flag: the required numbers and texts. Lines have a repository of
/// their own.
fn positional(outline: &Outline) -> Vec<String> {
    let is_of_github = outline.service.is_none();
    let inputs = outline.input.iter();
    let inputs = inputs.filter(|(name, notation)| {
        let is_repository = is_of_github && matches!(name.as_str(), "owner" | "repo");
        !name.ends_with('?') && notation.is_string() && !is_repository
    });
    inputs.map(|(name, _)| name.clone()).collect()
}

/// Reads `TYPE` or `TYPE = EXPRESSION`. Without an expression, the variable takes the input of its name.
fn variable((name, stated): (&String, &String)) -> Variable {
    let (ty, value) = split_place(stated);
    Variable {
        name: name.clone(),
        ty: ty.to_owned(),
        value: match value {
            Some(value) => value.to_owned(),
            None => format!("$input.{}", snake_case(name)),
        },
    }
}

/// Returns a name as inputs are spelled: `createdAt` becomes `created_at`.
pub fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    let mut before: Option<char> = None;
    let letters: Vec<char> = name.chars().collect();
    for (index, c) in letters.iter().enumerate() {
        if c.is_ascii_uppercase() {
            let is_start = before.is_some_and(|it| it.is_ascii_lowercase() || it.is_ascii_digit());
            let follows = letters.get(index + 1).is_some_and(char::is_ascii_lowercase);
            let ends_capitals = before.is_some_and(|it| it.is_ascii_uppercase()) && follows;
            if is_start || ends_capitals {
                snake.push('_');
            }
        }
        snake.push(c.to_ascii_lowercase());
        before = Some(*c);
    }
    snake
}

/// The answer of an outline.
struct Answer {
    schema: Value,
    output: RawOutput,
    list: Option<RawList>,
    pagination: Option<RawGraphqlPagination>,
    selection: Selection,
}

impl Answer {
    fn new(
        operation: Operation,
        field: &str,
        outline: &Outline,
        variables: &[Variable],
    ) -> Result<Self, String> {
        let root = root_step(field, variables);
        let root = Place { steps: vec![root] };
        let inner = match &outline.at {
            Some(at) => Place::parse(at)?,
            None => Place::default(),
        };
        let mut selection = Selection::default();
        match (&outline.rows, &outline.output, outline.answer) {
            (None, Some(fields), None) => {
                let mut reader = AnswerReader::new(&mut selection);
                let asked = root.then(&inner);
                // A payload that is null means that a write failed. Nothing else is promised of a write.
                let (read, root) = match operation {
                    Operation::Write => (inner, root.path()),
                    Operation::Read => (Place::default(), asked.path()),
                };
                let (schema, mappings) = reader.object(fields.iter(), &asked, &read)?;
                Ok(Self {
                    schema,
                    output: output(Some(root), mappings),
                    list: None,
                    pagination: None,
                    selection,
                })
            }
            (Some(row), None, None) => Self::rows(outline, &root, &inner, row),
            (None, None, Some(answer)) => {
                let (name, schema, mapping, root_path) = match answer {
                    RawAnswer::Nothing => {
                        selection.add(&root.then(&Place::parse("__typename")?));
                        let schema = json!({"type": "boolean"});
                        (
                            "done",
                            schema,
                            "__typename != null".to_owned(),
                            Some(root.path()),
                        )
                    }
                    _ => {
                        selection.add(&root.then(&inner));
                        ("answer", json!({}), root.path(), None)
                    }
                };
                let schema = json!({"type": "object", "properties": {name: schema}});
                let mappings = Map::from_iter([(name.to_owned(), json!(mapping))]);
                Ok(Self {
                    schema,
                    output: output(root_path, mappings),
                    list: None,
                    pagination: None,
                    selection,
                })
            }
            _ => Err("expected exactly one of `rows`, `output` and `answer`".to_owned()),
        }
    }

    fn rows(outline: &Outline, root: &Place, inner: &Place, row: &Value) -> Result<Self, String> {
        let Value::Object(fields) = row else {
            return Err("the rows of a GraphQL operation are objects".to_owned());
        };
        let root_path = root.path();
        let noun = snake_case(&root_path);
        let mut selection = Selection::default();
        let asked = root.then(inner);
        let mut reader = AnswerReader::new(&mut selection);
        let (row, mappings) = reader.object(fields.iter(), &asked, &Place::default())?;
        let (output_root, each) = if inner.steps.is_empty() {
            (None, root_path.clone())
        } else {
            (Some(root_path.clone()), inner.path())
        };
        let rows = json!({"each": each, "fields": mappings});
        let pagination = outline.pages.map(|_| {
            for place in ["hasNextPage", "endCursor"] {
                let page = [PlaceStep::named("pageInfo"), PlaceStep::named(place)];
                let page = Place {
                    steps: page.to_vec(),
                };
                selection.add(&root.then(&page));
            }
            if let Some(total) = &outline.total {
                let steps = vec![PlaceStep::named(total)];
                selection.add(&root.then(&Place { steps }));
            }
            RawGraphqlPagination {
                has_next_page: format!("{root_path}.pageInfo.hasNextPage"),
                end_cursor: format!("{root_path}.pageInfo.endCursor"),
                total: outline
                    .total
                    .as_ref()
                    .map(|total| format!("{root_path}.{total}")),
            }
        });
        let schema = json!({
            "type": "object",
            "properties": {&noun: {"type": "array", "items": row}},
        });
        Ok(Self {
            schema,
            output: output(output_root, Map::from_iter([(noun.clone(), rows)])),
            list: Some(RawList {
                empty: format!("no {}", noun.replace('_', " ")),
                field: noun,
                title: None,
                order: None,
                columns: Vec::new(),
                always: Vec::new(),
            }),
            pagination,
            selection,
        })
    }
}

/// Returns the field that is called, with its arguments.
fn root_step(field: &str, variables: &[Variable]) -> PlaceStep {
    let (name, is_in_input) = match field.strip_suffix(IN_INPUT) {
        Some(name) => (name, true),
        None => (field, false),
    };
    let arguments: Vec<String> = variables
        .iter()
        .map(|variable| format!("{0}: ${0}", variable.name))
        .collect();
    let arguments = arguments.join(", ");
    let arguments = match (arguments.is_empty(), is_in_input) {
        (_, true) => Some(format!("input: {{{arguments}}}")),
        (false, false) => Some(arguments),
        (true, false) => None,
    };
    PlaceStep::Field {
        name: name.to_owned(),
        arguments,
        is_each: false,
    }
}

fn output(root: Option<String>, fields: Map<String, Value>) -> RawOutput {
    RawOutput {
        root,
        require: None,
        fields: fields.into_iter().collect(),
        warn: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outline::camel_case;

    #[test]
    fn names_have_two_spellings() {
        for (camel, snake) in [
            ("title", "title"),
            ("createdAt", "created_at"),
            ("projectV2", "project_v2"),
            ("bodyHTML", "body_html"),
            ("htmlURLOf", "html_url_of"),
        ] {
            assert_eq!(snake_case(camel), snake);
        }
        assert_eq!(camel_case("created_at"), "createdAt");
        assert_eq!(camel_case("__typename"), "__typename");
    }
}
