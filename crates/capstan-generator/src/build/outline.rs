//! Builds the outline of an operation from its parts.

use capstan_catalog::outline::{AnswerKind, Outline};
use serde_json::{Value, json};

use super::answer::{AnswerShape, ListShape};
use super::audience::audience_of;
use super::input::add_inputs;
use super::names::add_names;
use super::pages::pages_of;
use super::path::PathBlanks;
use super::projection::{Use, project};
use super::shorten::scalar_word;
use crate::description::{Method, Object, Operation};
use crate::problem::Problem;
use crate::rules::{Rules, lookup};
use crate::wording::description_of;

/// Returns the outline of an operation.
pub(crate) fn outline_of(operation: &Operation, rules: &Rules) -> Result<Outline, Problem> {
    let path = PathBlanks::new(operation, rules)?;
    let mut outline = Outline {
        description: description_of(operation, rules)?,
        call: format!("{} {}", operation.method.name(), path.text),
        source: operation.id.clone(),
        ..Outline::default()
    };
    add_answer(&mut outline, operation, rules);
    let pages = outline.pages;
    add_inputs(&mut outline, operation, &path, pages)?;
    add_marks(&mut outline, operation, rules);
    add_names(&mut outline, rules);
    Ok(outline)
}

fn add_answer(outline: &mut Outline, operation: &Operation, rules: &Rules) {
    let media = lookup(&rules.accept, &operation.id);
    outline.accept = media.map(|media| media.accept.clone());
    if let Some(answer) = lookup(&rules.answers, &operation.id) {
        outline.answer = Some(*answer);
        return;
    }
    let described = media.and_then(|media| media.described.as_deref());
    let other = described.and_then(|name| {
        let mut media = operation.content()?.media.iter();
        media.find(|(known, _)| known == name)
    });
    let shape = match other {
        Some((_, schema)) => AnswerShape::of_schema(schema),
        None => AnswerShape::of(operation),
    };
    match shape {
        AnswerShape::List(list) => add_list(outline, operation, list, rules),
        AnswerShape::Object(object) => add_object(outline, operation, object, rules),
        AnswerShape::YesOrNo => outline.answer = Some(AnswerKind::YesOrNo),
        AnswerShape::Redirect => outline.answer = Some(AnswerKind::Redirect),
        AnswerShape::Text => outline.answer = Some(AnswerKind::Text),
        AnswerShape::Nothing => outline.answer = Some(AnswerKind::Nothing),
        AnswerShape::Any => outline.answer = Some(AnswerKind::Any),
    }
}

fn add_list(outline: &mut Outline, operation: &Operation, list: ListShape<'_>, rules: &Rules) {
    let pages = pages_of(operation);
    if let Some((object, name)) = list.inside {
        let is_object = lookup(&rules.objects, &operation.id).is_some();
        if is_object || (pages.is_none() && list.has_companions()) {
            add_object(outline, operation, object, rules);
            return;
        }
        outline.at = Some(name.to_owned());
    }
    let written = lookup(&rules.answer_fields.written, &operation.id);
    let fields = match (written, list.items.as_object()) {
        (Some(written), _) => Some(written.clone()),
        (None, Some(object)) => Some(project(object, Use::Row, rules)),
        (None, None) => None,
    };
    let row = match fields {
        Some(fields) if fields.is_empty() => None,
        Some(fields) => Some(Value::Object(fields.into_iter().collect())),
        None => scalar_word(list.items).map(|word| json!(word)),
    };
    let Some(row) = row else {
        outline.at = None;
        outline.answer = Some(AnswerKind::Any);
        return;
    };
    outline.rows = Some(row);
    outline.pages = pages;
    outline.total = list.total().filter(|_| pages.is_some()).map(str::to_owned);
}

fn add_object(outline: &mut Outline, operation: &Operation, object: &Object, rules: &Rules) {
    let fields = match lookup(&rules.answer_fields.written, &operation.id) {
        Some(written) => written.clone(),
        None => project(object, Use::Whole, rules),
    };
    if fields.is_empty() {
        outline.answer = Some(AnswerKind::Any);
    } else {
        outline.output = Some(fields);
    }
}

fn add_marks(outline: &mut Outline, operation: &Operation, rules: &Rules) {
    let writes = operation.method != Method::Get;
    outline.reads = writes && lookup(&rules.reads, &operation.id).is_some();
    let is_later = operation.has_status(202);
    outline.accepted = is_later && writes && !outline.reads;
    outline.computed = is_later && !outline.accepted;
    outline.next = lookup(&rules.next, &operation.id)
        .cloned()
        .unwrap_or_default();
    outline.host = operation.server.as_deref().map(host_of);
    outline.audience = audience_of(operation, rules);
    outline.deprecated = operation.is_deprecated.then(|| {
        operation
            .removal
            .as_ref()
            .map_or(json!(true), |date| json!(date))
    });
}

/// Returns the host of an address.
fn host_of(address: &str) -> String {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    rest.split('/').next().unwrap_or_default().to_owned()
}
