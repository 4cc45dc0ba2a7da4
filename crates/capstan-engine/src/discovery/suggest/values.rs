//! Finds values in an intent: `acme/rocket`, `#12`, `"a title"`, `@kim`.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::quotes::{QuotedText, normalized, quoted_texts, trimmed, unquoted_words, words};
use super::vocabulary::is_verb;
use capstan_exec::reference::as_written;

/// The values in a text, before it is known which capability they are for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct IntentValues {
    repositories: Vec<MentionedRepository>,
    numbers: Vec<MentionedNumber>,
    pub(crate) logins: Vec<String>,
    pub(super) quoted: Vec<QuotedText>,
    /// The GitHub host that URLs must name.
    host: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct MentionedRepository {
    owner: String,
    repo: String,
    /// Whether it is surely a repository: `in acme/rocket`, `acme/rocket#12`. `severity/high` may be a label.
    is_certain: bool,
}

/// A number, with the context that tells what it identifies.
#[derive(Clone, Debug, PartialEq, Eq)]
struct MentionedNumber {
    value: u64,
    /// The two words before it, in lower case.
    before: [String; 2],
    /// Whether it was written as `#12`.
    is_marked: bool,
    /// Whether no word follows that it could count.
    counts_nothing: bool,
}

impl IntentValues {
    /// Reads the values of a text. URLs of other hosts than `host` are ignored.
    pub(crate) fn parse(intent: &str, host: &str) -> Self {
        let mut values = Self {
            quoted: quoted_texts(intent),
            host: host.to_owned(),
            ..Self::default()
        };
        let mut before = [String::new(), String::new()];
        let mut words = unquoted_words(intent).into_iter().peekable();
        while let Some(word) = words.next() {
            let bare = trimmed(word);
            // Punctuation ends the value, so the next word does not belong to it.
            let next = if word.ends_with(bare) {
                words.peek().map(|next| normalized(next))
            } else {
                None
            };
            if let Some(reference) = values.reference(bare) {
                values.add_reference(reference, &before[1], next.as_deref());
            } else if let Some(value) = number(bare) {
                values.numbers.push(MentionedNumber {
                    value,
                    before: before.clone(),
                    is_marked: bare.starts_with('#'),
                    counts_nothing: next.as_deref().is_none_or(cannot_be_counted),
                });
            } else if let Some(login) = bare.strip_prefix('@').filter(|it| is_login(it)) {
                values.logins.push(login.to_owned());
            }
            let plain = normalized(word);
            if !NUMBER_WORDS.contains(&plain.as_str()) {
                before = [std::mem::take(&mut before[1]), plain];
            }
        }
        values
    }

    fn add_reference(
        &mut self,
        reference: RepositoryReference<'_>,
        before: &str,
        next: Option<&str>,
    ) {
        let RepositoryReference {
            owner,
            repo,
            noun,
            number,
            ..
        } = reference;
        if next.is_some_and(|next| ["label", "labels", "tag", "tags"].contains(&next)) {
            return;
        }
        let follows_preposition = VALUE_PREPOSITIONS.contains(&before) || before == "for";
        self.repositories.push(MentionedRepository {
            owner: owner.to_owned(),
            repo: repo.to_owned(),
            is_certain: number.is_some() || follows_preposition,
        });
        // Without a noun in the reference, the word before it tells the type: `PR acme/rocket#7`.
        self.numbers.extend(number.map(|value| MentionedNumber {
            value,
            before: [String::new(), noun.unwrap_or(before).to_owned()],
            is_marked: true,
            counts_nothing: true,
        }));
    }

    /// Returns whether an input uses a value as it was written: `#12`, `acme/rocket` or `@kim`.
    pub(super) fn is_used(&self, value: &str, input: &Map<String, Value>) -> bool {
        let bare = trimmed(value);
        let is_number = |number: u64| {
            let fields = input.iter().filter(|(field, _)| field.ends_with("_number"));
            fields
                .map(|(_, it)| it)
                .any(|it| it.as_u64() == Some(number))
        };
        if let Some(reference) = self.reference(bare) {
            let is = |field: &str, text: &str| input.get(field).is_some_and(|it| it == text);
            is("owner", reference.owner)
                && is("repo", reference.repo)
                && reference.number.is_none_or(is_number)
        } else if let Some(number) = number(bare) {
            is_number(number)
        } else if let Some(login) = bare.strip_prefix('@') {
            let mut lists = input.values().filter_map(Value::as_array).flatten();
            lists.any(|it| it == login)
        } else {
            false
        }
    }

    /// Returns whether an input contains a quoted text.
    pub(super) fn is_text_used(&self, text: &str, input: &Map<String, Value>) -> bool {
        let written = as_written(&text.into());
        let is_it = |value: &Value| *value == written;
        let mut values = input.values();
        values
            .any(|value| is_it(value) || value.as_array().is_some_and(|all| all.iter().any(is_it)))
    }

