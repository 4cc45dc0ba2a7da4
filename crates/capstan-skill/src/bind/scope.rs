//! The names that expressions in a skill can use.

use std::cell::RefCell;
use std::collections::BTreeMap;

use capstan_core::expr::{Expr, Path, Root, Segment};
use capstan_schema::Schema;
use serde_json::Value;

use super::types::{MissingField, Ty};
use super::{ComposedStep, names};

/// The input of the skill and the outputs of its steps.
pub(super) struct BindScope<'a> {
    pub(super) parts: &'a [ComposedStep<'a>],
    /// The outputs of each step, under the names that other steps use.
    offers: Vec<Vec<NamedOutput>>,
    /// The declared input. If it is `None`, the input is inferred from what the steps need.
    pub(super) input: Option<&'a Value>,
    /// The inputs that the steps need, if the skill does not declare its input.
    pub(super) inferred: RefCell<BTreeMap<String, InferredInput>>,
}

/// A field that a step produces.
pub(super) struct NamedOutput {
    pub(super) name: String,
    /// The name of the field before `output_mapping`.
    pub(super) field: String,
    pub(super) ty: Ty,
}

/// An input that the skill does not declare but its steps need.
#[derive(Clone, Debug, Default)]
pub(super) struct InferredInput {
    pub(super) schemas: Vec<Value>,
    pub(super) required: bool,
}

/// The meaning of the start of a path.
pub(super) enum Meaning<'a> {
    Input(&'a [Segment]),
    Output(usize, &'a [Segment]),
    /// A step without `.output`.
    Step(usize, &'a [Segment]),
    /// No step has this name.
    Nothing(String),
    /// The path does not begin with `$`.
    Nameless,
}

impl<'a> BindScope<'a> {
    pub(super) fn new(parts: &'a [ComposedStep<'a>], input: Option<&'a Value>) -> Self {
        Self {
            parts,
            offers: parts.iter().map(offers).collect(),
            input,
            inferred: RefCell::default(),
        }
    }

    /// Returns the fields that a step produces.
    pub(super) fn offers(&self, step: usize) -> &[NamedOutput] {
        &self.offers[step]
    }

    /// Returns the field with this name that a step produces.
    pub(super) fn offer(&self, step: usize, name: &str) -> Option<&NamedOutput> {
        self.offers[step].iter().find(|offer| offer.name == name)
    }
}

fn offers(part: &ComposedStep<'_>) -> Vec<NamedOutput> {
    let Some(document) = part.contract.output.as_deref() else {
        return Vec::new();
    };
    let properties = Schema::new(document).properties();
    let offer = |(field, property): (&str, capstan_schema::Property<'_>)| {
        let mut renamed = part.compose.output_mapping.iter();
        let new = renamed.find(|(old, _)| old.value == field);
        NamedOutput {
            name: new.map_or(field, |(_, new)| new.value.as_str()).to_owned(),
            field: field.to_owned(),
            ty: Ty::from_part(property.schema(), property.required),
        }
    };
    properties.into_iter().map(offer).collect()
}

impl BindScope<'_> {
    /// Finds the input or step that a path refers to. Step names may contain dots, so the longest match wins.
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
            // Take as much of the path as looks like the name of a step.
            let mut names = vec![root.as_str()];
            if path.segments.contains(&Segment::Key("output".to_owned())) {
                names.extend(path.segments.iter().map_while(|it| match it {
                    Segment::Key(key) if key != "output" => Some(key.as_str()),
                    _ => None,
                }));
            }
            return Meaning::Nothing(names.join("."));
        };
        match path.segments.get(taken) {
            Some(Segment::Key(key)) if key == "output" => {
                Meaning::Output(step, &path.segments[taken + 1..])
            }
            _ => Meaning::Step(step, &path.segments[taken..]),
        }
    }

    pub(super) fn input_type(&self, segments: &[Segment]) -> Result<Ty, MissingField> {
        match (self.input, segments.first()) {
            (Some(schema), _) => Ty::walk(schema, segments),
            (None, Some(Segment::Key(name))) => {
                self.inferred.borrow_mut().entry(name.clone()).or_default();
                Ok(Ty::unknown())
            }
            (None, _) => Ok(Ty::unknown()),
        }
    }

    pub(super) fn output_type(
        &self,
        step: usize,
        segments: &[Segment],
    ) -> Result<Ty, MissingField> {
        match self.parts[step].contract.output.as_deref() {
            Some(schema) => Ty::walk(schema, segments),
            None => Ok(Ty::unknown()),
        }
    }

    /// Records that the steps need an undeclared input.
    pub(super) fn infer(&self, name: &str, schema: Option<Value>, required: bool) {
        let mut inferred = self.inferred.borrow_mut();
        let needed = inferred.entry(name.to_owned()).or_default();
        needed.required |= required;
        needed.schemas.extend(schema);
    }

    pub(super) fn step_name(&self, step: usize) -> &str {
        self.parts[step].compose.step_name()
    }

    /// Whether a step is known to produce a field.
    pub(super) fn gives(&self, step: usize, field: &str) -> bool {
        self.offers[step].iter().any(|offer| offer.field == field)
    }

    /// Returns the text with a `$` in front, if that would be a valid expression.
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
