//! Collects the inputs of a line and its problems.

use std::collections::HashMap;

use serde_json::{Map, Value};

use capstan_core::brief;
use capstan_core::card::Card;

use super::advice;
use super::options::{BoundLine, twice};
use crate::error::Correction;
use crate::form;
use crate::inputs::Inputs;
use crate::names::Meaning;
use crate::number;
use crate::repository::{self, Defaults, NamedRepository, RepositoryMentions};
use crate::syntax::Word;
use crate::values::{self, WrittenValue};

/// The length at which values in messages are cut.
pub(super) const LONGEST: usize = 60;

/// The largest number of rows that one line may request.
const MOST_ROWS: u64 = 1000;

pub(super) struct Binder<'a> {
    pub inputs: Inputs<'a>,
    /// Whether a word was skipped that may have been an input.
    pub may_have_skipped_input: bool,
    pub(super) bound: BoundLine,
    /// The inputs that are written without a flag.
    pub(super) positional: Vec<&'a str>,
    repository: RepositoryMentions,
    /// How each input was written, even if its value is wrong.
    pub(super) given: HashMap<String, String>,
    /// The value of `--order`.
    order: Option<String>,
    problems: Vec<String>,
}

/// The option for the sort direction.
const ORDER: &str = "order";

/// The input that takes one label.
const ONE_LABEL: &str = "label";

impl<'a> Binder<'a> {
    pub(super) fn new(card: &'a Card, name: Option<String>) -> Self {
        let inputs = Inputs::from_card(card);
        Self {
            inputs,
            may_have_skipped_input: false,
            bound: BoundLine {
                name,
                ..BoundLine::default()
            },
            positional: inputs.positional(),
            repository: RepositoryMentions::default(),
            given: HashMap::new(),
            order: None,
            problems: Vec::new(),
        }
    }

    pub(super) fn problem(&mut self, problem: String) {
        self.problems.push(problem);
    }

    pub(super) fn option(&mut self, name: &str, value: &str) {
        if name == ORDER {
            // `--sort`, to which it belongs, may follow later.
            if self.order.replace(value.to_owned()).is_some() {
                self.problem(twice(name));
            }
            return;
        }
        let set = self.bound.set(self.inputs.card, name, value);
        self.problems.extend(set.err());
    }

    /// Binds the value of a flag or key.
    pub(super) fn apply(
        &mut self,
        meaning: Meaning<'_>,
        shown: &str,
        value: Option<WrittenValue<'_>>,
    ) {
        if let Some(written) =
            value.filter(|it| !it.is_literal && advice::is_command_substitution(it.text))
        {
            let command = brief(written.text, 12);
            self.problem(format!(
                "`{shown}` is `{command}`, and there is no shell here: put the text itself between quotes"
            ));
            return;
        }
        match (meaning, value) {
            (Meaning::Sets(values), None) => self.sets(values, shown),
            (Meaning::Sets(values), Some(value)) if value.text == "true" => {
                self.sets(values, shown);
            }
            (Meaning::Sets(_), Some(_)) => self.problem(format!("`{shown}` takes no value")),
            (Meaning::Input(input), Some(value)) => self.read(input, value, shown),
            (Meaning::Input(input), None) if self.inputs.shape(input).boolean => {
                self.put(input, true.into(), shown);
            }
            (Meaning::Repository, Some(value)) => {
                let shape = self.inputs.shape("repo");
                let read = values::read(&shape, value).unwrap_or_else(|| value.text.into());
                if self.record_given("repo", shown, &read) {
                    self.repository
                        .set_repo_value(read, format!("{shown} {}", value.text));
                }
            }
            (Meaning::Limit, Some(value)) => self.limit(value, shown),
            (Meaning::Redundant, Some(_)) => {}
            (Meaning::Input(input), None) => self.needs_value(input, shown),
            (Meaning::Repository, None) => self.needs_value("repo", shown),
            (Meaning::Limit, None) => self.needs_value("first", shown),
            (Meaning::Redundant, None) => {
                self.problem(format!("`{shown}` needs a value"));
            }
        }
    }

    /// Sets the value of an input. Lists are appended.
    pub(super) fn put(&mut self, input: &str, value: Value, shown: &str) {
        let earlier = self.bound.input.get_mut(input);
        if let (Some(Value::Array(items)), Value::Array(more)) = (earlier, &value) {
            items.extend(more.iter().cloned());
        } else if self.record_given(input, shown, &value) {
            self.bound.input.insert(input.to_owned(), value);
        }
    }

    /// Binds a word without a flag.
    pub(super) fn bind_positional(&mut self, word: &Word) {
        let text = word.text.as_str();
        let mut positional = self.positional.iter().copied();
        let next = positional.find(|name| !self.given.contains_key(*name));
        let is_number = next.is_none_or(|name| self.inputs.shape(name).is_integer_only());
        if is_number
            && self.inputs.have_repository()
            && let Some(read) = repository::read(text)
        {
            match read {
                Ok((owner, name)) => self.repository.add_named(NamedRepository {
                    owner,
                    name,
                    written: text.to_owned(),
                }),
                Err(problem) => self.problem(problem),
            }
            return;
        }
        if let Some(name) = next {
            let written = WrittenValue {
                text,
                is_literal: word.is_literal,
                is_keyed: false,
            };
            let shown = form::placeholder(&self.inputs, name);
            let meaning = self.inputs.meaning(name).unwrap_or(Meaning::Input(name));
            return self.apply(meaning, &shown, Some(written));
        }
        self.report_surplus(text);
    }

