//! Writes inputs as lines.

use serde_json::{Map, Value};

use capstan_core::card::Card;

use crate::flag::{Flag, is_flag_name};
use crate::inputs::Inputs;
use crate::repository;
use crate::syntax::quote;
use crate::values;

/// Writes an input as a line that [binds](crate::Line::bind) to exactly this input.
pub fn write(card: &Card, input: &Map<String, Value>) -> String {
    let inputs = Inputs::from_card(card);
    let mut line = quote(card.id.as_str());
    let mut push = |word: &str| {
        line.push(' ');
        line.push_str(word);
    };
    let placed = placed(&inputs, input);
    for (_, text) in &placed {
        push(&quote(text));
    }
    let is_placed = |name: &str| placed.iter().any(|(placed, _)| *placed == name);
    let repository = repository(&inputs, input);
    let more = input
        .keys()
        .map(String::as_str)
        .filter(|name| !inputs.has(name));
    for name in inputs.names().chain(more).filter(|name| !is_placed(name)) {
        let Some(value) = input.get(name) else {
            continue;
        };
        match &repository {
            Some(repository) if name == "repo" => push(&format!("--repo {repository}")),
            Some(_) if name == "owner" => {}
            _ => push(&flag(&inputs, name, value)),
        }
    }
    line
}

/// Returns the inputs that can be written without a flag.
fn placed<'a>(inputs: &Inputs<'a>, input: &Map<String, Value>) -> Vec<(&'a str, String)> {
    let positional = inputs.positional().into_iter();
    let placed = positional.map_while(|name| {
        let text = match input.get(name)? {
            Value::String(text) => values::write_text(&inputs.shape(name), text),
            Value::Number(number) => number.to_string(),
            _ => return None,
        };
        let is_other = Flag::parse(&text).is_some() || text == "--" || text.contains('=');
        let is_repository = repository::read(&text).is_some();
        let is_read_otherwise = name == "repo" || is_other || is_repository;
        (!is_read_otherwise).then_some((name, text))
    });
    placed.collect()
}

/// Returns `owner/name`, if the repository can be written so.
fn repository(inputs: &Inputs<'_>, input: &Map<String, Value>) -> Option<String> {
    let owner = input.get("owner")?.as_str()?;
    let name = input.get("repo")?.as_str()?;
    let both = format!("{owner}/{name}");
    let is_read = repository::read(&both) == Some(Ok((owner.to_owned(), name.to_owned())));
    (inputs.have_repository() && is_read).then_some(both)
}

fn flag(inputs: &Inputs<'_>, name: &str, value: &Value) -> String {
    let shape = inputs.shape(name);
    let text = match value {
        Value::Null => return format!("{}=null", quote(name)),
        Value::Bool(true) if shape.is_boolean_only() && is_flag_name(name) => {
            return format!("--{name}");
        }
        Value::String(text) => values::write_text(&shape, text),
        other => other.to_string(),
    };
    if !is_flag_name(name) {
        quote(&format!("--{name}={text}"))
    } else if shape.is_boolean_only() || text.starts_with('-') {
        format!("--{name}={}", quote(&text))
    } else {
        format!("--{name} {}", quote(&text))
    }
}
