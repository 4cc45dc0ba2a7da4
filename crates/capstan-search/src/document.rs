//! A document, and the texts by which it is found.

use crate::Digest;
use crate::text::{meaningful_text, words};

/// A document that can be found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document {
    /// The key in the index.
    pub id: String,
    /// Other names of the document.
    pub names: Vec<String>,
    pub description: String,
    /// Phrases in which people ask for it.
    pub intents: Vec<String>,
    /// Each is a name, or a name with a purpose: `labels: names of the labels to add`.
    pub parameters: Vec<String>,
}

/// How much of a description is embedded, in characters. Later parts are details, which blur its
/// subject.
const DESCRIPTION: usize = 200;
/// How much of the intents is embedded, in characters.
const INTENTS: usize = 600;

impl Document {
    /// Returns a digest that changes whenever the document changes.
    pub fn digest(&self) -> Digest {
        Digest::from_document(self)
    }

    /// Returns the texts to embed: the whole document first, then each intent. A query may be close
    /// to one intent and far from the others.
    pub fn texts(&self) -> Vec<String> {
        let intents = self.intents.iter().map(|intent| meaningful_text(intent));
        std::iter::once(self.text()).chain(intents).collect()
    }

    /// Returns the text of the whole document. It leaves out parameters, which say with what
    /// something is done and not what is done; word search uses them.
    fn text(&self) -> String {
        let id: Vec<_> = words(&self.id).map(str::to_lowercase).collect();
        let intents = self.intents.join(" ");
        meaningful_text(&format!(
            "{} {} {}",
            id.join(" "),
            first(&self.description, DESCRIPTION),
            first(&intents, INTENTS),
        ))
    }
}

/// Returns the beginning of a text, cut between words.
fn first(text: &str, most: usize) -> &str {
    let Some((end, _)) = text.char_indices().nth(most) else {
        return text;
    };
    let cut = text[..end].rfind(char::is_whitespace);
    &text[..cut.unwrap_or(end)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_text_is_what_it_does() {
        let document = Document {
            id: "issue.labels.add".to_owned(),
            description: format!("Add labels to an issue {}", "and so on ".repeat(100)),
            intents: vec!["tag the issue".to_owned()],
            parameters: vec!["owner".to_owned()],
            ..Document::default()
        };
        let text = document.text();
        assert!(
            text.starts_with("issue labels add Add labels issue"),
            "{text}"
        );
        assert!(text.ends_with("tag issue"), "{text}");
        assert!(text.len() < 250, "{text}");
        assert_eq!(document.texts(), [text.as_str(), "tag issue"]);
    }

    #[test]
    fn its_digest_tells_its_parts_apart() {
        let of = |names: &[&str], description: &str| {
            Document {
                id: "a".to_owned(),
                names: names.iter().map(|&it| it.to_owned()).collect(),
                description: description.to_owned(),
                ..Document::default()
            }
            .digest()
        };
        assert_eq!(of(&["b"], "c"), of(&["b"], "c"));
        assert_ne!(of(&["b"], "c"), of(&[], "bc"));
        assert_ne!(of(&["b", "c"], ""), of(&["bc"], ""));
    }
}
