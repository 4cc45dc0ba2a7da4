//! What the expressions of a skill can name.

use std::cell::RefCell;
use std::collections::BTreeMap;

use capstan_core::expr::{Expr, Path, Root, Segment};
use capstan_schema::Schema;
use serde_json::Value;

use super::types::{Missing, Ty};
use super::{Part, names};

/// The input of the skill and the outputs of its steps.
pub(super) struct Scope<'a> {
    pub(super) parts: &'a [Part<'a>],
    /// By step: what it gives, by the names that others know it by.
    offers: Vec<Vec<Offer>>,
    /// Nothing where the skill does not say: then it takes what its steps need.
    pub(super) input: Option<&'a Value>,
    /// What the steps need of an input that is not stated.
    pub(super) inferred: RefCell<BTreeMap<String, Needed>>,
}

/// Something that a step gives.
pub(super) struct Offer {
    pub(super) name: String,
    /// As the step calls it.
    pub(super) field: String,
    pub(super) ty: Ty,
}

/// An input that a skill turns out to have.
#[derive(Clone, Debug, Default)]
pub(super) struct Needed {
    pub(super) schemas: Vec<Value>,
    pub(super) required: bool,
}

/// What the beginning of a path means.
pub(super) enum Meaning<'a> {
    Input(&'a [Segment]),
    Output(usize, &'a [Segment]),
    /// A step, but not its output.
    Step(usize, &'a [Segment]),
    /// No step is called so.
    Nothing(String),
    /// It does not begin with `$`.
    Nameless,
}

impl<'a> Scope<'a> {
    pub(super) fn new(parts: &'a [Part<'a>], input: Option<&'a Value>) -> Self {
        Self {
            parts,
            offers: parts.iter().map(offers).collect(),
            input,
            inferred: RefCell::default(),
        }
    }

    /// What a step gives.
    pub(super) fn offers(&self, step: usize) -> &[Offer] {
        &self.offers[step]
    }

    /// What a step gives by this name.
    pub(super) fn offer(&self, step: usize, name: &str) -> Option<&Offer> {
        self.offers[step].iter().find(|offer| offer.name == name)
    }
}

fn offers(part: &Part<'_>) -> Vec<Offer> {
    let Some(document) = part.contract.output.as_deref() else {
        return Vec::new();
    };
    let properties = Schema::new(document).properties();
    let offer = |(field, property): (&str, capstan_schema::Property<'_>)| {
        let mut renamed = part.compose.output_mapping.iter();
        let new = renamed.find(|(old, _)| old.value == field);
        Offer {
            name: new.map_or(field, |(_, new)| new.value.as_str()).to_owned(),
            field: field.to_owned(),
            ty: Ty::part(property.schema(), property.required),
        }
    };
    properties.into_iter().map(offer).collect()
}

impl Scope<'_> {
    /// Names of steps may have dots, so the longest that fits is meant.
    pub(super) fn meaning<'p>(&self, path: &'p Path) -> Meaning<'p> {
        let Root::Variable(root) = &path.root else {
            return Meaning::Nameless;
        };
        if root == "input" {
            return Meaning::Input(&path.segments);
        }
        let mut name = root.clone();
        let mut best = None;
        for taken in 0..=path.segments.len() {
            if let Some(step) = names(self.parts).position(|known| known == name) {
                best = Some((step, taken));
            }
            match path.segments.get(taken) {
                Some(Segment::Key(key)) => name = format!("{name}.{key}"),
                _ => break,
            }
        }
        let Some((step, taken)) = best else {
            // As far as it looks like the name of a step.
            let keys = path.segments.iter().map_while(|it| match it {
                Segment::Key(key) if key != "output" => Some(key.as_str()),
                _ => None,
            });
            let has_output = path.segments.contains(&Segment::Key("output".to_owned()));
            let keys: Vec<_> = keys.filter(|_| has_output).collect();
            let name = std::iter::once(root.as_str()).chain(keys);
            return Meaning::Nothing(name.collect::<Vec<_>>().join("."));
        };
        match path.segments.get(taken) {
            Some(Segment::Key(key)) if key == "output" => {
                Meaning::Output(step, &path.segments[taken + 1..])
            }
            _ => Meaning::Step(step, &path.segments[taken..]),
        }
    }

    pub(super) fn input_type(&self, segments: &[Segment]) -> Result<Ty, Missing> {
        match (self.input, segments.first()) {
            (Some(schema), _) => Ty::walk(schema, segments),
            (None, Some(Segment::Key(name))) => {
                self.inferred.borrow_mut().entry(name.clone()).or_default();
                Ok(Ty::unknown())
            }
            (None, _) => Ok(Ty::unknown()),
        }
    }

    pub(super) fn output_type(&self, step: usize, segments: &[Segment]) -> Result<Ty, Missing> {
        match self.parts[step].contract.output.as_deref() {
            Some(schema) => Ty::walk(schema, segments),
            None => Ok(Ty::unknown()),
        }
    }

    /// An input that is not stated turns out to be needed.
    pub(super) fn infer(&self, name: &str, schema: Option<Value>, required: bool) {
        let mut inferred = self.inferred.borrow_mut();
        let needed = inferred.entry(name.to_owned()).or_default();
        needed.required |= required;
        needed.schemas.extend(schema);
    }

    pub(super) fn step_name(&self, step: usize) -> &str {
        self.parts[step].compose.step_name()
    }

    /// Whether a step is known to give a field.
    pub(super) fn gives(&self, step: usize, field: &str) -> bool {
        self.offers[step].iter().any(|offer| offer.field == field)
    }

    /// A text as the expression that it would be with a `$`, if that meant something.
    pub(super) fn with_dollar(&self, text: &str) -> Option<String> {
        let text = format!("${text}");
        let Ok(Expr::Path(path)) = Expr::parse(&text) else {
            return None;
        };
        let is_meant = match self.meaning(&path) {
            Meaning::Output(..) => true,
            Meaning::Input(segments) => !segments.is_empty(),
            Meaning::Step(..) | Meaning::Nothing(_) | Meaning::Nameless => false,
        };
        is_meant.then_some(text)
    }
}
