//! Values that stand in an intent: `acme/rocket`, `#12`, `"a title"`, `@kim`.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::quotes::{Quoted, bare, outside_quotes, plain, quoted, words};
use super::words::is_verb;
use capstan_exec::reference::as_written;

/// What was said, as far as it can be told without knowing what it is for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Said {
    repositories: Vec<Repository>,
    numbers: Vec<Number>,
    pub(crate) logins: Vec<String>,
    pub(super) quoted: Vec<Quoted>,
    /// The GitHub that addresses have to be of.
    host: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Repository {
    owner: String,
    repo: String,
    /// It can be nothing else: `in acme/rocket`, `acme/rocket#12`. `severity/high` may be a label.
    is_certain: bool,
}

/// A whole number, and what tells of what it is one.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Number {
    value: u64,
    /// The two words before it, in small letters.
    before: [String; 2],
    /// Written as `#12`.
    is_marked: bool,
    /// No word follows that it could count.
    ends: bool,
}

impl Said {
    /// `host` is the GitHub that is worked with: what an address names elsewhere is something else.
    pub(crate) fn of(intent: &str, host: &str) -> Self {
        let mut said = Self {
            quoted: quoted(intent),
            host: host.to_owned(),
            ..Self::default()
        };
        let mut before = [String::new(), String::new()];
        let mut words = outside_quotes(intent).into_iter().peekable();
        while let Some(word) = words.next() {
            let bare = bare(word);
            let next = words.peek().map(|next| plain(next));
            let next = next.filter(|_| word.ends_with(bare));
            if let Some(place) = said.place(bare) {
                said.take(place, &before[1], next.as_deref());
            } else if let Some(value) = number(bare) {
                said.numbers.push(Number {
                    value,
                    before: before.clone(),
                    is_marked: bare.starts_with('#'),
                    ends: next.as_deref().is_none_or(ends_a_value),
                });
            } else if let Some(login) = bare.strip_prefix('@').filter(|it| is_login(it)) {
                said.logins.push(login.to_owned());
            }
            let plain = plain(word);
            if !SAYS_NUMBER.contains(&plain.as_str()) {
                before = [std::mem::take(&mut before[1]), plain];
            }
        }
        said
    }

    fn take(&mut self, place: Place<'_>, before: &str, next: Option<&str>) {
        let Place {
            owner,
            repo,
            thing,
            number,
            ..
        } = place;
        if next.is_some_and(|next| ["label", "labels", "tag", "tags"].contains(&next)) {
            return;
        }
        let is_led_to = LEADS_TO_VALUES.contains(&before) || before == "for";
        self.repositories.push(Repository {
            owner: owner.to_owned(),
            repo: repo.to_owned(),
            is_certain: number.is_some() || is_led_to,
        });
        // Without a word for it, it is that of whatever stands before it: `PR acme/rocket#7`.
        self.numbers.extend(number.map(|value| Number {
            value,
            before: [String::new(), thing.unwrap_or(before).to_owned()],
            is_marked: true,
            ends: true,
        }));
    }

    /// Whether an input uses a value, as it was said: `#12`, `acme/rocket` or `@kim`.
    pub(super) fn is_used(&self, value: &str, input: &Map<String, Value>) -> bool {
        let bare = bare(value);
        let is_number = |number: u64| {
            let fields = input.iter().filter(|(field, _)| field.ends_with("_number"));
            fields
                .map(|(_, it)| it)
                .any(|it| it.as_u64() == Some(number))
        };
        if let Some(place) = self.place(bare) {
            let is = |field: &str, text: &str| input.get(field).is_some_and(|it| it == text);
            is("owner", place.owner) && is("repo", place.repo) && place.number.is_none_or(is_number)
        } else if let Some(number) = number(bare) {
            is_number(number)
        } else if let Some(login) = bare.strip_prefix('@') {
            let mut lists = input.values().filter_map(Value::as_array).flatten();
            lists.any(|it| it == login)
        } else {
            false
        }
    }

