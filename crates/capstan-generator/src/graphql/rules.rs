//! The rules of people for a schema. Without rules, everything follows from the schema.

use std::path::Path;

use capstan_catalog::outline::{Audience, OutlineLookup};
use capstan_core::Source;
use indexmap::IndexMap;
use serde::Deserialize;
use serde_json::Value;

use crate::problem::Problem;
use crate::rules::{ExceptionGroup, Words, named, parse_rules, read_rules};

/// All rules. `catalogue/mutations.yaml` says what each is for. The defaults suit a schema that nobody has read.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct GraphqlRules {
    /// The service that has the schema, if it is not GitHub. Its name begins every id.
    pub service: Option<String>,
    /// The largest page that the service gives; 100 by default.
    pub largest_page: Option<u64>,
    /// Root fields that become no outline.
    pub(crate) left_out: Vec<ExceptionGroup<bool>>,
    /// Root fields that a card does which somebody wrote, with the id of the card.
    pub(crate) written: Vec<ExceptionGroup<String>>,
    /// What a root field is about, by the words after its first one. The longest words count.
    pub(crate) nouns: IndexMap<String, String>,
    /// What is added to the verb of an id that another card has.
    pub(crate) suffix: String,
    pub(crate) ids: Vec<ExceptionGroup<String>>,
    /// Words with which a description may start. Without any, it starts as the schema has it.
    pub(crate) verbs: Vec<String>,
    /// What stands before the verb in some descriptions and says nothing.
    pub(crate) openings: Vec<String>,
    /// What says nothing within descriptions.
    pub(crate) omissions: Vec<String>,
    /// Other words for the beginning of a description.
    pub(crate) usual_words: IndexMap<String, String>,
    pub(crate) descriptions: Vec<ExceptionGroup<String>>,
    /// The types of scalars. Those of GraphQL itself are known; others may be anything.
    pub(crate) scalars: IndexMap<String, String>,
    /// Arguments and input fields that say nothing about what is done.
    pub(crate) unused_inputs: Vec<String>,
    /// Inputs of root fields that are left out.
    pub(crate) left_out_inputs: Vec<ExceptionGroup<Vec<String>>>,
    /// How ids are found from what people know.
    pub(crate) lookups: IndexMap<String, LookupRule>,
    /// The lookup of an input field, by its name.
    pub(crate) fields: IndexMap<String, String>,
    /// The lookups of a root field, by the name of its input field.
    pub(crate) resolved: Vec<ExceptionGroup<IndexMap<String, FieldLookup>>>,
    /// Who can use root fields, by the beginning of the id.
    pub(crate) audiences: IndexMap<String, Audience>,
    pub(crate) answers: AnswerRules,
}

/// A lookup, as far as it is the same for all root fields.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LookupRule {
    /// The inputs that name the object. The last one is its own; a list of objects has a list of it.
    pub(crate) inputs: IndexMap<String, String>,
    /// The place of the object.
    pub(crate) at: String,
    #[serde(default)]
    pub(crate) pick: Option<String>,
    #[serde(default)]
    pub(crate) pick_input: Option<String>,
    #[serde(default)]
    pub(crate) reads: Vec<String>,
    #[serde(default)]
    pub(crate) noun: Option<String>,
}

/// How the id in an input field of one root field is found.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FieldLookup {
    /// The lookup, or nothing if the id is given as it is.
    pub(crate) lookup: Option<String>,
    /// What it is called, if the lookup is used several times.
    #[serde(default)]
    pub(crate) name: Option<String>,
    /// Other names of its inputs.
    #[serde(default)]
    pub(crate) inputs: IndexMap<String, String>,
}

/// Which fields of answers are kept.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct AnswerRules {
    /// Fields that come first, if there are too many.
    pub(crate) first: Vec<String>,
    /// Fields that are worth more than others, and objects that are kept at all.
    pub(crate) useful: Vec<String>,
    /// Fields that are never kept. `*` at an end stands for anything.
    pub(crate) never: Vec<String>,
    /// How many fields an object has at most.
    pub(crate) most: usize,
    /// Other scalars are kept until there are so many fields.
    pub(crate) enough: usize,
    /// Whether objects are kept that are not among the useful fields.
    pub(crate) keeps_all_objects: bool,
    /// An object inside another becomes the first of these fields that it has.
    pub(crate) shorten: Vec<String>,
    /// Types whose objects become another field, or none.
    pub(crate) shorten_types: IndexMap<String, Option<String>>,
    /// Types whose objects other things belong to. In a payload that is about something else, they are shortened.
    pub(crate) containers: Vec<String>,
    /// Lists with pages inside an object that are kept, at most so many rows of each.
    pub(crate) lists: IndexMap<String, u64>,
    /// The rows that are kept of other lists with pages; zero for none.
    pub(crate) other_lists: u64,
    /// The fields of an answer as an outline has them.
    pub(crate) written: Vec<ExceptionGroup<WrittenAnswer>>,
}

/// An answer that somebody wrote.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WrittenAnswer {
    #[serde(default)]
    pub(crate) at: Option<String>,
    pub(crate) output: IndexMap<String, Value>,
}

impl Default for AnswerRules {
    fn default() -> Self {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        Self {
            first: names(&[
                "id",
                "number",
                "name",
                "title",
                "handle",
                "slug",
                "key",
                "code",
                "login",
                "email",
                "status",
                "state",
                "type",
                "amount",
                "currencyCode",
                "url",
                "message",
                "field",
            ]),
            useful: names(&[
                "description",
                "body",
                "createdAt",
                "updatedAt",
                "price",
                "quantity",
                "count",
                "total",
                "errors",
                "userErrors",
            ]),
            never: names(&["clientMutationId", "__*"]),
            most: 14,
            enough: 12,
            keeps_all_objects: true,
            shorten: names(&["login", "slug", "handle", "name", "title"]),
            shorten_types: IndexMap::new(),
            containers: Vec::new(),
            lists: IndexMap::new(),
            other_lists: 10,
            written: Vec::new(),
        }
    }
}

impl LookupRule {
    /// Returns the input that is its own.
    pub(crate) fn own_input(&self) -> Option<&str> {
        self.inputs.keys().next_back().map(String::as_str)
    }

    pub(crate) fn outline(&self, at: String) -> OutlineLookup {
        OutlineLookup {
            at,
            each: None,
            pick: self.pick.clone(),
            pick_input: self.pick_input.clone(),
            reads: self.reads.clone(),
            noun: self.noun.clone(),
        }
    }
}

impl GraphqlRules {
    /// Returns the rules for a service that nobody has written rules for.
    pub fn of_service(name: &str) -> Self {
        Self {
            service: Some(name.to_owned()),
            ..Self::default()
        }
    }

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

    /// Returns the root fields that exceptions name, with the reason of each.
    pub(crate) fn named_operations(&self) -> Vec<(&str, &str)> {
        let all = named(&self.left_out)
            .chain(named(&self.written))
            .chain(named(&self.ids))
            .chain(named(&self.descriptions))
            .chain(named(&self.left_out_inputs))
            .chain(named(&self.resolved))
            .chain(named(&self.answers.written));
        all.collect()
    }
}
