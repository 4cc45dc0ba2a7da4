//! Resolves the names that callers use for inputs.

use serde_json::{Map, Value};

use capstan_core::card::FlagMeaning;

use crate::inputs::Inputs;

/// What a name refers to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Meaning<'a> {
    Input(&'a str),
    /// Owner and name of a repository together.
    Repository,
    /// The input `first`, under a name that allows more than a page.
    Limit,
    /// Sets these inputs to these values.
    Sets(&'a Map<String, Value>),
    /// The location of an object that is already identified by its id. It is ignored.
    Redundant,
}

const NUMBERS: [&str; 5] = [
    "number",
    "issue_number",
    "pr_number",
    "pull_number",
    "pull_request_number",
];

impl<'a> Inputs<'a> {
    /// Resolves a name: an input, a name in the card, another spelling of these, or a common name.
    pub(crate) fn meaning(&self, name: &str) -> Option<Meaning<'a>> {
        if let Some(name) = self.get(name) {
            return Some(self.input(name));
        }
        if let Some((flag, meaning)) = self.card.line.flags.get_key_value(name) {
            return self.stated(flag, meaning);
        }
        if name.chars().nth(1).is_none() {
            return match name {
                "R" if self.have_repository() => Some(Meaning::Repository),
                "R" if self.are_identified_by_node_id() => Some(Meaning::Redundant),
                "L" if self.has("first") => Some(Meaning::Limit),
                _ => None,
            };
        }
        let spelling = snake_case(name);
        if let Some(name) = self.names().find(|name| snake_case(name) == spelling) {
            return Some(self.input(name));
        }
        let mut flags = self.card.line.flags.iter();
        if let Some((flag, meaning)) = flags.find(|(flag, _)| snake_case(flag) == spelling) {
            return self.stated(flag, meaning);
        }
        match spelling.as_str() {
            "repository" if self.have_repository() => Some(Meaning::Repository),
            spelling if is_limit(spelling) && self.has("first") => Some(Meaning::Limit),
            spelling if NUMBERS.contains(&spelling) => {
                let number = self.number().filter(|name| NUMBERS.contains(name));
                let redundant = self
                    .are_identified_by_node_id()
                    .then_some(Meaning::Redundant);
                number.map(Meaning::Input).or(redundant)
            }
            "owner" | "repo" | "repository" if self.are_identified_by_node_id() => {
                Some(Meaning::Redundant)
            }
            _ => None,
        }
    }

    fn input(&self, name: &'a str) -> Meaning<'a> {
        if name == "repo" && self.have_repository() {
            Meaning::Repository
        } else {
            Meaning::Input(name)
        }
    }

    fn stated(&self, flag: &str, meaning: &'a FlagMeaning) -> Option<Meaning<'a>> {
        match meaning {
            FlagMeaning::Input(name) if name == "first" && is_limit(flag) && self.has(name) => {
                Some(Meaning::Limit)
            }
            FlagMeaning::Input(name) => self.get(name).map(|name| self.input(name)),
            FlagMeaning::Sets(values) => Some(Meaning::Sets(values)),
        }
    }
}

/// Converts `createdAt` and `created-at` to `created_at`.
pub(crate) fn snake_case(name: &str) -> String {
    let mut snake = String::with_capacity(name.len() + 4);
    let mut after_small = false;
    for c in name.chars() {
        if c.is_uppercase() && after_small {
            snake.push('_');
        }
        after_small = c.is_lowercase() || c.is_ascii_digit();
        match c {
            '-' | ' ' => snake.push('_'),
            c => snake.extend(c.to_lowercase()),
        }
    }
    snake
}

fn is_limit(name: &str) -> bool {
    ["limit", "per_page", "L"].contains(&name)
}