    /// Whether an input has a text that was quoted, as it was said.
    pub(super) fn is_text_used(&self, text: &str, input: &Map<String, Value>) -> bool {
        let written = as_written(&text.into());
        let is_it = |value: &Value| *value == written;
        let mut values = input.values();
        values
            .any(|value| is_it(value) || value.as_array().is_some_and(|all| all.iter().any(is_it)))
    }

    /// A place on the GitHub that is worked with.
    fn place<'a>(&self, word: &'a str) -> Option<Place<'a>> {
        let is_here = |place: &Place<'_>| place.host.is_none_or(|host| host == self.host);
        Place::of(word).filter(is_here)
    }

    /// How many different numbers there are.
    pub(super) fn numbers(&self) -> usize {
        let all: BTreeSet<u64> = self.numbers.iter().map(|it| it.value).collect();
        all.len()
    }

    /// Whether both name a number that they share, or one of them names none.
    pub(super) fn may_be_about_the_same(&self, other: &Self) -> bool {
        let has = |number: &Number| other.numbers.iter().any(|it| it.value == number.value);
        self.numbers.is_empty() || other.numbers.is_empty() || self.numbers.iter().any(has)
    }

    /// The repository, if it is only one.
    pub(crate) fn repository(&self) -> Option<(&str, &str)> {
        let any_certain = self.repositories.iter().any(|it| it.is_certain);
        let meant = self.repositories.iter();
        let meant = meant.filter(|it| it.is_certain == any_certain);
        only(meant.map(|it| (it.owner.as_str(), it.repo.as_str())))
    }

    /// The number of a thing: the one that stands behind its name, else the one that what is done is done
    /// with, else the only one that is written as one. A number that counts something, or that belongs to
    /// something else, is never it.
    pub(crate) fn number_of(&self, thing: &str) -> Option<u64> {
        let with_verb = |it: &&Number| it.is_free() && is_verb(&it.before[1]);
        self.named_number_of(thing)
            .or_else(|| self.only_number(with_verb))
            .or_else(|| self.only_number(|it| it.is_free()))
    }

    /// The number that stands behind the name of a thing.
    pub(crate) fn named_number_of(&self, thing: &str) -> Option<u64> {
        self.only_number(|it| it.thing() == Some(thing))
    }

    fn only_number(&self, is_meant: impl Fn(&&Number) -> bool) -> Option<u64> {
        let meant = self.numbers.iter().filter(is_meant);
        only(meant.map(|number| number.value))
    }
}

impl Number {
    /// The name before it: `issue 12`, `pull request #7`.
    fn thing(&self) -> Option<&str> {
        let [first, second] = &self.before;
        let singular = second.strip_suffix('s').unwrap_or(second);
        match (first.as_str(), singular) {
            ("pull" | "merge", "request") | (_, "pr" | "mr" | "pull") => Some("pr"),
            (_, "bug" | "issue" | "request" | "ticket") => Some("issue"),
            (_, thing @ ("build" | "comment" | "milestone" | "release" | "run" | "thread")) => {
                Some(thing)
            }
            _ => None,
        }
    }

    /// It has no name before it and counts nothing: `#12`, `close 12`, `on 12`.
    fn is_free(&self) -> bool {
        let before = self.before[1].as_str();
        self.thing().is_none()
            && (self.is_marked || (self.ends && (before == "on" || is_verb(before))))
    }
}

/// What they all are, if they are all the same.
fn only<T: PartialEq>(mut all: impl Iterator<Item = T>) -> Option<T> {
    let first = all.next()?;
    all.all(|it| it == first).then_some(first)
}

/// `issue number 12` is issue 12.
const SAYS_NUMBER: [&str; 5] = ["id", "no", "nr", "num", "number"];

/// Whether a word cannot be what a number before it counts.
fn ends_a_value(word: &str) -> bool {
    word.is_empty() || ENDS_VALUES.contains(&word) || LEADS_TO_VALUES.contains(&word)
}

const ENDS_VALUES: [&str; 14] = [
    "and", "as", "because", "but", "for", "if", "is", "now", "or", "please", "since", "so", "that",
    "then",
];

