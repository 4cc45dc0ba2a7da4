//! Pages and cursors. GraphQL's cursors are GitHub's own. REST continues from two kinds:
//!
//! - `page:NUMBER:SIZE:FILTERS`, a numbered page: the page number, the rows per page, and a digest of the other inputs.
//!   A page number alone would mean other rows if the page size or a filter differs.
//! - `next:SIZE:FILTERS:PARAMETERS`, a page to which the one before linked: what that link adds to the address.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Deserialize as _;
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};

use capstan_core::card::Card;
use capstan_core::{ErrorCode, ResultError};
use url::form_urlencoded;

const COUNTED: &str = "page:";
const LINKED: &str = "next:";
/// The field of `$page` with the parameters of a link.
const NEXT: &str = "next";
/// The parameter for the rows per page. It is always sent, so links need not repeat it.
const PAGE_SIZE: &str = "per_page";
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
    Linked(LinkedCursor),
    Opaque,
}

/// The cursor of a page to which the one before linked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LinkedCursor {
    size: u64,
    filters: String,
    parameters: Vec<(String, String)>,
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
            Cursor::None | Cursor::Linked(_) | Cursor::Opaque => 1,
        };
        Self { size, number }
    }

    /// Returns the value of `$page` in a card's templates.
    pub(crate) fn variable(self, input: &Value) -> Value {
        let mut page = json!({"size": self.size, "number": self.number, "probe": self.size + 1});
        if let Cursor::Linked(cursor) = Cursor::of(input) {
            page[NEXT] = json!(cursor.parameters);
        }
        page
    }

    /// Returns the cursor of the next page of the list that the input selects.
    pub(crate) fn next_cursor(self, card: &Card, input: &Value) -> String {
        let Self { size, number } = self;
        format!("{COUNTED}{}:{size}:{}", number + 1, filters(card, input))
    }

    /// Returns the cursor of the page that this one links to; `None` if the link has no parameter by which that page
    /// differs. `is_sent` says which parameters come from the input: they are sent again anyway.
    pub(crate) fn linked_cursor(
        self,
        card: &Card,
        input: &Value,
        query: &str,
        is_sent: impl Fn(&str) -> bool,
    ) -> Option<String> {
        let parameters = form_urlencoded::parse(query.as_bytes());
        let new: Vec<_> = parameters
            .filter(|(name, _)| name != PAGE_SIZE && !is_sent(name))
            .collect();
        let filters = filters(card, input);
        let query = form_urlencoded::Serializer::new(String::new())
            .extend_pairs(&new)
            .finish();
        (!new.is_empty()).then(|| format!("{LINKED}{}:{filters}:{query}", self.size))
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
            Some(after) => {
                let after = after.as_str().unwrap_or_default();
                let counted = CountedCursor::parse(after).map(Cursor::Counted);
                let cursor = counted.or_else(|| LinkedCursor::parse(after).map(Cursor::Linked));
                cursor.unwrap_or(Cursor::Opaque)
            }
        }
    }
}

impl LinkedCursor {
    fn parse(text: &str) -> Option<Self> {
        let mut parts = text.strip_prefix(LINKED)?.splitn(3, ':');
        let (size, filters, query) = (parts.next()?, parts.next()?, parts.next()?);
        let parameters = form_urlencoded::parse(query.as_bytes()).into_owned();
        Some(Self {
            size: positive(size)?,
            filters: filters.to_owned(),
            parameters: parameters.collect(),
        })
    }
}

