//! What is wrong with a line as a whole: words that nobody knows, and words that are not there.

use capstan_core::{brief, similar};

use super::binder::{Binder, LONGEST};
use super::options;
use crate::form;
use crate::number;

impl Binder<'_> {
    /// Says which flag nobody knows, and what it may have been.
    pub(super) fn name_unknown(&mut self, shown: &str) {
        let mut known: Vec<&str> = self.inputs.names().collect();
        known.retain(|name| !["owner", "repo"].contains(name));
        known.extend(self.inputs.card.line.flags.keys().map(String::as_str));
        known.extend(options::names());
        let everywhere = ["repo", "limit"].into_iter();
        known.extend(everywhere.filter(|name| self.inputs.meaning(name).is_some()));
        known.retain(|known| known.len() > 1);
        let closest = similar::closest(shown.trim_start_matches('-'), known);
        let hint = closest.map(|name| format!(": did you mean `--{name}`?"));
        self.problem(format!(
            "`{}` is no flag of {}{}",
            brief(shown, LONGEST),
            self.inputs.card.id,
            hint.unwrap_or_default()
        ));
    }

    /// Says which word has no place.
    pub(super) fn name_surplus(&mut self, text: &str) {
        let is_number = text.parse::<u64>().is_ok() || number::read(text, "number").is_some();
        let mut positional = self.positional.iter();
        let number = positional.find(|name| is_number && self.inputs.shape(name).integer);
        let last = self.positional.last();
        let is_list = last.is_some_and(|name| self.inputs.shape(name).list.is_some());
        // The only place for a word may be taken by a flag.
        let flag = match self.positional.as_slice() {
            [only] => self.given.get(*only).filter(|it| it.starts_with('-')),
            _ => None,
        };
        let text = brief(text, LONGEST);
        self.problem(match (number, flag, last) {
            (Some(name), ..) => format!(
                "`{text}` is one `{}` too many: write one line for each",
                form::placeholder(&self.inputs, name)
            ),
            (None, Some(flag), Some(name)) => format!(
                "`{text}` and `{flag}` both give `{}`: give one",
                form::placeholder(&self.inputs, name)
            ),
            _ if is_list => {
                format!("`{text}` is one word too many: write a list as one word, such as `a,b`")
            }
            _ => format!(
                "`{text}` is one word too many: quote a value with spaces, and give other inputs by flags"
            ),
        });
    }

    /// Says which inputs are missing, as the form shows them.
    pub(super) fn name_missing(&mut self, is_repository_settled: bool) {
        let mut missing: Vec<String> = Vec::new();
        for name in self.inputs.required() {
            let is_repository = self.inputs.take_repository() && ["owner", "repo"].contains(&name);
            // What was given wrongly was named before.
            let is_named = if is_repository {
                !is_repository_settled
            } else {
                self.given.contains_key(name)
            };
            let may_be_given = self.is_unsure && self.positional.contains(&name);
            if self.bound.input.contains_key(name) || is_named || may_be_given {
                continue;
            }
            let shown = if is_repository {
                "`--repo OWNER/NAME`".to_owned()
            } else {
                format!("`{}`", form::shown(&self.inputs, name))
            };
            if !missing.contains(&shown) {
                missing.push(shown);
            }
        }
        if let Some((last, others)) = missing.split_last() {
            self.problem(if others.is_empty() {
                format!("{last} is missing")
            } else {
                format!("{} and {last} are missing", others.join(", "))
            });
        }
    }
}
