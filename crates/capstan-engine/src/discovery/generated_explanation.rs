//! Explanations of generated cards. Nobody wrote an example for them, so the shapes of nested inputs are shown; and
//! nobody chose their inputs, so there may be too many to show all.

use serde_json::Value;

use capstan_core::card::Card;

use super::explanation::{Explanation, Parameter};

/// How many bytes of names and types of optional inputs are shown.
const MAX_OPTIONAL: usize = 260;
/// How many bytes required inputs may have before they take room from optional ones.
const USUAL_REQUIRED: usize = 200;
/// How many bytes of shapes are shown.
const MAX_SHAPES: usize = 200;
/// How many bytes of JSON the whole explanation may have, about 200 tokens.
const MAX_JSON: usize = 740;
/// How many bytes the note about left out inputs has.
const NOTE: usize = 60;
/// How many levels of objects a shape shows.
const MAX_DEPTH: usize = 3;

impl Explanation {
    pub(super) fn from_generated(card: &Card) -> Self {
        let mut explanation = Self::from_card(card);
        let mut shapes = Shapes::default();
        explanation.shorten();
        let required = explanation.required.keys();
        for name in required.chain(explanation.optional.keys()) {
            shapes.add(name, &card.input_schema["properties"][name]);
        }
        let mut notes = shapes.shown;
        notes.append(&mut explanation.notes);
        explanation.notes = notes;
        while explanation.is_long() && explanation.leave_out_optional() {}
        if explanation.more_optional > 0 {
            explanation.notes.push(format!(
                "{} more optional inputs: explain as TypeScript shows all",
                explanation.more_optional
            ));
        }
        explanation
    }

    fn is_long(&self) -> bool {
        let note = if self.more_optional > 0 { NOTE } else { 0 };
        serde_json::to_string(self).is_ok_and(|json| json.len() + note > MAX_JSON)
    }

    /// Leaves out the last optional input with its shape. Returns whether there was one.
    fn leave_out_optional(&mut self) -> bool {
        let Some((name, _)) = self.optional.pop() else {
            return false;
        };
        self.more_optional += 1;
        self.notes.retain(|note| {
            let rest = note.strip_prefix(&name);
            rest.is_none_or(|rest| !rest.starts_with(": "))
        });
        true
    }

    /// Leaves out optional inputs after the first ones, if there are many.
    fn shorten(&mut self) {
        let bytes = |(name, kind): (&String, &Parameter)| name.len() + kind.0.len();
        let required: usize = self.required.iter().map(bytes).sum();
        let mut size = required.saturating_sub(USUAL_REQUIRED);
        let fits = self.optional.iter().take_while(|(name, kind)| {
            size += name.len() + kind.0.len();
            size <= MAX_OPTIONAL
        });
        let shown = fits.count();
        self.more_optional = self.optional.len() - shown;
        self.optional.truncate(shown);
    }
}

/// The shapes of inputs whose types alone do not say what to write.
#[derive(Default)]
struct Shapes {
    shown: Vec<String>,
    size: usize,
}

impl Shapes {
    fn add(&mut self, name: &str, schema: &Value) {
        let Some(text) = (1..=MAX_DEPTH).rev().find_map(|depth| {
            let text = shape(schema, depth);
            (self.size + text.len() <= MAX_SHAPES).then_some(text)
        }) else {
            return;
        };
        if text.contains('{') {
            self.size += text.len();
            self.shown.push(format!("{name}: {text}"));
        }
    }
}

/// Returns a type as text: `{name: string, color?: string}`, `[string]`, `{*: object}`.
fn shape(schema: &Value, depth: usize) -> String {
    if let Some(choices) = schema["anyOf"].as_array() {
        let choices: Vec<_> = choices.iter().map(|choice| shape(choice, depth)).collect();
        return choices.join(" | ");
    }
    if let Some(values) = schema["enum"].as_array() {
        let values: Vec<_> = values.iter().map(plain).collect();
        return values.join("|");
    }
    if schema["items"].is_object() {
        return format!("[{}]", shape(&schema["items"], depth));
    }
    if depth > 0 && schema["additionalProperties"].is_object() {
        return format!(
            "{{*: {}}}",
            shape(&schema["additionalProperties"], depth - 1)
        );
    }
    match schema["properties"].as_object() {
        Some(fields) if depth > 0 => {
            let required = schema["required"].as_array();
            let is_required =
                |name: &String| required.is_some_and(|all| all.iter().any(|it| it == name));
            let fields = fields.iter().map(|(name, schema)| {
                let mark = if is_required(name) { "" } else { "?" };
                format!("{name}{mark}: {}", shape(schema, depth - 1))
            });
            format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
        }
        _ => match &schema["type"] {
            Value::Array(kinds) => kinds.iter().map(plain).collect::<Vec<_>>().join("|"),
            Value::Null => "any".to_owned(),
            kind => plain(kind),
        },
    }
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
