//! The text of the drafted file, with the place of each input in it.

use std::fmt::Write as _;
use std::ops::Range;

use serde_json::Value;

use super::asked::{SkillInput, asked};
use super::order::{StepGroup, blocks};
use super::steps::{DraftStep, InputSource};
use super::values::plain;
use super::yaml;
use crate::SkillId;

/// Properties of the whole draft.
pub(super) struct About<'a> {
    pub(super) id: &'a SkillId,
    pub(super) description: &'a str,
    pub(super) origin: &'a str,
    pub(super) with_examples: bool,
    /// Whether the draft has an `input_schema`, or leaves the input to be inferred from the steps.
    pub(super) states_its_input: bool,
}

pub(super) struct DraftFile {
    pub(super) text: String,
    pub(super) places: Vec<(Range<usize>, FilePart)>,
}

/// What stands at a place in the file.
#[derive(Clone, Debug)]
pub(super) enum FilePart {
    /// An input of a step: the index of the step, and that of the input.
    Input(usize, usize),
    /// A property of `input_schema`, with the inputs that use it.
    Property(Vec<(usize, usize)>),
}

pub(super) fn write(about: &About<'_>, steps: &[DraftStep<'_>]) -> DraftFile {
    let asked = asked(steps);
    let mut file = DraftFile {
        text: String::new(),
        places: Vec::new(),
    };
    file.head(about);
    file.composes(steps, &asked);
    if about.states_its_input {
        file.input_schema(&asked, about.with_examples);
    }
    file.execution(steps, &blocks(steps));
    file.outputs(steps);
    file
}

impl DraftFile {
    fn head(&mut self, about: &About<'_>) {
        let origin: String = about
            .origin
            .chars()
            .map(|c| if (' '..='~').contains(&c) { c } else { '?' })
            .collect();
        let _ = write!(
            self.text,
            "# Drafted from {origin}.\n\
             # Look at which inputs should be fixed, which fixed values should be inputs, and which outputs are needed.\n\
             id: {}\nversion: 1.0.0\nlevel: 2\ndescription: {}\n",
            yaml::name_of(about.id.as_str()),
            yaml::quoted(about.description),
        );
    }

    fn composes(&mut self, steps: &[DraftStep<'_>], asked: &[SkillInput<'_>]) {
        self.text.push_str("composes:\n");
        for (number, step) in steps.iter().enumerate() {
            let skill = yaml::name_of(&step.call.capability);
            let name = yaml::name_of(&step.name);
            let _ = write!(self.text, "  - skill: {skill}\n    as: {name}\n");
            if step.inputs.is_empty() {
                continue;
            }
            self.text.push_str("    inputs:\n");
            for (place, input) in step.inputs.iter().enumerate() {
                let begin = self.text.len();
                let _ = write!(self.text, "      {}:", yaml::name_of(&input.given.name));
                match input.source() {
                    InputSource::FromSteps(Value::String(text), _) => self.expression(text),
                    InputSource::FromSteps(value, _) => yaml::value(&mut self.text, value, 8),
                    InputSource::Literal => {
                        let value = input.given.value.map(plain).unwrap_or_default();
                        yaml::value(&mut self.text, &value, 8);
                    }
                    InputSource::FromSkill => {
                        let mut all = asked.iter();
                        let asked = all.find(|it| it.consumers.contains(&(number, place)));
                        let name = asked.map(|it| it.name.as_str()).unwrap_or_default();
                        self.expression(&format!("$input.{name}"));
                    }
                }
                let end = self.text.len();
                self.places
                    .push((begin..end, FilePart::Input(number, place)));
            }
        }
    }

    fn expression(&mut self, text: &str) {
        let _ = writeln!(self.text, " {}", yaml::expression(text));
    }

    fn input_schema(&mut self, asked: &[SkillInput<'_>], with_examples: bool) {
        self.text
            .push_str("input_schema:\n  type: object\n  properties:");
        if asked.is_empty() {
            self.text.push_str(" {}\n");
            return;
        }
        self.text.push('\n');
        for one in asked {
            let begin = self.text.len();
            let _ = write!(self.text, "    {}:", yaml::name_of(&one.name));
            yaml::value(&mut self.text, &one.shown(with_examples), 6);
            let place = FilePart::Property(one.consumers.clone());
            self.places.push((begin..self.text.len(), place));
        }
        let names: Vec<_> = asked.iter().map(|it| yaml::name_of(&it.name)).collect();
        let line = names.join(", ");
        match line.len() {
            ..=80 => {
                let _ = writeln!(self.text, "  required: [{line}]");
            }
            _ => {
                self.text.push_str("  required:\n");
                for name in names {
                    let _ = writeln!(self.text, "    - {name}");
                }
            }
        }
    }

    fn execution(&mut self, steps: &[DraftStep<'_>], blocks: &[StepGroup]) {
        if blocks.is_empty() {
            return;
        }
        self.text.push_str("execution:\n");
        let name = |number: &usize| yaml::name_of(&steps[*number].name);
        for block in blocks {
            if let [alone] = block.as_slice() {
                let _ = writeln!(self.text, "  - step: {}", name(alone));
                continue;
            }
            self.text.push_str("  - parallel:\n");
            for step in block {
                let _ = writeln!(self.text, "      - step: {}", name(step));
            }
        }
    }

    /// Writes the results of the last batch as outputs.
    fn outputs(&mut self, steps: &[DraftStep<'_>]) {
        self.text.push_str("outputs:\n");
        let last = steps.iter().map(|step| step.call.batch).max();
        for step in steps.iter().filter(|step| Some(step.call.batch) == last) {
            let name = &step.name;
            let _ = writeln!(
                self.text,
                "  {}: {}",
                yaml::name_of(name),
                yaml::expression(&format!("${name}.output"))
            );
        }
    }
}