    /// Parses a reference to a repository on this host.
    fn reference<'a>(&self, word: &'a str) -> Option<RepositoryReference<'a>> {
        let is_here = |reference: &RepositoryReference<'_>| {
            reference.host.is_none_or(|host| host == self.host)
        };
        RepositoryReference::parse(word).filter(is_here)
    }

    /// Counts the distinct numbers.
    pub(super) fn count_numbers(&self) -> usize {
        let all: BTreeSet<u64> = self.numbers.iter().map(|it| it.value).collect();
        all.len()
    }

    /// Returns whether both name a common number, or one of them names none.
    pub(super) fn may_concern_same_number(&self, other: &Self) -> bool {
        let has =
            |number: &MentionedNumber| other.numbers.iter().any(|it| it.value == number.value);
        self.numbers.is_empty() || other.numbers.is_empty() || self.numbers.iter().any(has)
    }

    /// Returns owner and name of the repository, if exactly one is named.
    pub(crate) fn repository(&self) -> Option<(&str, &str)> {
        let any_certain = self.repositories.iter().any(|it| it.is_certain);
        let all = self.repositories.iter();
        let candidates = all.filter(|it| it.is_certain == any_certain);
        single_distinct(candidates.map(|it| (it.owner.as_str(), it.repo.as_str())))
    }

    /// Returns the number of an object of a type (`issue`, `pr`): the number after its name, else the number
    /// after a verb, else the only free-standing number. Numbers that count something or belong to another
    /// type are never returned.
    pub(crate) fn number_of(&self, noun: &str) -> Option<u64> {
        let with_verb = |it: &&MentionedNumber| it.is_unattached() && is_verb(&it.before[1]);
        self.named_number_of(noun)
            .or_else(|| self.only_number(with_verb))
            .or_else(|| self.only_number(|it| it.is_unattached()))
    }

    /// Returns the number after the name of a type, if there is exactly one.
    pub(crate) fn named_number_of(&self, noun: &str) -> Option<u64> {
        self.only_number(|it| it.noun() == Some(noun))
    }

    fn only_number(&self, matches: impl Fn(&&MentionedNumber) -> bool) -> Option<u64> {
        let candidates = self.numbers.iter().filter(matches);
        single_distinct(candidates.map(|number| number.value))
    }
}

impl MentionedNumber {
    /// Returns the type that the words before it name: `issue 12`, `pull request #7`.
    fn noun(&self) -> Option<&str> {
        let [first, second] = &self.before;
        let singular = second.strip_suffix('s').unwrap_or(second);
        match (first.as_str(), singular) {
            ("pull" | "merge", "request") | (_, "pr" | "mr" | "pull") => Some("pr"),
            (_, "bug" | "issue" | "request" | "ticket") => Some("issue"),
            (_, noun @ ("build" | "comment" | "milestone" | "release" | "run" | "thread")) => {
                Some(noun)
            }
            _ => None,
        }
    }

    /// Returns whether it belongs to no named type and counts nothing: `#12`, `close 12`, `on 12`.
    fn is_unattached(&self) -> bool {
        let before = self.before[1].as_str();
        self.noun().is_none()
            && (self.is_marked || (self.counts_nothing && (before == "on" || is_verb(before))))
    }
}

/// Returns the common value, if all are equal.
fn single_distinct<T: PartialEq>(mut all: impl Iterator<Item = T>) -> Option<T> {
    let first = all.next()?;
    all.all(|it| it == first).then_some(first)
}

/// Words between a type and its number: `issue number 12` is issue 12.
const NUMBER_WORDS: [&str; 5] = ["id", "no", "nr", "num", "number"];

/// Returns whether a number before this word cannot count it.
fn cannot_be_counted(word: &str) -> bool {
    word.is_empty() || VALUE_ENDINGS.contains(&word) || VALUE_PREPOSITIONS.contains(&word)
}

const VALUE_ENDINGS: [&str; 14] = [
    "and", "as", "because", "but", "for", "if", "is", "now", "or", "please", "since", "so", "that",
    "then",
];

/// Removes values and the prepositions before them from a text, so that the action remains.
pub(super) fn without_values(text: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    for word in words(text) {
        let bare = trimmed(word.text);
        let is_value = word.is_quoted
            || is_reference(bare)
            // Hyphenated names are labels or branches: `ready-for-review`.
            || bare.matches('-').count() >= 2;
        if !is_value {
            kept.push(word.text);
            continue;
        }
        let leads = |last: &&str| {
            VALUE_PREPOSITIONS.contains(last) || (word.is_quoted && TEXT_INTRODUCERS.contains(last))
        };
        while kept.last().is_some_and(leads) {
            kept.pop();
        }
        // "put", "stick" and "slap" with a quoted name alone add a label.
        if word.is_quoted && kept.last().is_some_and(|last| is_putting_verb(last)) {
            kept.push("label");
        }
    }
    kept.join(" ")
}

