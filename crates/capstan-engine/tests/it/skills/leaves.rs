//! The leaves of all skills: a few of each kind. Their outputs depend only on their inputs.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::OnceLock;

use capstan_catalog::{Catalog, load_text};
use capstan_core::Source;
use capstan_core::card::Card;
use serde_json::{Map, Value, json};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LeafKind {
    /// TypeScript that only reads.
    Code,
    /// TypeScript that only reads, and whose result is cached.
    Cached,
    /// A tool of a downstream server; it writes.
    Tool,
    /// A card, run by a skill.
    Card,
    /// A card that is composed directly, without a skill.
    Bare,
    /// A card that writes.
    WritingCard,
}

pub(super) struct Leaf {
    pub(super) id: &'static str,
    pub(super) kind: LeafKind,
    /// The inputs; those with `!` are required.
    takes: &'static [&'static str],
    gives: &'static [&'static str],
}

const fn leaf(
    id: &'static str,
    kind: LeafKind,
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
    leaf("read-a", LeafKind::Code, &[], &["a"]),
    leaf("read-b", LeafKind::Code, &["a!"], &["b"]),
    leaf("read-c", LeafKind::Code, &["b!", "c"], &["c", "e"]),
    leaf("read-d", LeafKind::Code, &["c!", "e"], &["d", "a"]),
    leaf("cached", LeafKind::Cached, &["a!", "b"], &["e"]),
    leaf("write-b", LeafKind::Tool, &["a!"], &["b"]),
    leaf("write-d", LeafKind::Tool, &["c"], &["d"]),
    leaf("write-e", LeafKind::Tool, &["d!"], &["e"]),
    leaf("card-c", LeafKind::Card, &["a!"], &["c"]),
    leaf("thing.bare", LeafKind::Bare, &["b!", "d"], &["a"]),
    leaf("card-write-a", LeafKind::WritingCard, &["e"], &["a"]),
    leaf("card-write-c", LeafKind::WritingCard, &["b!"], &["c"]),
];

/// The names of values that steps pass on.
pub(super) const NAMES: [&str; 5] = ["a", "b", "c", "d", "e"];

impl Leaf {
    pub(super) fn writes(&self) -> bool {
        matches!(self.kind, LeafKind::Tool | LeafKind::WritingCard)
    }

    /// Returns whether the leaf takes `tag` and `outer`, which identify its calls.
    pub(super) fn is_tagged(&self) -> bool {
        self.kind != LeafKind::Cached
    }

    /// Returns the inputs, and whether each is required.
    pub(super) fn inputs(&self) -> Vec<(String, bool)> {
        let own = self.takes.iter().map(|name| match name.strip_suffix('!') {
            Some(name) => (name.to_owned(), true),
            None => ((*name).to_owned(), false),
        });
        let mut inputs: Vec<_> = own.collect();
        if self.is_tagged() {
            inputs.push(("tag".to_owned(), true));
            inputs.push(("outer".to_owned(), false));
        }
        inputs
    }

    /// Returns the names of the outputs. All leaves have `n`, a small number for conditions.
    pub(super) fn outputs(&self) -> impl Iterator<Item = &'static str> {
        self.gives.iter().copied().chain(["n"])
    }

    /// Computes the output from the input.
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

    /// Returns the L1 skill; `None` for a bare card.
    pub(super) fn skill(&self) -> Option<Value> {
        let mut skill = json!({"id": self.id, "level": 1});
        let mut declares_schemas = true;
        match self.kind {
            LeafKind::Code | LeafKind::Cached => {
                // The fake sandbox takes the id of a leaf as code.
                skill["code"] = json!(self.id);
                skill["operation"] = json!("READ");
                if self.kind == LeafKind::Cached {
                    skill["cache"] = json!("run");
                }
            }
            LeafKind::Tool => skill["tool"] = json!(format!("box.{}", self.id)),
            LeafKind::Card | LeafKind::WritingCard => {
                skill["card"] = json!(self.card_id());
                declares_schemas = false;
            }
            LeafKind::Bare => return None,
        }
        if declares_schemas {
            skill["input_schema"] = self.input_schema();
            skill["output_schema"] = self.output_schema();
        }
        Some(skill)
    }

    /// Returns whether the skill itself declares its input. Only then do optional inputs come from other steps.
    pub(super) fn declares_input(&self) -> bool {
        matches!(
            self.kind,
            LeafKind::Code | LeafKind::Cached | LeafKind::Tool
        )
    }

    fn card_id(&self) -> String {
        match self.kind {
            LeafKind::Bare => self.id.to_owned(),
            _ => format!("thing.{}", self.id.replace('-', "_")),
        }
    }

    fn card(&self) -> Option<String> {
        if !matches!(
            self.kind,
            LeafKind::Card | LeafKind::Bare | LeafKind::WritingCard
        ) {
            return None;
        }
        let (method, operation) = if self.writes() {
            ("POST", "WRITE")
        } else {
            ("GET", "READ")
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

/// Returns the type of a value with this name.
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
