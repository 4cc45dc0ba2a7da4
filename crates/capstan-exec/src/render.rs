//! Renders the exact request from a card, the input and the lookups.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Map, Value, json};

use capstan_core::card::{CliArg, CliCommand, FileParts, GraphqlDocument, Operation, RestCall};
use capstan_core::expr::{Expr, Scope, Template};
use capstan_core::{
    AnswerFormat, CliAnswer, CliRequest, ErrorCode, FileSelection, GraphqlRequest, RestRequest,
    ResultError, RouteRequest,
};
use indexmap::IndexMap;

use crate::form::{add_pairs, form_body};
use crate::raw_body::raw_body;

/// The transport of a GraphQL or REST request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Transport {
    Http,
    /// Through `gh api`.
    Gh,
}

/// Encodes everything but the unreserved characters, so that no input can add a segment or a parameter.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~');

pub(crate) fn graphql(
    document: &GraphqlDocument,
    variables: &IndexMap<String, Expr>,
    scope: &Scope<'_>,
    transport: Transport,
) -> RouteRequest {
    let variables: Map<String, Value> = variables
        .iter()
        .filter_map(|(name, expr)| Some((name.clone(), expr.eval(scope)?)))
        .collect();
    match transport {
        Transport::Http => RouteRequest::Graphql(GraphqlRequest {
            operation_name: document.operation_name.clone(),
            document: document.text.clone(),
            variables,
            operation: document.operation,
        }),
        Transport::Gh => {
            let body = json!({
                "query": document.text,
                "operationName": document.operation_name,
                "variables": variables,
            });
            RouteRequest::Cli(CliRequest {
                args: texts(&["api", "graphql", "--include", "--input", "-"]),
                stdin: Some(body.to_string()),
                operation: document.operation,
                answer: CliAnswer::Http(AnswerFormat::Json),
            })
        }
    }
}

/// Renders a REST request. `next` are the parameters of the page that the caller continues with.
pub(crate) fn rest(
    call: &RestCall,
    scope: &Scope<'_>,
    next: &[(String, String)],
    transport: Transport,
) -> Result<RouteRequest, ResultError> {
    let missing = || {
        ResultError::new(
            ErrorCode::Validation,
            "a part of the request's path has no value in the input",
        )
    };
    let mut path = call
        .path
        .render_with(scope, encode_segment)
        .ok_or_else(missing)?;
    let parameters = call.query.iter().filter_map(|(name, parts)| {
        let values: Vec<_> = parts.iter().filter_map(|part| part.render(scope)).collect();
        (!values.is_empty()).then(|| (name.clone(), values.join(" ")))
    });
    let mut of_lists = Vec::new();
    for (name, list) in &call.service.lists {
        if let Some(value) = list.value.value(scope) {
            add_pairs(&mut of_lists, name, &value, list.style);
        }
    }
    let parameters = parameters.chain(of_lists).chain(next.iter().cloned());
    for (at, (name, value)) in parameters.enumerate() {
        path.push(if at == 0 { '?' } else { '&' });
        path.push_str(&format!("{}={}", encode(&name), encode(&value)));
    }
    let body = call.body.as_ref().and_then(|body| body.render(scope));
    let raw = call.raw.as_ref().map(|raw| raw_body(raw, scope));
    let mut raw = raw.transpose()?;
    let mut body = body;
    if let Some(styles) = &call.service.form {
        raw = Some(form_body(body.take().as_ref(), styles));
    }
    let headers = call.service.headers.iter();
    let headers = headers.filter_map(|(name, value)| Some((name.clone(), value.render(scope)?)));
    let method = call.method;
    let accept = call.accept.clone();
    Ok(match transport {
        Transport::Http => RouteRequest::Rest(RestRequest {
            method,
            path,
            body,
            raw,
            host: call.host,
            accept,
            headers: headers.collect(),
            operation: call.operation,
            answer: call.answer,
            file: selection(&call.file, scope)?,
        }),
        Transport::Gh => {
            let mut args = texts(&["api", "--include", "--method", method.as_str()]);
            // Without the leading slash: some shells on Windows would turn it into a folder.
            args.push(path.trim_start_matches('/').to_owned());
            if let Some(accept) = accept {
                args.push(format!("--header=Accept: {accept}"));
            }
            if body.is_some() {
                args.extend(texts(&["--input", "-"]));
            }
            RouteRequest::Cli(CliRequest {
                args,
                stdin: body.map(|body| body.to_string()),
                operation: call.operation,
                answer: CliAnswer::Http(call.answer),
            })
        }
    })
}

