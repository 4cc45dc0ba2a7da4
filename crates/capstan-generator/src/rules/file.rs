//! The file of rules, as people write it.

use std::path::Path;

use capstan_catalog::outline::{AnswerKind, Audience};
use capstan_core::Source;
use indexmap::IndexMap;
use serde::Deserialize;
use serde_json::Value;

use super::exception::named;
use super::{ExceptionGroup, NameRule, Words, parse_rules, read_rules};
use crate::Problem;

/// All rules. `catalogue/rules.yaml` says what each is for.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// The beginning of the id, by the beginning of the path. The longest path counts.
    pub(crate) prefixes: IndexMap<String, String>,
    /// Other words for parts of paths.
    #[serde(default)]
    pub(crate) nouns: IndexMap<String, String>,
    /// First words of operations that become verbs of ids.
    pub(crate) actions: Vec<String>,
    /// Other verbs, by the first words of operations.
    #[serde(default)]
    pub(crate) other_actions: IndexMap<String, String>,
    #[serde(default)]
    pub(crate) ids: Vec<ExceptionGroup<String>>,
    /// Words with which a description may start.
    pub(crate) verbs: Vec<String>,
    /// What stands before the verb in some descriptions and says nothing.
    #[serde(default)]
    pub(crate) openings: Vec<String>,
    /// What says nothing within descriptions.
    #[serde(default)]
    pub(crate) omissions: Vec<String>,
    /// Other words for the beginning of a description.
    #[serde(default)]
    pub(crate) usual_words: IndexMap<String, String>,
    /// What an operation is about, by the first part of its name.
    #[serde(default)]
    pub(crate) areas: IndexMap<String, String>,
    /// Whose things it is about, by the beginning of the path.
    #[serde(default)]
    pub(crate) scopes: IndexMap<String, String>,
    #[serde(default)]
    pub(crate) descriptions: Vec<ExceptionGroup<String>>,
    /// Other names of path parameters.
    #[serde(default)]
    pub(crate) inputs: IndexMap<String, String>,
    /// Inputs that take a name as well as an id.
    #[serde(default)]
    pub(crate) names: Vec<NameRule>,
    /// Operations that only read, although their method writes.
    #[serde(default)]
    pub(crate) reads: Vec<ExceptionGroup<bool>>,
    /// The media type to ask for.
    #[serde(default)]
    pub(crate) accept: Vec<ExceptionGroup<Media>>,
    /// Outlines for other media types of the same operation, by their ids.
    #[serde(default)]
    pub(crate) variants: Vec<ExceptionGroup<IndexMap<String, Variant>>>,
    /// Answers that the description does not tell apart.
    #[serde(default)]
    pub(crate) answers: Vec<ExceptionGroup<AnswerKind>>,
    /// Calls that are likely to follow an operation: by id, an expression for each input.
    #[serde(default)]
    pub(crate) next: Vec<ExceptionGroup<FollowUps>>,
    /// Answers that are objects, although there is a list with pages in them.
    #[serde(default)]
    pub(crate) objects: Vec<ExceptionGroup<bool>>,
    /// Who can use operations, by the beginning of the path.
    #[serde(default)]
    pub(crate) audiences: IndexMap<String, Audience>,
    /// Words in descriptions that tell that only owners of an organization can use it.
    #[serde(default)]
    pub(crate) owner_words: Vec<String>,
    /// Operations that every user can use, although their path or description tells otherwise.
    #[serde(default)]
    pub(crate) everyone: Vec<ExceptionGroup<bool>>,
    pub(crate) answer_fields: AnswerFields,
}

/// Another media type of an answer.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Variant {
    pub(crate) description: String,
    /// What is sent as `Accept`.
    pub(crate) accept: String,
    pub(crate) answer: AnswerKind,
    /// Inputs that have no effect on this answer.
    #[serde(default)]
    pub(crate) without: Vec<String>,
}

/// By the id of a card, an expression for each input.
type FollowUps = IndexMap<String, IndexMap<String, String>>;

/// A media type to ask for.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Media {
    /// What is sent as `Accept`.
    pub(crate) accept: String,
    /// What the description calls it, if it describes another answer.
    pub(crate) described: Option<String>,
}

/// Which fields of answers are kept.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AnswerFields {
    /// Fields that come first, if there are too many.
    pub(crate) first: Vec<String>,
    /// Fields that are worth more than others, even if they are optional.
    pub(crate) useful: Vec<String>,
    /// Fields that are never kept.
    pub(crate) never: Vec<String>,
    /// Addresses that are kept.
    pub(crate) addresses: Vec<String>,
    /// Fields that tell which object it is.
    pub(crate) identity: Vec<String>,
    /// Objects inside others that become one of their fields.
    pub(crate) shorten: Vec<Shortening>,
    /// Fields that come last, if there are too many.
    pub(crate) last: Vec<String>,
    /// The fields of an answer or of its rows, as an outline has them.
    #[serde(default)]
    pub(crate) written: Vec<ExceptionGroup<IndexMap<String, Value>>>,
}

/// An object that has certain fields becomes one of them.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Shortening {
    pub(crate) has: Vec<String>,
    pub(crate) to: String,
}

impl Rules {
    /// Reads the rules in a file.
    pub fn read(file: &Path) -> Result<Self, Problem> {
        read_rules(file)
    }

    /// Reads rules in YAML.
    pub fn from_text(name: &str, text: &str) -> Result<Self, Problem> {
        parse_rules(&Source::new(name, text))
    }

    /// Returns which words descriptions begin with.
    pub(crate) fn words(&self) -> Words<'_> {
        Words {
            verbs: &self.verbs,
            openings: &self.openings,
            omissions: &self.omissions,
            usual_words: &self.usual_words,
        }
    }

    /// Returns the operations that exceptions name, with the reason of each.
    pub(crate) fn named_operations(&self) -> Vec<(&str, &str)> {
        let all = named(&self.ids)
            .chain(named(&self.descriptions))
            .chain(named(&self.reads))
            .chain(named(&self.accept))
            .chain(named(&self.variants))
            .chain(named(&self.answers))
            .chain(named(&self.next))
            .chain(named(&self.objects))
            .chain(named(&self.everyone))
            .chain(named(&self.answer_fields.written));
        all.collect()
    }
}
