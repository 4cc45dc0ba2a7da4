//! Reads an operation of a description.

use serde_json::Value;

use super::document::{Document, Placed};
use super::read_schema::read_schema;
use super::{Answer, Body, Method, Operation, Parameter, Place, Schema, ValueStyle};
use crate::Problem;

/// The media type of forms.
pub(crate) const FORM: &str = "application/x-www-form-urlencoded";

/// Reads an operation. `shared` are the parameters of all operations with this path.
pub(super) fn read_operation<'a>(
    document: &'a Document,
    method: Method,
    path: &str,
    shared: Option<&'a Value>,
    placed: &Placed<'a>,
) -> Result<Operation, Problem> {
    let unnamed = || {
        let is_usable = document.is_of_service();
        is_usable.then(|| format!("{} {path}", method.name()))
    };
    let named = placed.text("operationId").map(str::to_owned);
    let Some(id) = named.or_else(unnamed) else {
        return Err(placed.problem("expected an `operationId`"));
    };
    if !path.starts_with('/') {
        return Err(placed.problem("the path must start with `/`"));
    }
    let shared = shared.map(|value| Placed {
        value,
        pointer: placed.pointer.clone(),
    });
    let mut parameters = Vec::new();
    for list in placed.get("parameters").into_iter().chain(shared) {
        for parameter in list.items() {
            let parameter = read_parameter(document, &parameter)?;
            let is_known =
                |known: &Parameter| known.place == parameter.place && known.name == parameter.name;
            if !parameters.iter().any(is_known) {
                parameters.push(parameter);
            }
        }
    }
    let answers = placed.get("responses");
    let answers = answers.map_or_else(Vec::new, |answers| answers.entries());
    let notes = placed.get("x-github");
    let notes = notes.as_ref();
    let servers = placed.get("servers");
    let server = servers.and_then(|servers| servers.items().first()?.text("url"));
    Ok(Operation {
        pointer: placed.pointer.clone(),
        id,
        method,
        path: path.to_owned(),
        summary: placed.text("summary").unwrap_or_default().to_owned(),
        description: placed.text("description").unwrap_or_default().to_owned(),
        tags: placed.get("tags").map_or_else(Vec::new, |tags| {
            let tags = tags.items().into_iter();
            tags.filter_map(|tag| tag.value.as_str().map(str::to_owned))
                .collect()
        }),
        parameters,
        body: match placed.get("requestBody") {
            Some(body) => {
                let name = notes.and_then(|notes| notes.text("requestBodyParameterName"));
                Some(read_body(document, &body, name)?)
            }
            None => None,
        },
        answers: answers
            .into_iter()
            .filter_map(|(status, answer)| Some((status_of(status, document)?, answer)))
            .map(|(status, answer)| read_answer(document, status, &answer))
            .collect::<Result<_, _>>()?,
        server: server.map(str::to_owned),
        is_deprecated: placed.flag("deprecated"),
        removal: notes
            .and_then(|notes| notes.text("removalDate"))
            .map(str::to_owned),
    })
}

fn read_parameter<'a>(document: &'a Document, placed: &Placed<'a>) -> Result<Parameter, Problem> {
    let placed = document.resolve(placed)?;
    let Some(name) = placed.text("name") else {
        return Err(placed.problem("expected the name of the parameter"));
    };
    let place = match placed.text("in") {
        Some("path") => Place::Path,
        Some("query") => Place::Query,
        Some("header") if document.is_of_service() => Place::Header,
        Some("cookie") if document.is_of_service() => Place::Cookie,
        _ => return Err(placed.problem("`in` must be `path` or `query`")),
    };
    let maximum = placed.get("schema").and_then(|schema| {
        let schema = document.resolve(&schema).ok()?;
        schema.value.get("maximum")?.as_u64()
    });
    Ok(Parameter {
        maximum,
        pointer: placed.pointer.clone(),
        name: name.to_owned(),
        place,
        is_required: place == Place::Path || placed.flag("required"),
        has_slashes: placed.flag("x-multi-segment"),
        style: read_style(&placed),
        schema: match placed.get("schema") {
            Some(schema) => read_schema(document, &schema)?,
            None => Schema::any(),
        },
    })
}

fn read_body<'a>(
    document: &'a Document,
    placed: &Placed<'a>,
    name: Option<&str>,
) -> Result<Body, Problem> {
    let placed = document.resolve(placed)?;
    let content = placed
        .get("content")
        .map_or_else(Vec::new, |it| it.entries());
    let form = content.iter().find(|(name, _)| *name == FORM);
    let encoding = form.and_then(|(_, form)| form.get("encoding"));
    let styles = encoding.map_or_else(Vec::new, |encoding| encoding.entries());
    Ok(Body {
        media: read_media(document, &placed)?,
        is_required: placed.flag("required"),
        styles: styles
            .into_iter()
            .map(|(name, style)| (name.to_owned(), read_style(&style)))
            .collect(),
        name: name.map(str::to_owned),
        pointer: placed.pointer,
    })
}

/// Returns the status of an answer. Services may describe all successes at once.
fn status_of(status: &str, document: &Document) -> Option<u16> {
    let of_service = document.is_of_service().then_some(status);
    match of_service {
        Some("2XX" | "2xx") => Some(200),
        _ => status.parse().ok(),
    }
}

fn read_style(placed: &Placed<'_>) -> ValueStyle {
    ValueStyle {
        name: placed.text("style").map(str::to_owned),
        explode: placed.value.get("explode").and_then(Value::as_bool),
    }
}

fn read_answer<'a>(
    document: &'a Document,
    status: u16,
    placed: &Placed<'a>,
) -> Result<Answer, Problem> {
    let placed = document.resolve(placed)?;
    let headers = placed.get("headers");
    let has_link = headers.is_some_and(|headers| headers.get("Link").is_some());
    // Failures look the same everywhere, so their contents do not matter.
    let media = if status < 300 {
        read_media(document, &placed)?
    } else {
        Vec::new()
    };
    Ok(Answer {
        status,
        has_link,
        media,
    })
}

fn read_media<'a>(
    document: &'a Document,
    placed: &Placed<'a>,
) -> Result<Vec<(String, Schema)>, Problem> {
    let content = placed.get("content");
    let content = content.map_or_else(Vec::new, |content| content.entries());
    let media = content.into_iter().map(|(name, media)| {
        let schema = match media.get("schema") {
            Some(schema) => read_schema(document, &schema)?,
            None => Schema::any(),
        };
        Ok((name.to_owned(), schema))
    });
    media.collect()
}
