//! Reports problems of a line as a whole: unknown, surplus and missing words.

use capstan_core::{brief, similar};

use super::binder::{Binder, LONGEST};
use super::options;
use crate::form;
use crate::number;

impl Binder<'_> {
    /// Reports an unknown flag, with a suggestion.
    pub(super) fn report_unknown(&mut self, shown: &str) {
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
            "`{}` is not a flag of {}{}",
            brief(shown, LONGEST),
            self.inputs.card.id,
            hint.unwrap_or_default()
        ));
    }

    /// Reports a word for which there is no input.
    pub(super) fn report_surplus(&mut self, text: &str) {
        let is_number = text.parse::<u64>().is_ok() || number::read(text, "number").is_some();
        let mut positional = self.positional.iter();
        let number = positional.find(|name| is_number && self.inputs.shape(name).integer);
        let last = self.positional.last();
        let is_list = last.is_some_and(|name| self.inputs.shape(name).list.is_some());
        // A flag may have used the only positional input.
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

    /// Reports missing inputs in the form in which they are written.
    pub(super) fn report_missing(&mut self, is_repository_settled: bool) {
        let mut missing: Vec<String> = Vec::new();
        for name in self.inputs.required() {
            let is_repository = self.inputs.have_repository() && ["owner", "repo"].contains(&name);
            // Inputs with wrong values are already reported.
            let is_named = if is_repository {
                !is_repository_settled
            } else {
                self.given.contains_key(name)
            };
            let may_be_given = self.may_have_skipped_input && self.positional.contains(&name);
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