    /// Returns the bound line, or all problems.
    pub(super) fn finish(mut self, defaults: &Defaults) -> Result<BoundLine, Correction> {
        let card = self.inputs.card;
        let repository = std::mem::take(&mut self.repository);
        let input = &mut self.bound.input;
        let settled = repository.fill_in(&self.inputs, defaults, input, true);
        let is_settled = settled.is_ok();
        self.problems.extend(settled.err());
        if let Some(order) = &self.order {
            self.problems
                .extend(self.bound.options.set_order(order).err());
        }
        let sort = self.bound.options.sort.take();
        self.bound.options.sort = sort.map(|sort| sort.settled(card));
        if self.bound.options.sort.is_some() && self.bound.input.contains_key("after") {
            self.problem("`--sort` reads all rows: leave `--after` out".to_owned());
        }
        self.report_missing(is_settled);
        if !self.problems.is_empty() {
            return Err(Correction::new(card, &self.problems));
        }
        let mut given = std::mem::take(&mut self.bound.input);
        let ordered = self
            .inputs
            .names()
            .filter_map(|name| given.shift_remove_entry(name));
        let mut input: Map<_, _> = ordered.collect();
        input.extend(given);
        self.bound.input = input;
        Ok(self.bound)
    }

    fn sets(&mut self, values: &Map<String, Value>, shown: &str) {
        for (input, value) in values {
            match (self.given.get(input), self.bound.input.get(input)) {
                (Some(_), Some(earlier)) if earlier == value => {}
                (Some(earlier), _) => {
                    let problem =
                        format!("`{earlier}` and `{shown}` contradict each other: give one");
                    self.problem(problem);
                }
                (None, _) => self.put(input, value.clone(), shown),
            }
        }
    }

    fn read(&mut self, input: &str, written: WrittenValue<'_>, shown: &str) {
        // `gh` reads a comma as several labels. Here it would search in vain for one label with a comma.
        if input == ONE_LABEL && shown.starts_with('-') && written.text.contains(',') {
            self.problem(format!(
                "`{shown}` takes one label, and a comma means several: give one, or write `label=…` for a name with a comma"
            ));
            return;
        }
        let shape = self.inputs.shape(input);
        if shape.is_integer_only()
            && let Some(read) = number::read(written.text, input)
        {
            match read {
                Ok(read) => {
                    self.put(input, read.number.into(), shown);
                    if let Some(named) = read.repository {
                        self.repository.add_named(named);
                    }
                }
                Err(problem) => {
                    self.given.insert(input.to_owned(), shown.to_owned());
                    self.problem(problem);
                }
            }
            return;
        }
        match values::read(&shape, written) {
            Some(value) => self.put(input, value, shown),
            None => {
                self.given.insert(input.to_owned(), shown.to_owned());
                let are_many = shape.is_integer_only() && written.text.contains(',');
                self.problem(format!(
                    "`{shown}` cannot be `{}`: expected {}{}",
                    brief(written.text, LONGEST),
                    shape.expected(),
                    if are_many {
                        "; write one line for each"
                    } else {
                        ""
                    }
                ));
            }
        }
    }

    fn limit(&mut self, written: WrittenValue<'_>, shown: &str) {
        let most = self
            .inputs
            .keyword("first", "maximum")
            .and_then(Value::as_u64);
        match (written.text.parse::<u64>(), most) {
            (Ok(wanted), Some(most)) if wanted > most => {
                if wanted > MOST_ROWS {
                    self.given.insert("first".to_owned(), shown.to_owned());
                    return self.problem(format!(
                        "`{shown}` cannot be {wanted}: expected at most {MOST_ROWS}; continue with \
                         `--after` or take everything with `--all`"
                    ));
                }
                self.bound.options.all = true;
                self.bound.options.limit = Some(wanted);
                self.put("first", most.into(), shown);
            }
            _ => self.read("first", written, shown),
        }
    }

    fn needs_value(&mut self, input: &str, shown: &str) {
        self.given.insert(input.to_owned(), shown.to_owned());
        self.problem(format!(
            "`{shown}` needs a value; write a value that begins with `-` as `{shown}=-…`"
        ));
    }

    /// Records how an input was written, and returns whether it is the first time. Reports a different second
    /// value.
    fn record_given(&mut self, input: &str, shown: &str, value: &Value) -> bool {
        let Some(earlier) = self.given.insert(input.to_owned(), shown.to_owned()) else {
            return true;
        };
        if self.bound.input.get(input) != Some(value) {
            self.problem(if earlier == shown {
                format!("`{shown}` is given twice: give one")
            } else {
                format!("`{earlier}` and `{shown}` mean the same: give one")
            });
        }
        false
    }
}
