//! Reads the words of a line one by one: flags, `key=value`, and positional words.

use serde_json::{Map, Value};

use capstan_core::card::Card;

use super::advice;
use super::binder::Binder;
use super::options::{self, BoundLine};
use crate::error::Correction;
use crate::flag::{self, Flag};
use crate::line::Line;
use crate::names::Meaning;
use crate::repository::Defaults;
use crate::syntax::Word;
use crate::values::WrittenValue;

/// Binds the words after the first `words` to a card.
pub(crate) fn bind(
    line: &Line,
    words: usize,
    card: &Card,
    defaults: &Defaults,
) -> Result<BoundLine, Correction> {
    let mut reader = WordReader {
        words: line.words.get(words..).unwrap_or_default(),
        inputs_in_name: inputs_in_name(line, words, card),
        binder: Binder::new(card, line.prefix.clone()),
        positional: Vec::new(),
    };
    reader.read();
    let WordReader {
        mut binder,
        positional,
        ..
    } = reader;
    for word in positional {
        binder.bind_positional(word);
    }
    binder.finish(defaults)
}

/// Returns the inputs that are part of the name of the capability (`issue_write method=create`).
fn inputs_in_name<'a>(line: &Line, words: usize, card: &'a Card) -> Option<&'a Map<String, Value>> {
    let candidates = line.candidates();
    let given = line.flag_values(words);
    let is_meant = |with: &Map<String, Value>| {
        with.iter().all(|(name, value)| {
            let value = value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned);
            let given = given.get(name).and_then(Value::as_str);
            given.is_some_and(|given| given.eq_ignore_ascii_case(&value))
        })
    };
    let mut names = card.names.iter().filter(|other| {
        let mut candidates = candidates.iter().filter(|it| it.words == words);
        candidates.any(|it| it.name == other.name)
    });
    let found = names.find(|other| !other.with.is_empty() && is_meant(&other.with));
    found.map(|other| &other.with)
}

struct WordReader<'a> {
    /// The remaining words.
    words: &'a [Word],
    /// The inputs that are part of the name.
    inputs_in_name: Option<&'a Map<String, Value>>,
    binder: Binder<'a>,
    positional: Vec<&'a Word>,
}

impl<'a> WordReader<'a> {
    fn read(&mut self) {
        while let Some(word) = self.next() {
            if word.text == "--" {
                self.positional.extend(std::mem::take(&mut self.words));
            } else if let Some(flag) = Flag::parse(&word.text).or_else(|| self.unusual_flag(word)) {
                self.flag(word, flag);
            } else if word.is_plain && advice::is_shell_operator(&word.text) {
                let problem = format!(
                    "`{}` has no meaning, because there is no shell here: write one line for each \
                     call, and quote values",
                    word.text
                );
                self.binder.problem(problem);
                self.words = &[];
            } else if !self.bind_keyed(word) {
                self.positional.push(word);
            }
        }
    }

    /// Reads `--name=value` for an input whose name is not valid for a flag.
    fn unusual_flag(&self, word: &'a Word) -> Option<Flag<'a>> {
        let (name, value) = word.text.strip_prefix("--")?.split_once('=')?;
        self.binder.inputs.get(name).map(|name| Flag {
            name,
            value: Some(value),
            is_short: false,
        })
    }

    fn next(&mut self) -> Option<&'a Word> {
        let (first, rest) = self.words.split_first()?;
        self.words = rest;
        Some(first)
    }