/// A text without what only says which one: values, and the words that lead to them. What is left says what
/// is to be done.
pub(super) fn without_values(text: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    for word in words(text) {
        let bare = bare(word.text);
        let is_value = word.is_quoted
            || says_which(bare)
            // Names of labels and branches: `ready-for-review`.
            || bare.matches('-').count() >= 2;
        if !is_value {
            kept.push(word.text);
            continue;
        }
        let leads = |last: &&str| {
            LEADS_TO_VALUES.contains(last) || (word.is_quoted && LEADS_TO_TEXTS.contains(last))
        };
        while kept.last().is_some_and(leads) {
            kept.pop();
        }
        // What is put on something by its name alone is a label.
        if word.is_quoted && kept.last().is_some_and(|last| is_put(last)) {
            kept.push("label");
        }
    }
    kept.join(" ")
}

/// Whether the first word of a text says which one.
pub(super) fn begins_with_value(text: &str) -> bool {
    let first = words(text).into_iter().next();
    first.is_some_and(|word| !word.is_quoted && says_which(bare(word.text)))
}

/// `12`, `acme/rocket`, `@kim`
fn says_which(word: &str) -> bool {
    number(word).is_some() || Place::of(word).is_some() || word.starts_with('@')
}

const LEADS_TO_VALUES: [&str; 8] = ["at", "by", "from", "in", "of", "on", "to", "with"];

fn is_put(word: &str) -> bool {
    ["put", "slap", "stick"].contains(&plain(word).as_str())
}

/// They only say that a text follows: `an issue titled "Leak"`.
const LEADS_TO_TEXTS: [&str; 4] = ["called", "named", "saying", "titled"];

/// A repository, or something in one.
#[derive(Clone, Copy)]
struct Place<'a> {
    /// Where an address says it is.
    host: Option<&'a str>,
    owner: &'a str,
    repo: &'a str,
    /// What is in it, where that is told.
    thing: Option<&'static str>,
    number: Option<u64>,
}

impl<'a> Place<'a> {
    /// `owner/repo`, `owner/repo#12`, or the address of a page.
    fn of(word: &'a str) -> Option<Self> {
        if word.contains("://") {
            let address = word.strip_prefix("https://");
            return Self::of_address(address.or_else(|| word.strip_prefix("http://"))?);
        }
        let (path, number) = match word.split_once('#') {
            Some((path, number)) => (path, Some(self::number(number)?)),
            None => (word, None),
        };
        let (owner, repo) = path.split_once('/')?;
        let is_word = ["and/or", "his/her", "n/a", "yes/no"].contains(&path);
        (!is_word && is_repository(owner, repo)).then_some(Self {
            host: None,
            owner,
            repo,
            thing: None,
            number,
        })
    }

    /// `github.com/owner/repo/issues/12`, or the same elsewhere.
    fn of_address(address: &'a str) -> Option<Self> {
        let end = address.find(['?', '#']).unwrap_or(address.len());
        let mut parts = address[..end].split('/');
        let host = parts.next()?.trim_start_matches("www.");
        let (owner, repo) = (parts.next()?, parts.next()?);
        let thing = match parts.next() {
            Some("issues") => Some("issue"),
            Some("pull" | "pulls") => Some("pr"),
            _ => None,
        };
        let rest = parts.next().filter(|it| thing.is_some() && !it.is_empty());
        let number = match rest {
            // What cannot be read is not left out.
            Some(text) => Some(number(text)?),
            None => None,
        };
        is_repository(owner, repo).then_some(Self {
            host: Some(host),
            owner,
            repo,
            thing,
            number,
        })
    }
}

fn is_repository(owner: &str, repo: &str) -> bool {
    let is_name = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    // `1/2`: owners that are no names are rare, so letters are asked for.
    let named = |text: &str| text.chars().any(char::is_alphabetic);
    is_login(owner)
        && (1..=100).contains(&repo.len())
        && repo.chars().all(is_name)
        && named(owner)
        && named(repo)
}

