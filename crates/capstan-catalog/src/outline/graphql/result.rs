//! What the card of a GraphQL outline returns: its schema, its output, its pages, and what its document asks for.

use capstan_core::card::Operation;
use serde_json::{Map, Value, json};

use super::answer::AnswerReader;
use super::document::Variable;
use super::place::{Place, PlaceStep};
use super::selection::Selection;
use super::spelling::snake_case;
use crate::outline::raw::{Outline, RawAnswer};
use crate::raw::{RawGraphqlPagination, RawList, RawOutput};

/// Marks that the arguments are fields of the argument `input`.
const IN_INPUT: &str = "(input)";

/// What a card returns, and what has to be asked for.
pub(super) struct CardResult {
    pub(super) schema: Value,
    pub(super) output: RawOutput,
    pub(super) list: Option<RawList>,
    pub(super) pagination: Option<RawGraphqlPagination>,
    pub(super) selection: Selection,
}

impl CardResult {
    pub(super) fn new(
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
