//! The columns and fields of a card by the names that callers use for them.

use capstan_core::card::Card;

use crate::names::snake_case;

/// Fields that a caller asked for, in the caller's order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AskedFields {
    /// By the names of the card.
    pub known: Vec<String>,
    /// Those that the card does not have, as they were written.
    pub unknown: Vec<String>,
}

/// Finds out which fields are meant.
pub fn asked_fields<'a>(card: &Card, asked: impl IntoIterator<Item = &'a str>) -> AskedFields {
    let mut fields = AskedFields::default();
    for name in asked {
        match own_field(card, name) {
            Some(own) if fields.known.contains(&own) => {}
            Some(own) => fields.known.push(own),
            None => fields.unknown.push(name.to_owned()),
        }
    }
    fields
}

/// The column that rows are sorted by: `closed` is the date, even if it means something else as a column.
pub fn sort_field(card: &Card, name: &str) -> Option<String> {
    let date = format!("{}_at", snake_case(name));
    let known = card.fields();
    if !known.contains(&name) && known.contains(&date.as_str()) {
        return Some(date);
    }
    own_field(card, name)
}

/// The field that a caller means: by its own name, by the one that the card states for `gh`'s, in another spelling
/// (`createdAt`), or a date without its ending (`created`). Everything may be a field where nothing is described.
pub(crate) fn own_field(card: &Card, name: &str) -> Option<String> {
    let known = card.fields();
    if known.is_empty() || known.contains(&name) {
        return Some(name.to_owned());
    }
    let spelling = snake_case(name);
    let mut stated = card.line.fields.iter();
    let stated = stated.find(|(other, _)| *other == name || snake_case(other) == spelling);
    if let Some((_, own)) = stated {
        return Some(own.clone());
    }
    let date = format!("{spelling}_at");
    let mut known = known.into_iter();
    known
        .find(|known| *known == spelling || *known == date)
        .map(str::to_owned)
}

/// Says which fields there are instead of those that there are not.
pub fn no_such_fields(card: &Card, unknown: &[String]) -> String {
    let unknown: Vec<_> = unknown.iter().map(|name| format!("`{name}`")).collect();
    let what = if card.list.is_some() {
        "column"
    } else {
        "field"
    };
    let none = match unknown.as_slice() {
        [only] => format!("there is no {what} {only}"),
        several => format!("there are no {what}s {}", several.join(", ")),
    };
    format!("{none}; there are {}", card.fields().join(", "))
}
