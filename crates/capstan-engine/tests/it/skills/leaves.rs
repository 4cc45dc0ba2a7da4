//! What the skills are made of in the end: a few of each kind. What they give depends on what they are given,
//! and on nothing else.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::OnceLock;

use capstan_catalog::{Catalog, load_text};
use capstan_core::Source;
use capstan_core::card::Card;
use serde_json::{Map, Value, json};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// TypeScript that only reads.
    Code,
    /// The same, and its result may serve again.
    Cached,
    /// Of a downstream server; it writes.
    Tool,
    /// A card, run by a skill.
    Card,
    /// A card, composed as it is.
    Bare,
    /// A card that writes.
    WritingCard,
}

pub(super) struct Leaf {
    pub(super) id: &'static str,
    pub(super) kind: Kind,
    /// `!`: it needs it.
    takes: &'static [&'static str],
    gives: &'static [&'static str],
}

const fn leaf(
    id: &'static str,
    kind: Kind,
    takes: &'static [&'static str],
    gives: &'static [&'static str],
) -> Leaf {
    Leaf {
        id,
        kind,
        takes,
        gives,
    }
}

pub(super) const LEAVES: [Leaf; 12] = [
    leaf("read-a", Kind::Code, &[], &["a"]),
    leaf("read-b", Kind::Code, &["a!"], &["b"]),
    leaf("read-c", Kind::Code, &["b!", "c"], &["c", "e"]),
    leaf("read-d", Kind::Code, &["c!", "e"], &["d", "a"]),
    leaf("cached", Kind::Cached, &["a!", "b"], &["e"]),
    leaf("write-b", Kind::Tool, &["a!"], &["b"]),
    leaf("write-d", Kind::Tool, &["c"], &["d"]),
    leaf("write-e", Kind::Tool, &["d!"], &["e"]),
    leaf("card-c", Kind::Card, &["a!"], &["c"]),
    leaf("thing.bare", Kind::Bare, &["b!", "d"], &["a"]),
    leaf("card-write-a", Kind::WritingCard, &["e"], &["a"]),
    leaf("card-write-c", Kind::WritingCard, &["b!"], &["c"]),
];

/// What can be passed on.
pub(super) const NAMES: [&str; 5] = ["a", "b", "c", "d", "e"];

impl Leaf {
    pub(super) fn writes(&self) -> bool {
        matches!(self.kind, Kind::Tool | Kind::WritingCard)
    }

    /// Those whose calls can be told apart take where they stand: `tag` in `outer`.
    pub(super) fn is_tagged(&self) -> bool {
        self.kind != Kind::Cached
    }

    /// Each with whether it is needed.
    pub(super) fn inputs(&self) -> Vec<(String, bool)> {
        let own = self.takes.iter().map(|name| match name.strip_suffix('!') {
            Some(name) => (name.to_owned(), true),
            None => ((*name).to_owned(), false),
        });
        let tags = [("tag".to_owned(), true), ("outer".to_owned(), false)];
        let tags = tags.into_iter().filter(|_| self.is_tagged());
        own.chain(tags).collect()
    }

