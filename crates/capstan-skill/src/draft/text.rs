//! The file, with where in it each input stands.

use std::fmt::Write as _;
use std::ops::Range;

use serde_json::Value;

use super::asked::{Asked, asked};
use super::order::{Block, blocks};
use super::steps::{Step, Way};
use super::values::plain;
use super::yaml;
use crate::SkillId;

/// What is said of the whole skill.
pub(super) struct About<'a> {
    pub(super) id: &'a SkillId,
    pub(super) description: &'a str,
    pub(super) origin: &'a str,
    pub(super) with_examples: bool,
    /// Whether it says what it takes, or leaves that to its steps.
    pub(super) states_its_input: bool,
}

pub(super) struct Written {
    pub(super) text: String,
    pub(super) places: Vec<(Range<usize>, Place)>,
}

/// What stands in a place.
#[derive(Clone, Debug)]
pub(super) enum Place {
    /// An input of a step, by their numbers.
    Input(usize, usize),
    /// A property of `input_schema`, with who takes it.
    Property(Vec<(usize, usize)>),
}

pub(super) fn write(about: &About<'_>, steps: &[Step<'_>]) -> Written {
    let asked = asked(steps);
    let mut file = Written {
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

impl Written {
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

    fn composes(&mut self, steps: &[Step<'_>], asked: &[Asked<'_>]) {
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
                match input.way() {
                    Way::Taken(Value::String(text), _) => self.expression(text),
                    Way::Taken(value, _) => yaml::value(&mut self.text, value, 8),
                    Way::Literal => {
                        let value = input.given.value.map(plain).unwrap_or_default();
                        yaml::value(&mut self.text, &value, 8);
                    }
                    Way::Asked => {
                        let mut all = asked.iter();
                        let asked = all.find(|it| it.takers.contains(&(number, place)));
                        let name = asked.map(|it| it.name.as_str()).unwrap_or_default();
                        self.expression(&format!("$input.{name}"));
                    }
                }
                let end = self.text.len();
                self.places.push((begin..end, Place::Input(number, place)));
            }
        }
    }

    fn expression(&mut self, text: &str) {
        let _ = writeln!(self.text, " {}", yaml::expression(text));
    }

    fn input_schema(&mut self, asked: &[Asked<'_>], with_examples: bool) {
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
            let place = Place::Property(one.takers.clone());
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

    fn execution(&mut self, steps: &[Step<'_>], blocks: &[Block]) {
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

    /// What the last batch gave.
    fn outputs(&mut self, steps: &[Step<'_>]) {
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
