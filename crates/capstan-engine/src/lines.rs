//! Reads lines in `gh`'s syntax as the steps of a chain.

use std::sync::Arc;

use serde_json::{Map, Value};

use capstan_core::card::Card;
use capstan_core::{ChainStep, Options, TaskRequest};
use capstan_lines::{BoundLine, Candidate, Correction, Line, LineOptions, form, parse};

use crate::capability::{Asker, Lookup, Meaning};
use crate::discovery::{Discovery, SearchRequest};
use crate::resolver::Resolver;
use crate::words::Words;
use capstan_exec::{card_for, check_alone};

/// The maximum number of forms that are suggested for an unknown name.
const MAX_FORMS: usize = 3;

/// A line that cannot be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadLine {
    /// Its index, from 0.
    pub line: usize,
    pub problem: String,
    /// The correct form, or forms that may have been meant.
    pub forms: Vec<String>,
}

/// A step that was read from a line, with the card that it runs.
#[derive(Clone, Debug)]
pub struct ReadLine {
    pub step: ChainStep,
    pub card: Arc<Card>,
}

impl ReadLine {
    /// Returns whether it means the same without the other lines, because nothing in it can refer to them.
    pub fn stands_alone(&self) -> bool {
        let ChainStep {
            request,
            each,
            when,
            ..
        } = &self.step;
        each.is_none() && when.is_none() && !request.input.values().any(may_refer)
    }
}

/// Returns whether a text in a value starts like a reference.
fn may_refer(value: &Value) -> bool {
    match value {
        Value::String(text) => text.trim_start().starts_with('$'),
        Value::Array(items) => items.iter().any(may_refer),
        Value::Object(fields) => fields.values().any(may_refer),
        _ => false,
    }
}

/// Reads lines that may name any capability.
pub(crate) struct LineReader<'a> {
    pub(crate) resolver: &'a Resolver,
    pub(crate) discovery: &'a Discovery,
    pub(crate) words: &'a Words,
}