    /// All give a small number to ask about.
    pub(super) fn outputs(&self) -> impl Iterator<Item = &'static str> {
        self.gives.iter().copied().chain(["n"])
    }

    /// What comes back, by what went in.
    pub(super) fn give(&self, input: &Map<String, Value>) -> Map<String, Value> {
        let sorted: BTreeMap<_, _> = input.iter().map(|(k, v)| (k, v.to_string())).collect();
        let give = |field: &str| {
            let mut hasher = DefaultHasher::new();
            (self.id, field, &sorted).hash(&mut hasher);
            let number = hasher.finish();
            match field {
                "n" => json!(number % 4),
                _ => json!(format!("{field}-{number:x}")),
            }
        };
        let fields = self.outputs().map(|field| (field.to_owned(), give(field)));
        fields.collect()
    }

    fn input_schema(&self) -> Value {
        let inputs = self.inputs();
        let properties: Map<String, Value> = inputs
            .iter()
            .map(|(name, _)| (name.clone(), json!({"type": "string"})))
            .collect();
        let required: Vec<_> = inputs.iter().filter(|it| it.1).map(|it| &it.0).collect();
        json!({"type": "object", "properties": properties, "required": required})
    }

    fn output_schema(&self) -> Value {
        let properties: Map<String, Value> = self
            .outputs()
            .map(|name| (name.to_owned(), type_of(name)))
            .collect();
        let required: Vec<_> = self.outputs().collect();
        json!({"type": "object", "properties": properties, "required": required})
    }

    /// The L1 skill; a bare card has none.
    pub(super) fn skill(&self) -> Option<Value> {
        let mut skill = json!({"id": self.id, "level": 1});
        let mut stated = true;
        match self.kind {
            Kind::Code | Kind::Cached => {
                // What stands for the code here.
                skill["code"] = json!(self.id);
                skill["operation"] = json!("READ");
                if self.kind == Kind::Cached {
                    skill["cache"] = json!("run");
                }
            }
            Kind::Tool => skill["tool"] = json!(format!("box.{}", self.id)),
            Kind::Card | Kind::WritingCard => {
                skill["card"] = json!(self.card_id());
                stated = false;
            }
            Kind::Bare => return None,
        }
        if stated {
            skill["input_schema"] = self.input_schema();
            skill["output_schema"] = self.output_schema();
        }
        Some(skill)
    }

    /// Optional inputs come from other steps only where the skill itself says what it takes.
    pub(super) fn states_its_input(&self) -> bool {
        matches!(self.kind, Kind::Code | Kind::Cached | Kind::Tool)
    }

    fn card_id(&self) -> String {
        match self.kind {
            Kind::Bare => self.id.to_owned(),
            _ => format!("thing.{}", self.id.replace('-', "_")),
        }
    }

    fn card(&self) -> Option<String> {
        if !matches!(self.kind, Kind::Card | Kind::Bare | Kind::WritingCard) {
            return None;
        }
        let (method, operation) = match self.writes() {
            true => ("POST", "WRITE"),
            false => ("GET", "READ"),
        };
        let query: Map<String, Value> = self
            .inputs()
            .iter()
            .map(|(name, _)| (name.clone(), json!(format!("{{{name}}}"))))
            .collect();
        let fields: Map<String, Value> = self
            .outputs()
            .map(|name| (name.to_owned(), json!(name)))
            .collect();
        let card = json!({
            "capability_id": self.card_id(),
            "version": "1.0.0",
            "description": "Something to be run.",
            "operation": operation,
            "effects": [],
            "input_schema": self.input_schema(),
            "output_schema": self.output_schema(),
            "routing": {"preferred": "rest"},
            "no_graphql": "It is only a test.",
            "rest": {
                "method": method,
                "path": format!("/{}", self.id),
                "query": query,
                "output": {"fields": fields},
            },
            "intents": ["try something"],
            "examples": [],
        });
        Some(card.to_string())
    }
}

/// As every schema here has it.
pub(super) fn type_of(name: &str) -> Value {
    match name {
        "n" => json!({"type": "integer"}),
        "flag" => json!({"type": "boolean"}),
        _ => json!({"type": "string"}),
    }
}

pub(super) fn catalog() -> Catalog {
    static CARDS: OnceLock<Vec<Card>> = OnceLock::new();
    let cards = CARDS.get_or_init(|| {
        let load = |text: String| {
            let source = Source::new("card.yaml", text);
            load_text(&source, |_| Err("there is no document".to_owned())).unwrap()
        };
        LEAVES.iter().filter_map(Leaf::card).map(load).collect()
    });
    let mut catalog = Catalog::default();
    for card in cards {
        catalog.insert(card.clone());
    }
    catalog
}
