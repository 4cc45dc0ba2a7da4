//! The outline of an operation of a service.

use capstan_catalog::outline::{AnswerKind, Outline, Pages};
use capstan_core::ServiceName;
use serde_json::{Value, json};

use super::answer::{accept_of, shape_of};
use super::body::add_body;
use super::inputs::{ServiceInputs, add_parameters};
use super::paging::ServicePaging;
use super::wording::description_of;
use crate::build::{AnswerShape, ListShape, PathBlanks, Use, project, scalar_word};
use crate::description::{Method, Object, Operation, Place};
use crate::rules::Rules;

/// Returns the outline of an operation, or why it has to be left out.
pub(super) fn outline_of(
    operation: &Operation,
    service: &ServiceName,
    paging: Option<&ServicePaging>,
    rules: &Rules,
) -> Result<Outline, String> {
    if operation.server.is_some() {
        return Err("it is at another address than the rest of the API".to_owned());
    }
    let path = PathBlanks::new(operation, rules).map_err(|problem| problem.message)?;
    let mut outline = Outline {
        description: description_of(operation, rules),
        service: Some(service.to_string()),
        call: format!("{} {}", operation.method.name(), path.text),
        source: operation.id.clone(),
        accept: accept_of(operation),
        deprecated: operation.is_deprecated.then(|| json!(true)),
        ..Outline::default()
    };
    add_answer(&mut outline, operation, shape_of(operation)?, rules);
    let paging = paging.filter(|paging| outline.rows.is_some() && paging.fits(operation));
    let mut inputs = ServiceInputs::default();
    add_parameters(&mut outline, &mut inputs, operation, &path, paging)?;
    add_body(&mut outline, &mut inputs, operation)?;
    if paging.is_some() {
        // These turn the pages.
        if let Some(taken) = ["first", "after"].into_iter().find(|name| inputs.has(name)) {
            return Err(format!(
                "it has a parameter `{taken}`, which turns pages here"
            ));
        }
        outline.pages = Some(Pages::Link);
        let size = ServicePaging::size_of(operation);
        let size = size.and_then(|name| operation.parameter(Place::Query, name));
        outline.page_size = size.map(|size| size.name.clone());
        outline.largest_page = size.and_then(|size| size.maximum).filter(|size| *size > 0);
    }
    outline.input = inputs.written;
    Ok(outline)
}

fn add_answer(outline: &mut Outline, operation: &Operation, shape: AnswerShape<'_>, rules: &Rules) {
    let is_read = operation.method == Method::Get;
    match shape {
        AnswerShape::List(list) => add_list(outline, list, rules),
        AnswerShape::Object(object) => add_object(outline, object, rules),
        AnswerShape::YesOrNo => outline.answer = Some(AnswerKind::YesOrNo),
        AnswerShape::Redirect => outline.answer = Some(AnswerKind::Redirect),
        AnswerShape::Text => outline.answer = Some(AnswerKind::Text),
        // Some descriptions leave out what a read answers.
        AnswerShape::Nothing if is_read => outline.answer = Some(AnswerKind::Any),
        AnswerShape::Nothing => outline.answer = Some(AnswerKind::Nothing),
        AnswerShape::Any => outline.answer = Some(AnswerKind::Any),
    }
}

fn add_list(outline: &mut Outline, list: ListShape<'_>, rules: &Rules) {
    let row = match list.items.as_object() {
        Some(object) => {
            let fields = project(object, Use::Row, rules);
            (!fields.is_empty()).then(|| Value::Object(fields.into_iter().collect()))
        }
        None => scalar_word(list.items).map(|word| json!(word)),
    };
    match row {
        Some(row) => {
            outline.rows = Some(row);
            outline.at = list.inside.map(|(_, name)| name.to_owned());
            outline.total = list.total().map(str::to_owned);
        }
        None => outline.answer = Some(AnswerKind::Any),
    }
}

fn add_object(outline: &mut Outline, object: &Object, rules: &Rules) {
    let fields = project(object, Use::Whole, rules);
    if fields.is_empty() {
        outline.answer = Some(AnswerKind::Any);
    } else {
        outline.output = Some(fields);
    }
}
