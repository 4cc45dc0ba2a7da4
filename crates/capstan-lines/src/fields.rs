//! Resolves the names that callers use for the columns and fields of a card.

use capstan_core::card::Card;

use crate::names::snake_case;

/// The fields that a caller requested, in the caller's order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RequestedFields {
    /// The card's own names of the known fields.
    pub known: Vec<String>,
    /// Fields that the card does not have, as written.
    pub unknown: Vec<String>,
}

/// Resolves the names of requested fields.
pub fn requested_fields<'a>(
    card: &Card,
    asked: impl IntoIterator<Item = &'a str>,
) -> RequestedFields {
    let mut fields = RequestedFields::default();
    for name in asked {
        match own_field(card, name) {
            Some(own) if fields.known.contains(&own) => {}
            Some(own) => fields.known.push(own),
            None => fields.unknown.push(name.to_owned()),
        }
    }
    fields
}

/// Resolves the column to sort by. `closed` is the date, even if a column of that name means something else.
pub fn sort_field(card: &Card, name: &str) -> Option<String> {
    let date = format!("{}_at", snake_case(name));
    let known = card.fields();
    if !known.contains(&name) && known.contains(&date.as_str()) {
        return Some(date);
    }
    own_field(card, name)
}

/// Resolves a field: by its own name, by the name that the card gives for `gh`, in another spelling
/// (`createdAt`), or a date without its ending (`created`). Every name is a field if the card describes none.
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

/// Describes which fields do not exist, and which do.
pub fn unknown_fields_message(card: &Card, unknown: &[String]) -> String {
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
