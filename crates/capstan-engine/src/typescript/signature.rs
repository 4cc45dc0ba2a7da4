//! One capability as a function: what `explain` gives to whoever writes code.

use serde_json::Value;

use capstan_core::card::{Card, Kind};

use super::schema::{TypeWriter, may_be_empty, property_name};

/// The types of a capability's function.
pub(super) struct FunctionTypes {
    /// `input: {…}`, or `input?: {…}` where it can be left out.
    pub(super) input: String,
    pub(super) output: String,
    /// The type of a row, where all pages of a list can be read.
    pub(super) row: Option<String>,
}

impl FunctionTypes {
    pub(super) fn of(card: &Card) -> Self {
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
        let input = match TypeWriter::new(&card.input_schema).whole() {
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
            TypeWriter::new(&card.output_schema).whole()
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

/// The signature of a capability, as code calls it: `capstan.issue.view(input: {…}, options?: {…}): Promise<{…}>`.
pub fn signature(card: &Card) -> String {
    let types = FunctionTypes::of(card);
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

/// How code says it: `capstan.issue.view`, `mcp.files["read-all"]`, `caps.report`.
fn path(card: &Card) -> String {
    let (root, names) = place(card);
    let names = names.iter().map(|name| match property_name(name) {
        plain if plain == *name => format!(".{plain}"),
        quoted => format!("[{quoted}]"),
    });
    format!("{root}{}", names.collect::<String>())
}

/// The object that has the function, and the names on the way to it.
pub(super) fn place(card: &Card) -> (&'static str, Vec<String>) {
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
    let list = card.list.as_ref().filter(|_| card.pages())?;
    let rows = card.output_schema.get("properties")?.get(&list.field)?;
    let items = rows.get("items").unwrap_or(&Value::Null);
    Some(TypeWriter::new(&card.output_schema).part(items))
}
