//! The end of a page, as a text that callers pass back.

use std::fmt;
use std::str::FromStr;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use capstan_core::code::Node;

/// The last edge of a page. It stays valid when the graph changes: the next page starts with the
/// next edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cursor {
    pub(crate) from: Node,
    pub(crate) to: Node,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a cursor: send the one from the previous page unchanged")]
pub struct InvalidCursor(String);

/// How many characters of a text an error shows.
const SHOWN: usize = 80;

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = serde_json::to_vec(&(&self.from, &self.to)).map_err(|_| fmt::Error)?;
        f.write_str(&URL_SAFE_NO_PAD.encode(text))
    }
}

impl FromStr for Cursor {
    type Err = InvalidCursor;

    fn from_str(text: &str) -> Result<Self, InvalidCursor> {
        let invalid = || InvalidCursor(text.chars().take(SHOWN).collect());
        let json = URL_SAFE_NO_PAD.decode(text).map_err(|_| invalid())?;
        let (from, to) = serde_json::from_slice(&json).map_err(|_| invalid())?;
        Ok(Self { from, to })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_is_read_as_it_was_written() {
        let cursor = Cursor {
            from: Node::Named("files:read \"ä\"".to_owned()),
            to: Node::Named("issue.view".to_owned()),
        };
        let text = cursor.to_string();
        assert!(
            text.bytes()
                .all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b))
        );
        assert_eq!(text.parse(), Ok(cursor));
        for bad in ["", "page:2", "bm9wZQ", &text[..text.len() - 1]] {
            let error = bad.parse::<Cursor>().unwrap_err().to_string();
            assert!(error.contains(bad), "{error}");
        }
    }
}
