//! Pages and cursors. GraphQL's cursors are GitHub's own. A numbered page has the cursor `page:NUMBER:SIZE:FILTERS`, from
//! which REST can continue: the page number, the rows per page, and a digest of the other inputs. A page number alone
//! would mean other rows if the page size or a filter differs.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};

use capstan_core::card::Card;
use capstan_core::{ErrorCode, ResultError};

const COUNTED: &str = "page:";
/// Inputs that select a part of a list, not the list.
const NOT_FILTERS: [&str; 2] = ["first", "after"];

/// The page number, and the rows per page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Page {
    pub size: u64,
    pub number: u64,
}

/// The kind of cursor in `after`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Cursor {
    None,
    Counted(CountedCursor),
    Opaque,
}

/// The cursor of a numbered page. Cursors of earlier versions hold only the number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CountedCursor {
    number: u64,
    rest: Option<(u64, String)>,
}

impl Page {
    pub(crate) fn of(input: &Value) -> Self {
        let size = input.get("first").and_then(Value::as_u64).unwrap_or(30);
        let number = match Cursor::of(input) {
            Cursor::Counted(cursor) => cursor.number,
            Cursor::None | Cursor::Opaque => 1,
        };
        Self { size, number }
    }

    /// Returns the value of `$page` in a card's templates.
    pub(crate) fn variable(self) -> Value {
        json!({"size": self.size, "number": self.number, "probe": self.size + 1})
    }

    /// Returns the cursor of the next page of the list that the input selects.
    pub(crate) fn next_cursor(self, card: &Card, input: &Value) -> String {
        let Self { size, number } = self;
        format!("{COUNTED}{}:{size}:{}", number + 1, filters(card, input))
    }

    /// Returns the number of rows before this page.
    pub(crate) fn rows_before(self) -> u64 {
        self.size.saturating_mul(self.number.saturating_sub(1))
    }
}

impl Cursor {
    pub(crate) fn of(input: &Value) -> Self {
        match input.get("after") {
            None | Some(Value::Null) => Cursor::None,
            Some(after) => match after.as_str().and_then(CountedCursor::parse) {
                Some(cursor) => Cursor::Counted(cursor),
                None => Cursor::Opaque,
            },
        }
    }
}

impl CountedCursor {
    fn parse(text: &str) -> Option<Self> {
        let mut parts = text.strip_prefix(COUNTED)?.split(':');
        let number = positive(parts.next()?)?;
        let rest = match (parts.next(), parts.next(), parts.next()) {
            (None, ..) => None,
            (Some(size), Some(filters), None) => Some((positive(size)?, filters.to_owned())),
            _ => return None,
        };
        Some(Self { number, rest })
    }
}

/// Returns the input of a page that continues a numbered one. Its size is the cursor's, unless the caller gave one. A
/// cursor of another list is refused, because it would lead to wrong rows.
pub(crate) fn continued(
    card: &Card,
    given: &Map<String, Value>,
    mut input: Value,
) -> Result<Value, ResultError> {
    if !card.is_paged() {
        return Ok(input);
    }
    let refuse = |problem: String| {
        let message = format!("bad input for {}: {problem}", card.id);
        Err(ResultError::new(ErrorCode::Validation, message))
    };
    let after = input.get("after").and_then(Value::as_str).unwrap_or("");
    let cursor = match Cursor::of(&input) {
        Cursor::Counted(cursor) => cursor,
        Cursor::Opaque if is_like_counted(after) => {
            return refuse(format!(
                "`after` is `{after}`, which is not a cursor: send the `end_cursor` of the previous \
                 page unchanged"
            ));
        }
        Cursor::None | Cursor::Opaque => return Ok(input),
    };
    let wanted = given
        .get("first")
        .and_then(|_| input.get("first")?.as_u64());
    match (cursor.rest, wanted) {
        (None, Some(_)) => Ok(input),
        (None, None) => refuse(format!(
            "`after` is `{after}`, which has no page size: also send the `first` of the previous \
             page, or start again without `after`"
        )),
        (Some((size, _)), Some(wanted)) if size != wanted => refuse(format!(
            "`after` continues pages of {size} rows, but `first` is {wanted}: leave `first` out, or \
             start again without `after`"
        )),
        (Some((size, digest)), _) => {
            if digest != filters(card, &input) {
                return refuse(format!(
                    "`after` is `{after}`, which belongs to a list with other filters: send the \
                     filters of the previous page, or start again without `after`"
                ));
            }
            if let Some(fields) = input.as_object_mut() {
                fields.insert("first".to_owned(), size.into());
            }
            Ok(input)
        }
    }
}

/// Removes the extra row that was requested to find out whether there is a next page. Returns whether there is.
pub(crate) fn trim_overfetched(data: &mut Map<String, Value>, field: &str, page: Page) -> bool {
    let Some(Value::Array(rows)) = data.get_mut(field) else {
        return false;
    };
    let wanted = usize::try_from(page.size).unwrap_or(usize::MAX);
    let more = rows.len() > wanted;
    rows.truncate(wanted);
    more
}

/// Returns eight hexadecimal digits of everything that selects the list.
fn filters(card: &Card, input: &Value) -> String {
    let fields = input.as_object().into_iter().flatten();
    let decisive: BTreeMap<_, _> = fields
        .filter(|(name, _)| !NOT_FILTERS.contains(&name.as_str()))
        .collect();
    let text = json!([card.id.as_str(), decisive]).to_string();
    let mut digits = String::new();
    for byte in Sha256::digest(text.as_bytes()).iter().take(4) {
        // Writing to a text cannot fail.
        let _ = write!(digits, "{byte:02x}");
    }
    digits
}

/// Whether a text begins like the cursor of a numbered page, ignoring case.
fn is_like_counted(text: &str) -> bool {
    let beginning = text.get(..COUNTED.len());
    beginning.is_some_and(|it| it.eq_ignore_ascii_case(COUNTED))
}

/// Parses a number above 0 in the spelling of our cursors.
fn positive(text: &str) -> Option<u64> {
    let number: u64 = text.parse().ok().filter(|number| *number >= 1)?;
    (number.to_string() == text).then_some(number)
}