/// Returns whether a text starts with an unquoted value.
pub(super) fn starts_with_value(text: &str) -> bool {
    let first = words(text).into_iter().next();
    first.is_some_and(|word| !word.is_quoted && is_reference(trimmed(word.text)))
}

/// Returns whether a word is a value that identifies something: `12`, `acme/rocket`, `@kim`.
fn is_reference(word: &str) -> bool {
    number(word).is_some() || RepositoryReference::parse(word).is_some() || word.starts_with('@')
}

const VALUE_PREPOSITIONS: [&str; 8] = ["at", "by", "from", "in", "of", "on", "to", "with"];

fn is_putting_verb(word: &str) -> bool {
    ["put", "slap", "stick"].contains(&normalized(word).as_str())
}

/// Words that only introduce a quoted text: `an issue titled "Leak"`.
const TEXT_INTRODUCERS: [&str; 4] = ["called", "named", "saying", "titled"];

/// A repository, or an issue or pull request in one.
#[derive(Clone, Copy)]
struct RepositoryReference<'a> {
    /// The host, if it is a URL.
    host: Option<&'a str>,
    owner: &'a str,
    repo: &'a str,
    /// `issue` or `pr`, if a URL says so.
    noun: Option<&'static str>,
    number: Option<u64>,
}

impl<'a> RepositoryReference<'a> {
    /// Parses `owner/repo`, `owner/repo#12`, or a URL.
    fn parse(word: &'a str) -> Option<Self> {
        if word.contains("://") {
            let address = word.strip_prefix("https://");
            return Self::parse_url(address.or_else(|| word.strip_prefix("http://"))?);
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
            noun: None,
            number,
        })
    }

    /// Parses a URL without its scheme, on any host: `github.com/owner/repo/issues/12`.
    fn parse_url(address: &'a str) -> Option<Self> {
        let end = address.find(['?', '#']).unwrap_or(address.len());
        let mut parts = address[..end].split('/');
        let host = parts.next()?.trim_start_matches("www.");
        let (owner, repo) = (parts.next()?, parts.next()?);
        let noun = match parts.next() {
            Some("issues") => Some("issue"),
            Some("pull" | "pulls") => Some("pr"),
            _ => None,
        };
        let rest = parts.next().filter(|it| noun.is_some() && !it.is_empty());
        let number = match rest {
            // A path that cannot be read makes the URL invalid.
            Some(text) => Some(number(text)?),
            None => None,
        };
        is_repository(owner, repo).then_some(Self {
            host: Some(host),
            owner,
            repo,
            noun,
            number,
        })
    }
}

fn is_repository(owner: &str, repo: &str) -> bool {
    let is_name = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    // `1/2` is a fraction. Names without a letter are rare.
    let has_letter = |text: &str| text.chars().any(char::is_alphabetic);
    is_login(owner)
        && (1..=100).contains(&repo.len())
        && repo.chars().all(is_name)
        && has_letter(owner)
        && has_letter(repo)
}

fn number(word: &str) -> Option<u64> {
    let digits = word.strip_prefix('#').unwrap_or(word);
    if !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
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
        let values = IntentValues::parse(
            "on acme/rocket close issue 12, merge PR #7 and tell @kim \"it is done\" or not and/or",
            HOST,
        );
        assert_eq!(values.repository(), Some(("acme", "rocket")));
        assert_eq!(values.number_of("issue"), Some(12));
        assert_eq!(values.number_of("pr"), Some(7));
        assert_eq!(values.number_of("release"), None);
        assert_eq!(values.logins, ["kim"]);
        assert_eq!(values.quoted[0].text, "it is done");
        let values = IntentValues::parse("half, 1/2, a “b” c, \"d", HOST);
        assert_eq!(values.repository(), None);
        assert_eq!(
            (&*values.quoted[0].text, &*values.quoted[0].before),
            ("b", "a")
        );
        let repository_in = |text: &str| -> Option<String> {
            let values = IntentValues::parse(text, HOST);
            let (owner, repo) = values.repository()?;
            Some(format!("{owner}/{repo}"))
        };
        assert_eq!(repository_in("from acme/rocket to acme/moon"), None);
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
            assert_eq!(
                repository_in(text).as_deref(),
                Some("acme/rocket"),
                "{text}"
            );
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
            let values = IntentValues::parse(text, HOST);
            let found = (values.number_of("issue"), values.number_of("pr"));
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
            let values = IntentValues::parse(&text, HOST);
            prop_assert!(values.numbers.len() <= text.len());
        }
    }
}
