//! Turns an outline into a card.

use indexmap::IndexMap;
use serde_json::{Map, Value, json};

use capstan_core::card::{ApiKind, ListStyle, Operation, PageStyle};
use capstan_core::{AnswerFormat, ApiHost, Method, Route};

use super::graphql::{self, is_graphql};
use super::notation::{answer_field, answer_fields, properties};
use super::raw::{Outline, RawAnswer, RawPages};
use super::{files, names, sealed};
use crate::document::Documents;
use crate::raw::{
    RawCard, RawCli, RawContent, RawDeprecation, RawFollowUp, RawHttpPagination, RawLine, RawList,
    RawListParameter, RawOutput, RawRest, RawRouting,
};

/// The rows of a page, if the caller does not say how many.
const PAGE_SIZE: u64 = 30;

/// The largest page, if the outline does not say.
const LARGEST_PAGE: u64 = 100;

/// Means that the inputs are sent as a form.
const FORM: &str = "form";

/// The host for files, as the description calls it.
const UPLOADS: &str = "uploads.github.com";

/// Why a generated card has no GraphQL route.
const NO_GRAPHQL: &str = "generated from the description of the REST API";

/// Returns the card of an outline with its documents, or what is wrong with the outline.
pub(crate) fn expand(id: &str, outline: &Outline) -> Result<(RawCard, Documents), String> {
    if is_graphql(outline) {
        graphql::expand(id, outline)
    } else {
        expand_rest(id, outline).map(|card| (card, Documents::new()))
    }
}