/// Returns the parameters of the page that the caller continues with, from the variables of a card's templates.
pub(crate) fn linked_parameters(variables: &Map<String, Value>) -> Vec<(String, String)> {
    let next = variables.get("page").and_then(|page| page.get(NEXT));
    next.and_then(|next| Vec::deserialize(next).ok())
        .unwrap_or_default()
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
    let rest = match Cursor::of(&input) {
        Cursor::Counted(cursor) => cursor.rest,
        Cursor::Linked(cursor) => Some((cursor.size, cursor.filters)),
        Cursor::Opaque if is_like_ours(after) => {
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
    match (rest, wanted) {
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

/// Whether a text begins like a cursor that is not GitHub's own, ignoring case.
fn is_like_ours(text: &str) -> bool {
    [COUNTED, LINKED].into_iter().any(|ours| {
        let beginning = text.get(..ours.len());
        beginning.is_some_and(|it| it.eq_ignore_ascii_case(ours))
    })
}

/// Parses a number above 0 in the spelling of our cursors.
fn positive(text: &str) -> Option<u64> {
    let number: u64 = text.parse().ok().filter(|number| *number >= 1)?;
    (number.to_string() == text).then_some(number)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn card(id: &str) -> Card {
        let text = format!(
            "capability_id: {id}\nversion: \"1.0.0\"\ndescription: List things.\noperation: READ\n\
             no_graphql: REST only\nlist: {{field: rows, empty: no rows}}\n\
             input_schema: {{type: object, properties: {{q: {{type: string}}, first: {{type: integer, default: 30}}, after: {{type: string}}}}}}\n\
             output_schema: {{type: object, properties: {{rows: {{type: array}}}}}}\n\
             rest: {{method: GET, path: /things, query: {{q: '{{q}}', per_page: '{{$page.size}}'}},\n  \
             output: {{fields: {{rows: .}}}}, pagination: {{style: links}}}}\n"
        );
        let source = capstan_core::Source::new("card.yaml", text);
        capstan_catalog::load_text(&source, |_| Err(String::new())).unwrap()
    }

    fn linked(input: &Value, query: &str) -> Option<String> {
        let card = card("thing.list");
        Page::of(input).linked_cursor(&card, input, query, |name| name == "q")
    }

    fn sent(card: &Card, input: &Value) -> Result<Vec<(String, String)>, ResultError> {
        let given = input.as_object().unwrap();
        let input = continued(card, given, input.clone())?;
        let page = Page::of(&input).variable(&input);
        Ok(linked_parameters(&Map::from_iter([(
            "page".to_owned(),
            page,
        )])))
    }

    #[test]
    fn a_link_is_followed_with_what_it_adds() {
        let input = json!({"q": "a b", "first": 20});
        let cursor = linked(&input, "q=a+b&per_page=20&after=x%3A%26y").unwrap();
        let next = json!({"q": "a b", "after": cursor});
        let expected = vec![("after".to_owned(), "x:&y".to_owned())];
        assert_eq!(sent(&card("thing.list"), &next).unwrap(), expected);
        assert_eq!(linked(&input, "q=a+b&per_page=20"), None);
        assert_eq!(linked(&input, ""), None);
    }

    #[test]
    fn a_link_belongs_to_its_list() {
        let cursor = linked(&json!({"q": "a"}), "since=7").unwrap();
        let refused = |card: &Card, input: Value| sent(card, &input).unwrap_err().message;
        let list = card("thing.list");
        let other = refused(&list, json!({"q": "b", "after": cursor}));
        assert!(other.contains("a list with other filters"), "{other}");
        let other = refused(&card("thing.others"), json!({"q": "a", "after": cursor}));
        assert!(other.contains("a list with other filters"), "{other}");
        let size = refused(&list, json!({"q": "a", "after": cursor, "first": 5}));
        assert!(size.contains("pages of 30 rows"), "{size}");
        let spoiled = refused(&list, json!({"q": "a", "after": "next:many:x"}));
        assert!(spoiled.contains("which is not a cursor"), "{spoiled}");
    }

    proptest! {
        #[test]
        fn every_parameter_comes_back(
            parameters in proptest::collection::vec(("[a-z]{1,8}", "\\PC{0,12}"), 1..4),
        ) {
            let query = form_urlencoded::Serializer::new(String::new())
                .extend_pairs(&parameters)
                .finish();
            let kept = |name: &str| !["q", PAGE_SIZE].contains(&name);
            let expected: Vec<_> =
                parameters.into_iter().filter(|(name, _)| kept(name)).collect();
            match linked(&json!({}), &query) {
                Some(cursor) => {
                    let next = json!({"after": cursor});
                    prop_assert_eq!(sent(&card("thing.list"), &next).unwrap(), expected);
                }
                None => prop_assert!(expected.is_empty()),
            }
        }

        #[test]
        fn no_text_is_a_panic(text in "(page:|next:|)[0-9a-z:&=%]{0,20}") {
            let _ = sent(&card("thing.list"), &json!({"after": text}));
        }
    }
}
