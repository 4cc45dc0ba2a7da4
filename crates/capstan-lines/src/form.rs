//! Renders a card as the form of a line, for people who write one.

use capstan_core::card::{Card, FlagMeaning};

use crate::inputs::Inputs;
use crate::shape::Shape;

/// Renders the form of a card: `issue.close NUMBER [--reason completed|not_planned] [--comment TEXT]`. It
/// leaves out the repository, because `--repo` is the same everywhere.
pub fn form(card: &Card) -> String {
    form_with(card, |_| true)
}

/// Returns the form of a card without the optional inputs that are not to be shown.
pub fn form_with(card: &Card, is_shown: impl Fn(&str) -> bool) -> String {
    let inputs = Inputs::from_card(card);
    let positional = inputs.positional();
    let flags = inputs.names().filter(|name| {
        let is_repository = inputs.have_repository() && ["owner", "repo"].contains(name);
        !is_repository && !positional.contains(name)
    });
    let mut form = card.id.to_string();
    for name in positional.iter().copied().chain(flags) {
        if !inputs.is_required(name) && !is_shown(name) {
            continue;
        }
        let shown = shown(&inputs, name);
        form.push(' ');
        if inputs.is_required(name) {
            form.push_str(&shown);
        } else {
            form.push_str(&format!("[{shown}]"));
        }
    }
    form
}

/// Renders an input without brackets: `NUMBER`, `--title TEXT`.
pub(crate) fn shown(inputs: &Inputs<'_>, name: &str) -> String {
    // Optional inputs have a flag, which is more informative than their position.
    if inputs.positional().contains(&name) && inputs.is_required(name) {
        return placeholder(inputs, name);
    }
    // Use the style of `gh`; both spellings are accepted.
    let flag = flag(inputs, name).replace('_', "-");
    let value = match name {
        "after" => "CURSOR".to_owned(),
        _ => value(&inputs.shape(name)),
    };
    if value.is_empty() {
        format!("--{flag}")
    } else {
        format!("--{flag} {value}")
    }
}

/// Returns the placeholder of a positional input: `NUMBER` for `issue_number`, `THREAD` for `thread_id`.
pub(crate) fn placeholder(inputs: &Inputs<'_>, name: &str) -> String {
    let short = short(name);
    let is_unique = inputs
        .positional()
        .iter()
        .filter(|it| self::short(it) == short)
        .count()
        == 1;
    if is_unique {
        short
    } else {
        name.to_uppercase()
    }
}

fn short(name: &str) -> String {
    let stem = ["_id", "_name"]
        .iter()
        .find_map(|suffix| name.strip_suffix(suffix));
    if name.ends_with("_number") {
        "NUMBER".to_owned()
    } else {
        stem.unwrap_or(name).to_uppercase()
    }
}

/// Returns the flag that callers know: the first other name in the card, unless it is a short one.
fn flag<'a>(inputs: &Inputs<'a>, name: &'a str) -> &'a str {
    if name == "first" && !inputs.has("limit") {
        return "limit";
    }
    let mut flags = inputs.card.line.flags.iter();
    let first = flags.find(|(_, meaning)| matches!(meaning, FlagMeaning::Input(it) if it == name));
    match first {
        Some((flag, _)) if flag.chars().count() > 1 && !inputs.has(flag) => flag,
        _ => name,
    }
}

fn value(shape: &Shape) -> String {
    if shape.is_boolean_only() {
        return String::new();
    }
    if *shape == Shape::any() {
        return "VALUE".to_owned();
    }
    let has_rows = shape
        .list
        .as_ref()
        .is_some_and(|items| items.object && !items.text);
    let mut values = shape.choice_names();
    let kinds = [
        (shape.integer || shape.number, "N"),
        (shape.boolean, "true|false"),
        (shape.text, "TEXT"),
        (shape.list.is_some() && !has_rows, "A,B"),
        (shape.object || has_rows, "JSON"),
    ];
    let kinds = kinds.into_iter().filter(|(is_taken, _)| *is_taken);
    values.extend(kinds.map(|(_, kind)| kind.to_owned()));
    if values.is_empty() {
        return "null".to_owned();
    }
    values.join("|")
}