impl LineReader<'_> {
    /// Reads lines as steps. If any line is bad, returns all bad lines and nothing else.
    pub(crate) async fn read_lines(&self, lines: &[String]) -> Result<Vec<ReadLine>, Vec<BadLine>> {
        let mut read: Vec<ReadLine> = Vec::new();
        let mut numbers = Vec::new();
        let mut bad = Vec::new();
        for (number, line) in lines.iter().enumerate() {
            match self.read_line(line).await {
                Ok(mut line) => {
                    complete_references(&mut line.step, &read);
                    read.push(line);
                    numbers.push(number);
                }
                Err((problem, forms)) => bad.push(BadLine {
                    line: number,
                    problem,
                    forms,
                }),
            }
        }
        if bad.is_empty() {
            return Ok(read);
        }
        // The caller has to send all lines again, so all problems are reported at once.
        let others = numbers.into_iter().zip(&read);
        bad.extend(others.filter_map(|(number, line)| self.check_values(number, line)));
        bad.sort_by_key(|bad| bad.line);
        Err(bad)
    }

    /// Checks the values of a line that could be read.
    fn check_values(&self, number: usize, ReadLine { step, card }: &ReadLine) -> Option<BadLine> {
        let error = check_alone(card, &step.request, self.resolver.shared.schemas()).err()?;
        Some(BadLine {
            line: number,
            problem: error.message,
            forms: vec![form(card)],
        })
    }

    async fn read_line(&self, text: &str) -> Result<ReadLine, (String, Vec<String>)> {
        let line = parse(text).map_err(|error| (error.to_string(), Vec::new()))?;
        let Some(named) = self.find_card(&line).await else {
            return Err(self.unknown_name(&line).await);
        };
        let NamedCard {
            card,
            words,
            sets,
            single,
        } = named;
        let bound = self.bind(text, &line, words, &card);
        let BoundLine {
            name,
            mut input,
            options,
        } = bound.map_err(|correction| (correction.problem, vec![correction.form]))?;
        let has_several_values = |name: &&String| {
            let value = input.get(*name).and_then(Value::as_array);
            value.is_some_and(|values| values.len() > 1)
        };
        if let Some(name) = single.iter().find(has_several_values) {
            let problem = format!(
                "with several values, `{name}` matches rows that have any one of them: give one, or use \
                 the form that matches all"
            );
            return Err((problem, vec![form(&card)]));
        }
        for (name, value) in sets {
            input.entry(name).or_insert(value);
        }
        // What a raw call does depends on its input.
        let input = self.words.with_path_repository(&card, input);
        let card = card_for(&card, &input).map_err(|error| (error.message, vec![form(&card)]))?;
        let LineOptions { each, when, .. } = options.clone();
        let step = ChainStep {
            name,
            request: TaskRequest {
                capability: card.id.to_string(),
                input,
                options: step_options(&card, options),
                intent: None,
            },
            each,
            when,
        };
        Ok(ReadLine { step, card })
    }

    /// Binds a line to its card. Inputs that a line with `--each` omits are taken from the row.
    fn bind(
        &self,
        text: &str,
        line: &Line,
        words: usize,
        card: &Card,
    ) -> Result<BoundLine, Correction> {
        let defaults = self.words.defaults();
        let bound = line.bind(words, card, &defaults);
        let given = line.flag_values(words);
        let (Err(_), Some(Value::String(each))) = (&bound, given.get("each")) else {
            return bound;
        };
        // First the number or id alone, then all positional inputs.
        let row_input = |input: &String| {
            let field = match input.rsplit_once('_') {
                Some((_, last @ ("number" | "id"))) => last,
                _ => input.as_str(),
            };
            format!(" --{input}=${each}.{field}")
        };
        let positional = &card.line.positional;
        for taken in [positional.len().min(1), positional.len()] {
            let row_inputs: String = positional[..taken].iter().map(row_input).collect();
            let completed = parse(&format!("{text}{row_inputs}")).ok();
            if let Some(Ok(completed)) = completed.map(|it| it.bind(words, card, &defaults)) {
                return Ok(completed);
            }
        }
        bound
    }

    /// Returns the card that the first words of a line name, and how many words that is.
    async fn find_card(&self, line: &Line) -> Option<NamedCard> {
        let candidates = line.candidates();
        for Candidate { name, words } in &candidates {
            if self.is_card(name)
                && let Ok(card) = self.resolver.shared.catalog.get(name)
            {
                return Some(NamedCard::by_id(card, *words));
            }
            if let Some((card, other)) = self
                .resolver
                .shared
                .catalog
                .find_by_other_name(name, &line.flag_values(*words))
            {
                return Some(NamedCard {
                    sets: other.sets,
                    single: other.single,
                    ..NamedCard::by_id(card, *words)
                });
            }
        }
        // Tools, skills, code and Capstan's own actions have names of one word.
        let single = candidates.iter().find(|it| it.words == 1)?;
        if let Meaning::Action(card) = self
            .resolver
            .directory
            .meaning(&single.name, Asker::default())
        {
            return Some(NamedCard::by_id(card, 1));
        }
        let deadline = self.resolver.shared.clock.now() + self.resolver.shared.settings.run_timeout;
        let found = self
            .resolver
            .find_for(&single.name, deadline, Lookup::default());
        Some(NamedCard::by_id(found.await.ok()?.card, 1))
    }

    /// Returns whether a name means a card. A generated card gives way to the user's skills and tools.
    fn is_card(&self, name: &str) -> bool {
        let meaning = || self.resolver.directory.meaning(name, Asker::default());
        let is_generated = self.resolver.shared.catalog.is_generated(name);
        !is_generated || matches!(meaning(), Meaning::Card)
    }

    /// Returns the error for an unknown name, with the most similar forms.
    async fn unknown_name(&self, line: &Line) -> (String, Vec<String>) {
        let words: Vec<_> = line.words().take_while(|it| !it.starts_with('-')).collect();
        let mut subjects = words.iter().filter(|word| **word != "gh");
        let name = subjects.next().copied().unwrap_or_default();
        let searched_text = words[..words.len().min(3)].join(" ");
        let shown = capstan_core::brief(
            if name.contains('.') {
                name
            } else {
                &searched_text
            },
            60,
        );
        let mut near = match self.resolver.shared.catalog.get(&name.replace(' ', ".")) {
            Err(unknown) => unknown.near,
            Ok(card) => vec![card.id.to_string()],
        };
        if near.is_empty() {
            let request = SearchRequest {
                intent: Some(searched_text.replace(['.', '_'], " ")),
                ..SearchRequest::default()
            };
            let (hits, _) = self.discovery.search(&request).await;
            near.extend(hits.into_iter().map(|hit| hit.id));
        }
        let mut forms: Vec<String> = Vec::new();
        for id in near {
            if let Some(form) = self.words.form(&id)
                && !forms.contains(&form)
                && forms.len() < MAX_FORMS
            {
                forms.push(form);
            }
        }
        (format!("there is no `{shown}`"), forms)
    }
}

