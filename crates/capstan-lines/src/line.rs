//! One line: its words, and its name for later lines.

use serde_json::{Map, Value};

use capstan_core::card::Card;

use crate::bind::{self, BoundLine};
use crate::candidates::{self, Candidate};
use crate::error::{Correction, LineError};
use crate::flag::{self, Flag};
use crate::reference::is_name;
use crate::repository::Defaults;
use crate::syntax::{Word, words};

/// A line as words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The name that later lines use: `bugs: issue.list`, `bugs = issue.list`, `issue.list --as bugs`. If a
    /// card has an input called `as`, the last form does not name the line; [`BoundLine::name`] is always
    /// right.
    pub name: Option<String>,
    /// The name in front of the line.
    pub(crate) prefix: Option<String>,
    pub(crate) words: Vec<Word>,
}

/// Parses one line: words, quotes, and an optional name.
pub fn parse(line: &str) -> Result<Line, LineError> {
    let mut words = words(line)?;
    let prefix = take_name(&mut words)?;
    if words.is_empty() {
        return Err(LineError::Empty);
    }
    let name = prefix.clone().or_else(|| {
        let name = flags_and_values(&words).find(|(flag, _)| *flag == "as")?.1;
        is_name(name).then(|| name.to_owned())
    });
    Ok(Line {
        name,
        prefix,
        words,
    })
}

impl Line {
    /// Returns the words without the name in front.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.words.iter().map(|word| word.text.as_str())
    }

    /// Returns the names of capabilities that the first words may be, best first, each with the number of
    /// words that it uses.
    pub fn candidates(&self) -> Vec<Candidate> {
        candidates::from_words(&self.words)
    }

    /// Returns the flags after the first `words` words as texts, for names of capabilities that depend on
    /// them (`method=get`). A flag without a value is `true`.
    pub fn flag_values(&self, words: usize) -> Map<String, Value> {
        flags_and_values(self.words.get(words..).unwrap_or_default())
            .map(|(name, value)| (name.to_owned(), value.into()))
            .collect()
    }

    /// Binds the words after the first `words` to a card.
    pub fn bind(
        &self,
        words: usize,
        card: &Card,
        defaults: &Defaults,
    ) -> Result<BoundLine, Correction> {
        bind::bind(self, words, card, defaults)
    }
}

/// Removes the name from the front.
fn take_name(words: &mut Vec<Word>) -> Result<Option<String>, LineError> {
    let plain = |index: usize| {
        let word = words.get(index).filter(|word| word.is_plain);
        word.map_or("", |word| word.text.as_str())
    };
    let (name, taken) = if plain(0) == "as"
        && let Some(name) = plain(1).strip_suffix(':')
    {
        (name.to_owned(), 2)
    } else if plain(1) == "=" {
        (words[0].text.clone(), 2)
    } else if let Some(name) = plain(0).strip_suffix(':')
        && is_name(name)
    {
        (name.to_owned(), 1)
    } else if let Some((name, rest)) = plain(0).split_once('=')
        && is_name(name)
        && !rest.is_empty()
    {
        let (name, rest) = (name.to_owned(), rest.to_owned());
        words[0].text = rest;
        return Ok(Some(name));
    } else {
        return Ok(None);
    };
    if is_name(&name) {
        words.drain(..taken);
        Ok(Some(name))
    } else {
        Err(LineError::Name { name })
    }
}

/// Returns flags and keys with their values, as far as they can be known without a card.
fn flags_and_values(words: &[Word]) -> impl Iterator<Item = (&str, &str)> {
    let end = words.iter().position(|word| word.text == "--");
    let words = &words[..end.unwrap_or(words.len())];
    let mut taken = None;
    (0..words.len()).filter_map(move |index| {
        let word = &words[index].text;
        if taken == Some(index) {
            return None;
        }
        match Flag::parse(word) {
            Some(flag) => Some((
                flag.name,
                flag.value.unwrap_or_else(|| {
                    let next = words.get(index + 1);
                    match next.filter(|next| flag::is_value(&next.text)) {
                        Some(next) => {
                            taken = Some(index + 1);
                            &next.text
                        }
                        None => "true",
                    }
                }),
            )),
            None => word.split_once('=').filter(|(key, _)| is_name(key)),
        }
    })
}
