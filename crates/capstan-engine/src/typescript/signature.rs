//! The TypeScript signature of one capability, which `explain` shows to authors of code.

use serde_json::Value;

use capstan_core::card::{Card, Kind};

use super::schema::{TypeWriter, may_be_empty, property_name};

/// The types of a capability's function.
pub(super) struct FunctionTypes {
    /// `input: {…}`, or `input?: {…}` if it can be omitted.
    pub(super) input: String,
    pub(super) output: String,
    /// The type of a row, if all pages of a list can be read.
    pub(super) row: Option<String>,
}

impl FunctionTypes {
    pub(super) fn from_card(card: &Card) -> Self {
        let mark = if may_be_empty(&card.input_schema) {
            "?"
        } else {
            ""
        };
        let name = if card.kind() == Kind::Code {
            "args"
        } else {
            "input"
        };
        let input = match TypeWriter::new(&card.input_schema).root_type() {
            unknown if unknown == "unknown" => "Record<string, unknown>".to_owned(),
            known => known,
        };
        let says_nothing = card
            .output_schema
            .as_object()
            .is_none_or(|it| it.is_empty());
        let output = if says_nothing {
            "any".to_owned()
        } else {
            TypeWriter::new(&card.output_schema).root_type()
        };
        Self {
            input: format!("{name}{mark}: {input}"),
            output,
            row: row(card),
        }
    }
}

/// The second argument of every call.
const OPTIONS: &str = "options?: { timeout_ms?: number; signal?: AbortSignal }";

/// Returns the signature of a capability as code calls it: `capstan.issue.view(input: {…}, options?: {…}):
/// Promise<{…}>`.
pub fn signature(card: &Card) -> String {
    let types = FunctionTypes::from_card(card);
    let path = path(card);
    let mut text = format!(
        "{path}({}, {OPTIONS}): Promise<{}>",
        types.input, types.output
    );
    if let Some(row) = &types.row {
        text.push_str(&format!(
            "\n{path}.all(input, options?: {{ limit?: number }}): AsyncIterable<{row}> & PromiseLike<Array<{row}>>"
        ));
    }
    text
}

/// Returns the expression by which code calls it: `capstan.issue.view`, `mcp.files["read-all"]`,
/// `caps.report`.
fn path(card: &Card) -> String {
    let (root, names) = object_path(card);
    let names = names.iter().map(|name| match property_name(name) {
        plain if plain == *name => format!(".{plain}"),
        quoted => format!("[{quoted}]"),
    });
    format!("{root}{}", names.collect::<String>())
}

/// Returns the global object and the property names that lead to the function.
pub(super) fn object_path(card: &Card) -> (&'static str, Vec<String>) {
    let id = card.id.as_str();
    let names = |id: &str| id.split('.').map(str::to_owned).collect();
    match card.kind() {
        Kind::Card | Kind::System => ("capstan", names(id)),
        Kind::Code | Kind::Skill => ("caps", names(id)),
        Kind::Tool => match id.split_once('.') {
            Some((server, tool)) => ("mcp", vec![server.to_owned(), tool.to_owned()]),
            None => ("mcp", vec![id.to_owned()]),
        },
    }
}

fn row(card: &Card) -> Option<String> {
    if !card.is_paged() {
        return None;
    }
    let list = card.list.as_ref()?;
    let rows = card.output_schema.get("properties")?.get(&list.field)?;
    let items = rows.get("items").unwrap_or(&Value::Null);
    Some(TypeWriter::new(&card.output_schema).inner_type(items))
}