/// The card that the first words of a line name.
struct NamedCard {
    card: Arc<Card>,
    /// The number of words in the name.
    words: usize,
    /// Inputs that the name implies, unless the line sets them.
    sets: Map<String, Value>,
    /// Inputs that accept only one value under this name.
    single: Vec<String>,
}

impl NamedCard {
    /// A card that is named by its id.
    fn by_id(card: Arc<Card>, words: usize) -> Self {
        Self {
            card,
            words,
            sets: Map::new(),
            single: Vec::new(),
        }
    }
}

fn step_options(card: &Card, options: LineOptions) -> Options {
    let mut fields = options.fields;
    if let (Some(fields), Some(list)) = (&mut fields, &card.list) {
        let more = list.always.iter().filter(|it| !fields.contains(it));
        let more: Vec<_> = more.cloned().collect();
        fields.extend(more);
    }
    Options {
        route: options.route,
        trace: options.trace,
        full: options.full,
        fields,
        all: options.all,
        limit: options.limit,
        condition: options.condition,
        sort: options.sort,
        unknown_fields: options.unknown_fields,
        ..Options::default()
    }
}

/// Completes references to rows: `$bugs[0].number` refers to the first row of the list that `bugs` returned.
fn complete_references(step: &mut ChainStep, earlier: &[ReadLine]) {
    let complete = |text: &str| -> Option<String> {
        let (name, rest) = text.strip_prefix('$')?.split_once('[')?;
        let number = name.parse::<usize>().ok();
        let named = |(index, it): &(usize, &ReadLine)| {
            it.step.name.as_deref() == Some(name) || number == Some(*index)
        };
        let (_, source) = earlier.iter().enumerate().find(named)?;
        let list = source.card.list.as_ref()?;
        Some(format!("${name}.data.{}[{rest}", list.field))
    };
    let input = std::mem::take(&mut step.request.input);
    step.request.input = complete_input(input, &complete);
}

fn complete_input(
    input: Map<String, Value>,
    complete: &dyn Fn(&str) -> Option<String>,
) -> Map<String, Value> {
    let each = |value: Value| match value {
        Value::String(text) => complete(&text).unwrap_or(text).into(),
        Value::Array(items) => items
            .into_iter()
            .map(|item| match item {
                Value::String(text) => complete(&text).unwrap_or(text).into(),
                other => other,
            })
            .collect(),
        other => other,
    };
    let fields = input.into_iter().map(|(name, value)| (name, each(value)));
    fields.collect()
}

/// Returns an input, completed with the defaults of its card.
pub fn with_defaults(card: &Card, input: Map<String, Value>) -> Map<String, Value> {
    let complete = capstan_exec::with_defaults(card, Value::Object(input));
    complete.as_object().cloned().unwrap_or_default()
}

/// Returns the form of the line that runs a card.
pub fn form_of(card: &Card) -> String {
    form(card)
}