fn number(word: &str) -> Option<u64> {
    let digits = word.strip_prefix('#').unwrap_or(word);
    let digits = Some(digits).filter(|it| it.bytes().all(|b| b.is_ascii_digit()))?;
    digits.parse().ok().filter(|number| *number > 0)
}

fn is_login(text: &str) -> bool {
    (1..=39).contains(&text.len())
        && text.starts_with(|c: char| c.is_ascii_alphanumeric())
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const HOST: &str = "github.com";

    #[test]
    fn values_are_found() {
        let said = Said::of(
            "on acme/rocket close issue 12, merge PR #7 and tell @kim \"it is done\" or not and/or",
            HOST,
        );
        assert_eq!(said.repository(), Some(("acme", "rocket")));
        assert_eq!(said.number_of("issue"), Some(12));
        assert_eq!(said.number_of("pr"), Some(7));
        assert_eq!(said.number_of("release"), None);
        assert_eq!(said.logins, ["kim"]);
        assert_eq!(said.quoted[0].text, "it is done");
        let said = Said::of("half, 1/2, a “b” c, \"d", HOST);
        assert_eq!(said.repository(), None);
        assert_eq!((&*said.quoted[0].text, &*said.quoted[0].before), ("b", "a"));
        let of = |text: &str| -> Option<String> {
            let said = Said::of(text, HOST);
            let (owner, repo) = said.repository()?;
            Some(format!("{owner}/{repo}"))
        };
        assert_eq!(of("from acme/rocket to acme/moon"), None);
        for text in [
            "triage acme/rocket",
            "acme/rocket: list read/write bugs in acme/rocket",
            "put severity/high on acme/rocket#3",
            "add the severity/high label, acme/rocket",
            "https://github.com/acme/rocket/issues",
            "(see https://www.github.com/acme/rocket.)",
            "http://github.com.example.org/other/thing and acme/rocket",
            "http://gitlab.com/other/thing and acme/rocket",
        ] {
            assert_eq!(of(text).as_deref(), Some("acme/rocket"), "{text}");
        }
    }

    #[test]
    fn a_number_is_that_of_what_it_belongs_to() {
        for (text, issue, pr) in [
            ("show acme/rocket#5", Some(5), Some(5)),
            ("show PR acme/rocket#5", None, Some(5)),
            (
                "merge https://github.com/acme/rocket/pull/6/files#diff-1",
                None,
                Some(6),
            ),
            ("close issue number 12", Some(12), None),
            ("close 12", Some(12), Some(12)),
            ("any threads on 67?", Some(67), Some(67)),
            ("close #77 as a duplicate of #31", Some(77), Some(77)),
            ("#77 is like #31", None, None),
            (
                "merge pull request 9 for feature request 8",
                Some(8),
                Some(9),
            ),
            ("merge the PR for issue 52", Some(52), None),
            ("issues 3 or 4", Some(3), None),
            ("issue 3 or issue 4", None, None),
            ("find 3 issues", None, None),
            ("show the last 5 releases", None, None),
            ("close the issue about the 404 page", None, None),
            ("open for over 90 days", None, None),
            ("close \"the #5 bug\"", None, None),
            ("release 5 is out", None, None),
        ] {
            let said = Said::of(text, HOST);
            let found = (said.number_of("issue"), said.number_of("pr"));
            assert_eq!(found, (issue, pr), "{text}");
        }
    }

    #[test]
    fn what_is_to_be_done_is_left() {
        for (text, expected) in [
            ("close issue 3 in acme/rocket", "close issue"),
            ("comment \"it is done\" on #7", "comment"),
            ("assign @kim to the bug", "assign to the bug"),
            ("swap wip for ready-for-review", "swap wip for"),
            ("Put 'help wanted' on them", "Put label on them"),
            ("open an issue titled 'It leaks'", "open an issue"),
            ("acme/rocket", ""),
        ] {
            assert_eq!(without_values(text), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn nothing_panics(text in any::<String>()) {
            without_values(&text);
            let said = Said::of(&text, HOST);
            prop_assert!(said.numbers.len() <= text.len());
        }
    }
}