fn expand_rest(id: &str, outline: &Outline) -> Result<RawCard, String> {
    let request = Request::new(outline)?;
    let answer = Answer::new(&request, outline)?;
    let mut input = properties(outline.input.iter())?;
    names::add_to_schema(outline, &mut input["properties"])?;
    if outline.pages.is_some() {
        let largest = outline.largest_page.unwrap_or(LARGEST_PAGE);
        add_page_inputs(&mut input, page_size(outline).is_some(), largest);
    }
    let is_file = files::is_file(outline);
    let raw = raw_content(outline);
    let host = match outline.host.as_deref() {
        None => ApiHost::Api,
        Some(UPLOADS) => ApiHost::Uploads,
        Some(other) => return Err(format!("`{other}` is no host of GitHub's API")),
    };
    let is_only_http = is_file || raw.is_some() || !host.is_usual();
    if is_file {
        files::add_inputs(outline, &mut input["properties"]);
    }
    input["additionalProperties"] = json!(false);
    // Lines have a repository of their own.
    let is_of_github = outline.service.is_none();
    let is_repository = |name: &&String| is_of_github && matches!(name.as_str(), "owner" | "repo");
    let positional = request.in_path.iter();
    let positional = positional
        .filter(|name| !is_repository(name))
        .cloned()
        .collect();
    // `gh` prints a file as it is, keeps its token when it is sent to another host, and its other bodies are JSON.
    let has_cli = is_of_github && !is_only_http;
    let pagination = outline.pages.map(|pages| RawHttpPagination {
        style: match pages {
            RawPages::Page => PageStyle::Numbers,
            RawPages::Cursor | RawPages::CursorParam | RawPages::Since | RawPages::Link => {
                PageStyle::Links
            }
        },
        total: outline.total.clone(),
        incomplete: None,
    });
    Ok(RawCard {
        capability_id: id.to_owned(),
        version: "1.0.0".to_owned(),
        service: outline.service.clone(),
        description: outline.description.clone(),
        operation: Some(request.operation),
        effects: Vec::new(),
        input_schema: input,
        output_schema: answer.schema,
        routing: RawRouting {
            preferred: Some(Route::Rest),
            fallbacks: if has_cli {
                vec![Route::Cli]
            } else {
                Vec::new()
            },
            ..RawRouting::default()
        },
        graphql: None,
        no_graphql: is_of_github.then(|| NO_GRAPHQL.to_owned()),
        rest: Some(RawRest {
            method: request.method.as_str().to_owned(),
            reads: outline.reads,
            query: request.query(outline),
            lists: request.lists(outline),
            body: request.body(outline)?,
            raw,
            form: request.form(outline),
            headers: headers(outline),
            host,
            path: names::with_ids(outline, &request.path),
            accept: outline.accept.clone(),
            answer: match outline.answer {
                Some(RawAnswer::Text) => AnswerFormat::Text,
                Some(RawAnswer::YesOrNo) => AnswerFormat::YesOrNo,
                Some(RawAnswer::Redirect | RawAnswer::File) => AnswerFormat::File,
                Some(RawAnswer::Log) => AnswerFormat::Log,
                Some(RawAnswer::Diff) => AnswerFormat::Diff,
                Some(RawAnswer::Nothing | RawAnswer::Any) | None => AnswerFormat::Json,
            },
            file: is_file.then(|| files::parts(outline)),
            resolve: names::lookups(outline)
                .into_iter()
                .chain(sealed::key_lookup(outline))
                .collect(),
            seal: sealed::sealed_input(outline),
            unchanged: None,
            refuse: None,
            verify: None,
            output: Some(answer.output),
            pagination,
        }),
        cli: has_cli.then(|| RawCli {
            api: Some(ApiKind::Rest),
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
            positional,
            ..RawLine::default()
        },
        names: Vec::new(),
        next: follow_ups(outline),
        mend: IndexMap::new(),
        intents: Vec::new(),
        examples: Vec::new(),
        deprecated: outline.deprecated.as_ref().map(deprecation),
    })
}

/// The request of an outline.
struct Request {
    method: Method,
    operation: Operation,
    path: String,
    /// The inputs in the path.
    in_path: Vec<String>,
}

impl Request {
    fn new(outline: &Outline) -> Result<Self, String> {
        let (method, path) = outline
            .call
            .split_once(' ')
            .ok_or("`call` must be a method and a path")?;
        let method = Method::ALL
            .into_iter()
            .find(|known| known.as_str() == method)
            .ok_or_else(|| format!("`{method}` is not a method"))?;
        let operation = if outline.reads {
            Operation::Read
        } else {
            method.operation()
        };
        let blanks = path.split('{').skip(1);
        let in_path = blanks
            .filter_map(|rest| rest.split_once('}'))
            .map(|(name, _)| name.trim_start_matches('+').to_owned())
            .collect();
        Ok(Self {
            method,
            operation,
            path: path.to_owned(),
            in_path,
        })
    }

    /// Returns whether inputs that are not in the path go into the body.
    fn has_body(&self, outline: &Outline) -> bool {
        match self.method {
            Method::Get | Method::Head => false,
            Method::Delete => outline.body.is_some() || !outline.query.is_empty(),
            Method::Post | Method::Put | Method::Patch => true,
        }
    }

    /// Returns the inputs that are not in the path, without the mark of optional ones.
    fn others<'a>(&'a self, outline: &'a Outline) -> impl Iterator<Item = &'a str> {
        let names = outline.input.keys();
        let names = names.map(|name| name.strip_suffix('?').unwrap_or(name));
        let names = names.filter(|name| !outline.headers.contains_key(*name));
        names.filter(|name| !self.in_path.iter().any(|known| known == name))
    }

    fn query(&self, outline: &Outline) -> IndexMap<String, Value> {
        let has_body = self.has_body(outline);
        let is_in_query =
            |name: &&str| !has_body || outline.query.iter().any(|known| known == name);
        let names = self.others(outline).filter(is_in_query);
        let names = names.filter(|name| !outline.lists.contains_key(*name));
        let mut query: IndexMap<String, Value> = names
            .map(|name| {
                let sent = sent_name(outline, name).to_owned();
                (sent, json!(blank_of(outline, name)))
            })
            .collect();
        if let Some(name) = page_size(outline).filter(|_| outline.pages.is_some()) {
            query.insert(name.to_owned(), json!("{$page.size}"));
        }
        if outline.pages == Some(RawPages::Page) {
            let name = outline.page_number.as_deref().unwrap_or("page");
            query.insert(name.to_owned(), json!("{$page.number}"));
        }
        query
    }

    /// Returns the parameters of the query that are lists or objects.
    fn lists(&self, outline: &Outline) -> IndexMap<String, RawListParameter> {
        let has_body = self.has_body(outline);
        let is_in_query = |name: &str| !has_body || outline.query.iter().any(|known| known == name);
        let lists = outline.lists.iter().filter(|(name, _)| is_in_query(name));
        let lists = lists.map(|(name, style)| {
            let value = blank(name);
            let style = *style;
            (
                sent_name(outline, name).to_owned(),
                RawListParameter { value, style },
            )
        });
        lists.collect()
    }

    /// Returns the styles of fields that are lists, if the body is a form.
    fn form(&self, outline: &Outline) -> Option<IndexMap<String, ListStyle>> {
        let is_form = self.has_body(outline) && outline.body.as_deref() == Some(FORM);
        let is_in_query = |name: &str| outline.query.iter().any(|known| known == name);
        let styles = outline.lists.iter().filter(|(name, _)| !is_in_query(name));
        let styles = styles.map(|(name, style)| (sent_name(outline, name).to_owned(), *style));
        is_form.then(|| styles.collect())
    }

    fn body(&self, outline: &Outline) -> Result<Option<Value>, String> {
        if !self.has_body(outline) {
            return Ok(None);
        }
        // `fields` only says that a DELETE has a body.
        let is_whole = |body: &&String| *body != "fields" && *body != FORM;
        if let Some(whole) = outline.body.as_ref().filter(is_whole) {
            let (kind, name) = whole.split_once(' ').unwrap_or((whole, ""));
            match kind {
                "list" | "value" => return Ok(Some(json!(blank_of(outline, name)))),
                "raw" => return Ok(None),
                _ => return Err(format!("`{whole}` is not supported as a body")),
            }
        }
        let is_in_query = |name: &&str| outline.query.iter().any(|known| known == name);
        let names = self.others(outline).filter(|name| !is_in_query(name));
        let fields: Map<String, Value> = names
            .map(|name| {
                let field = sent_name(outline, name);
                let is_sealed = outline.sealed.as_deref() == Some(name);
                let value = if is_sealed {
                    sealed::SEALED_BLANK.to_owned()
                } else {
                    blank_of(outline, name)
                };
                (field.to_owned(), json!(value))
            })
            .chain(sealed::key_field(outline))
            .collect();
        Ok((!fields.is_empty()).then_some(Value::Object(fields)))
    }

    /// Returns what the rows of a list are called: the last word of the path that is not a blank.
    fn noun(&self) -> String {
        let parts = self.path.rsplit('/');
        let mut words = parts.filter(|part| !part.is_empty() && !part.contains('{'));
        words.next().unwrap_or("rows").replace(['-', '.'], "_")
    }
}

/// The answer of an outline.
struct Answer {
    schema: Value,
    output: RawOutput,
    list: Option<RawList>,
}

impl Answer {
    fn new(request: &Request, outline: &Outline) -> Result<Self, String> {
        match (&outline.rows, &outline.output, outline.answer) {
            (Some(row), None, None) => Self::rows(request, outline, row),
            (None, Some(fields), None) => {
                let (schema, mappings) = answer_fields(fields.iter())?;
                Ok(Self::object(schema, mappings))
            }
            (None, None, Some(_)) if files::is_file(outline) => {
                let (schema, mappings) = answer_fields(files::fields(outline).iter())?;
                Ok(Self::object(schema, mappings))
            }
            (None, None, Some(answer)) => {
                let (name, schema, mapping) = match answer {
                    RawAnswer::Nothing if outline.accepted => {
                        ("accepted", json!({"type": "boolean"}), "true")
                    }
                    RawAnswer::Nothing => ("done", json!({"type": "boolean"}), "true"),
                    RawAnswer::YesOrNo => ("answer", json!({"type": "boolean"}), "."),
                    RawAnswer::Text => ("text", json!({"type": "string"}), "."),
                    _ => ("answer", json!({}), "."),
                };
                let schema = json!({"type": "object", "properties": {name: schema}});
                let mappings = Map::from_iter([(name.to_owned(), json!(mapping))]);
                Ok(Self::object(schema, mappings))
            }
            _ => Err("expected exactly one of `rows`, `output` and `answer`".to_owned()),
        }
    }

    fn object(schema: Value, mappings: Map<String, Value>) -> Self {
        Self {
            schema,
            output: output(mappings),
            list: None,
        }
    }

    fn rows(request: &Request, outline: &Outline, row: &Value) -> Result<Self, String> {
        let noun = request.noun();
        let place = outline.at.as_deref().unwrap_or(".");
        let Value::Object(fields) = row else {
            let row = answer_field(&noun, &json!([row]))?;
            let schema = json!({"type": "object", "properties": {&noun: row.schema}});
            return Ok(Self::object(schema, Map::from_iter([(noun, json!(place))])));
        };
        let (row, mappings) = answer_fields(fields.iter())?;
        let schema = json!({
            "type": "object",
            "properties": {&noun: {"type": "array", "items": row}},
        });
        let rows = json!({"each": place, "fields": mappings});
        Ok(Self {
            schema,
            output: output(Map::from_iter([(noun.clone(), rows)])),
            list: Some(RawList {
                empty: format!("no {}", noun.replace('_', " ")),
                field: noun,
                title: None,
                order: None,
                columns: Vec::new(),
                always: Vec::new(),
            }),
        })
    }
}

/// Returns what an input is called where it is sent.
fn sent_name<'a>(outline: &'a Outline, input: &'a str) -> &'a str {
    let renamed = outline.send.iter().find(|(_, known)| *known == input);
    renamed.map_or(input, |(name, _)| name)
}

/// Returns the headers of a request, each with its input.
fn headers(outline: &Outline) -> IndexMap<String, String> {
    let headers = outline.headers.iter();
    headers
        .map(|(input, header)| (header.clone(), blank(input)))
        .collect()
}

/// Returns the parameter for the rows per page; `None` if the service has none.
fn page_size(outline: &Outline) -> Option<&str> {
    let of_github = outline.service.is_none().then_some("per_page");
    outline.page_size.as_deref().or(of_github)
}

fn output(fields: Map<String, Value>) -> RawOutput {
    RawOutput {
        root: None,
        require: None,
        fields: fields.into_iter().collect(),
        warn: Vec::new(),
    }
}

/// Returns the input that is sent as it is, with the inputs that tell its type.
fn raw_content(outline: &Outline) -> Option<RawContent> {
    let input = outline.body.as_deref()?.strip_prefix("raw ")?;
    let if_given = |name: &str| {
        let mut names = outline.input.keys();
        let is_there = names.any(|known| known.strip_suffix('?').unwrap_or(known) == name);
        is_there.then(|| blank(name))
    };
    Some(RawContent {
        input: input.to_owned(),
        media_type: if_given("content_type"),
        name: if_given("name"),
    })
}

/// Returns the blank of an input that may be a name.
fn blank_of(outline: &Outline, name: &str) -> String {
    format!("{{{}}}", names::expression(outline, name))
}

/// Returns the blank of an input. Its name may be a word of the language of expressions.
pub(super) fn blank(name: &str) -> String {
    format!("{{$input.{name}}}")
}

/// Returns the calls that are likely to follow.
fn follow_ups(outline: &Outline) -> Vec<RawFollowUp> {
    let calls = outline.next.iter().map(|(capability, input)| {
        let input = input.iter();
        let input = input.map(|(name, value)| (name.clone(), json!(format!("{{{value}}}"))));
        RawFollowUp {
            capability: capability.clone(),
            input: Value::Object(input.collect()),
            when: None,
        }
    });
    calls.collect()
}

/// Adds the inputs of a list that has pages.
pub(super) fn add_page_inputs(input: &mut Value, has_size: bool, largest: u64) {
    if has_size {
        let usual = PAGE_SIZE.min(largest);
        input["properties"]["first"] =
            json!({"type": "integer", "minimum": 1, "maximum": largest, "default": usual});
    }
    input["properties"]["after"] = json!({"type": "string", "minLength": 1});
}

pub(super) fn deprecation(stated: &Value) -> RawDeprecation {
    RawDeprecation {
        since: "1.0.0".to_owned(),
        sunset: stated.as_str().map(str::to_owned),
        replacement: None,
    }
}
