//! What can be found, and the texts by which it is found.

use crate::Digest;
use crate::text::{telling_text, words};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document {
    /// Its key in the index.
    pub id: String,
    /// Other names of it.
    pub names: Vec<String>,
    pub description: String,
    /// What people say when they want it.
    pub intents: Vec<String>,
    /// A name each, or a name and what it is for: `labels: names of the labels to add`.
    pub parameters: Vec<String>,
}

/// What comes later in a description is details, which blur what it is about.
const DESCRIPTION: usize = 200;
const INTENTS: usize = 600;

impl Document {
    /// Changes when anything in the document does.
    pub fn digest(&self) -> Digest {
        Digest::of(self)
    }

    /// What an embedder is to be given for it: the whole, then each of its intents, because what somebody
    /// says may be near to one of them and far from the others.
    pub fn texts(&self) -> Vec<String> {
        let intents = self.intents.iter().map(|intent| telling_text(intent));
        std::iter::once(self.text()).chain(intents).collect()
    }

    /// The whole. Parameters are left to the words: they say with what something is done, not what is done.
    fn text(&self) -> String {
        let id: Vec<_> = words(&self.id).map(str::to_lowercase).collect();
        let intents = self.intents.join(" ");
        telling_text(&format!(
            "{} {} {}",
            id.join(" "),
            first(&self.description, DESCRIPTION),
            first(&intents, INTENTS),
        ))
    }
}

/// The beginning of a text, cut between words.
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