    /// Returns the next word if it can be the value of a flag.
    fn next_value(&mut self) -> Option<&'a Word> {
        self.words
            .first()
            .filter(|next| flag::is_value(&next.text))?;
        self.next()
    }

    /// Binds `key=value` if the key is known. Returns whether it is.
    fn bind_keyed(&mut self, word: &'a Word) -> bool {
        let Some((key, text)) = word.text.split_once('=') else {
            return false;
        };
        if self.is_in_name(key) {
            return true;
        }
        let meaning = match self.binder.inputs.meaning(key) {
            Some(meaning) => meaning,
            None if self.binder.inputs.accept_any_name() && crate::is_name(key) => {
                Meaning::Input(key)
            }
            None => return false,
        };
        let written = WrittenValue {
            text,
            is_literal: word.is_literal,
            is_keyed: true,
        };
        self.binder.apply(meaning, key, Some(written));
        true
    }

    fn is_in_name(&self, name: &str) -> bool {
        self.inputs_in_name
            .is_some_and(|inputs| inputs.contains_key(name))
    }

    fn flag(&mut self, word: &'a Word, flag: Flag<'a>) {
        if flag.is_short {
            return self.short(word, flag);
        }
        let name = flag.name;
        let shown = format!("--{name}");
        let inputs = self.binder.inputs;
        if self.is_in_name(name) {
            if flag.value.is_none() {
                self.next_value();
            }
        } else if let Some(meaning) = inputs.meaning(name) {
            let value = self.value_for(meaning, word, flag);
            self.binder.apply(meaning, &shown, value);
        } else if let Some(takes_value) = options::takes_value(name) {
            self.option(name, takes_value, flag.value);
        } else if let Some(positive) = name.strip_prefix("no-")
            && let Some(Meaning::Input(input)) = inputs.meaning(positive)
            && inputs.shape(input).boolean
        {
            if flag.value.is_some() {
                self.binder.problem(format!("`{shown}` takes no value"));
            } else {
                self.binder.put(input, false.into(), &shown);
            }
        } else if inputs.accept_any_name() {
            let meaning = Meaning::Input(name);
            let value = self.value_for(meaning, word, flag);
            self.binder.apply(meaning, &shown, value);
        } else {
            self.unknown(name, &shown, flag.value.is_some());
        }
    }

    fn short(&mut self, word: &'a Word, flag: Flag<'a>) {
        let shown = format!("-{}", flag.name);
        let inputs = self.binder.inputs;
        let whole = word.text.split('=').next().unwrap_or_default();
        let long = whole.trim_start_matches('-');
        if flag.value.is_some() && long.len() > 1 && inputs.meaning(long).is_some() {
            let problem = format!("`{whole}` has one dash: write `--{long}`");
            self.binder.problem(problem);
            self.skip_value();
        } else if let Some(meaning) = inputs.meaning(flag.name) {
            let value = self.value_for(meaning, word, flag);
            self.binder.apply(meaning, &shown, value);
        } else {
            let shown = if long.contains(char::is_whitespace) {
                &shown
            } else {
                whole
            };
            self.unknown(flag.name, shown, flag.value.is_some());
        }
    }

    /// Returns the value of a flag: from the same word, or the next one.
    fn value_for(
        &mut self,
        meaning: Meaning<'_>,
        word: &'a Word,
        flag: Flag<'a>,
    ) -> Option<WrittenValue<'a>> {
        let written = |text: &'a str, word: &'a Word| WrittenValue {
            text,
            is_literal: word.is_literal,
            is_keyed: false,
        };
        if let Some(text) = flag.value {
            return Some(written(text, word));
        }
        let is_switch = match meaning {
            Meaning::Input(input) => self.binder.inputs.shape(input).is_boolean_only(),
            Meaning::Sets(_) => true,
            Meaning::Repository | Meaning::Limit | Meaning::Redundant => false,
        };
        if is_switch {
            // Anything else that follows is a separate word.
            let next = self.words.first().map(|next| next.text.as_str());
            next.filter(|next| ["true", "false"].contains(next))?;
        }
        self.next_value().map(|word| written(&word.text, word))
    }

    fn option(&mut self, name: &str, takes_value: bool, value: Option<&'a str>) {
        let value = match value {
            Some(value) => Some(value),
            None if takes_value => self.next_value().map(|word| word.text.as_str()),
            None => Some("true"),
        };
        match value {
            Some(value) => self.binder.option(name, value),
            None => self.binder.problem(format!("`--{name}` needs a value")),
        }
    }

    fn unknown(&mut self, name: &str, shown: &str, has_value: bool) {
        let Some(advice) = advice::instead_of(name) else {
            self.binder.report_unknown(shown);
            if !has_value {
                self.skip_value();
            }
            return;
        };
        let problem = format!("there is no `{shown}` here: {}", advice.instead);
        self.binder.problem(problem);
        if advice.takes_value && !has_value {
            self.next_value();
        }
    }

    /// Skips a word that may be the value of an unknown flag.
    fn skip_value(&mut self) {
        if self.next_value().is_some() {
            self.binder.may_have_skipped_input = true;
        }
    }
}
