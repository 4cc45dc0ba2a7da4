//! Pages. GraphQL's cursors are GitHub's own; a counted page is the cursor `page:N`, which REST
//! can continue from wherever it came.

use serde_json::{Map, Value, json};

const COUNTED: &str = "page:";

/// How many rows are wanted, from which page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Page {
    pub size: u64,
    pub number: u64,
}

/// What kind of cursor `after` holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cursor {
    None,
    Counted,
    Opaque,
}

impl Page {
    pub(crate) fn of(input: &Value) -> Self {
        let size = input.get("first").and_then(Value::as_u64).unwrap_or(30);
        Self {
            size,
            number: counted(input).unwrap_or(1),
        }
    }

    /// `$page` in a card's templates.
    pub(crate) fn variable(self) -> Value {
        json!({"size": self.size, "number": self.number, "probe": self.size + 1})
    }

    /// The cursor of the page after this one.
    pub(crate) fn next_cursor(self) -> String {
        format!("{COUNTED}{}", self.number + 1)
    }
}

impl Cursor {
    pub(crate) fn of(input: &Value) -> Self {
        match input.get("after") {
            None | Some(Value::Null) => Cursor::None,
            Some(_) if counted(input).is_some() => Cursor::Counted,
            Some(_) => Cursor::Opaque,
        }
    }
}

/// Cuts the row that was only asked for to learn whether there is a next page.
pub(crate) fn trim_overfetched(data: &mut Map<String, Value>, field: &str, page: Page) -> bool {
    let Some(Value::Array(rows)) = data.get_mut(field) else {
        return false;
    };
    let wanted = usize::try_from(page.size).unwrap_or(usize::MAX);
    let more = rows.len() > wanted;
    rows.truncate(wanted);
    more
}

fn counted(input: &Value) -> Option<u64> {
    let number = input
        .get("after")?
        .as_str()?
        .strip_prefix(COUNTED)?
        .parse()
        .ok()?;
    (number >= 1).then_some(number)
}