/// Reads what the caller wants of a file.
fn selection(parts: &FileParts, scope: &Scope<'_>) -> Result<FileSelection, ResultError> {
    let given = |part: &Option<Template>| part.as_ref().and_then(|part| part.render(scope));
    FileSelection::parse(
        given(&parts.entry),
        given(&parts.lines).as_deref(),
        given(&parts.tail).as_deref(),
        given(&parts.find),
    )
}

pub(crate) fn command(
    command: &CliCommand,
    scope: &Scope<'_>,
    input: &Value,
    variables: &Map<String, Value>,
) -> Result<RouteRequest, ResultError> {
    check_repository(input)?;
    let mut args = command.command.clone();
    for arg in &command.args {
        match arg {
            CliArg::One(template) => args.extend(argument(template, scope)?),
            CliArg::When { when, arg } => {
                if when.holds(scope) {
                    args.extend(argument(arg, scope)?);
                }
            }
            CliArg::Each { each, arg } => {
                let Some(Value::Array(items)) = each.eval(scope) else {
                    continue;
                };
                for item in items {
                    let mut variables = variables.clone();
                    variables.insert("item".to_owned(), item.clone());
                    args.extend(argument(arg, &Scope::new(&item, &variables))?);
                }
            }
        }
    }
    if !command.json_fields.is_empty() {
        args.push(format!("--json={}", command.json_fields.join(",")));
    }
    Ok(RouteRequest::Cli(CliRequest {
        args,
        stdin: None,
        operation: Operation::Read,
        answer: CliAnswer::Json,
    }))
}

/// Refuses input that `gh` would read as a flag.
fn argument(template: &Template, scope: &Scope<'_>) -> Result<Option<String>, ResultError> {
    let text = template.render(scope);
    match text.as_deref() {
        Some(text) if template.starts_with_blank() && text.starts_with('-') => {
            Err(ResultError::new(
                ErrorCode::Validation,
                format!(
                    "gh would read `{text}` as a flag: expected a value that does not start with `-`"
                ),
            ))
        }
        _ => Ok(text),
    }
}

/// Refuses repositories with a slash in a part: `gh` reads `HOST/OWNER/REPO` and whole addresses as repositories, so the
/// input would choose the host that gets the token.
fn check_repository(input: &Value) -> Result<(), ResultError> {
    for name in ["owner", "repo"] {
        let text = input.get(name).and_then(Value::as_str).unwrap_or_default();
        let odd =
            |c: char| matches!(c, '/' | '\\' | ':' | '@') || c.is_whitespace() || c.is_control();
        if text.contains(odd) || text.starts_with('-') {
            let message =
                format!("`{name}` is {text:?}: expected a plain name, as in `acme` or `rocket`");
            return Err(ResultError::new(ErrorCode::Validation, message));
        }
    }
    Ok(())
}

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

fn encode(text: &str) -> String {
    utf8_percent_encode(text, ENCODED).to_string()
}

/// Refuses `.` and `..`: they have a meaning in a path even if they come from the input.
fn encode_segment(text: &str) -> String {
    match text {
        "." => "%2E".to_owned(),
        ".." => "%2E%2E".to_owned(),
        other => encode(other),
    }
}
