//! Splits texts and identifiers into words: at separators such as dots and slashes, at digits, and
//! before capitals.

use super::compound::is_compound;

/// The longest word, in characters. Nobody types longer ones, and they would be stored, so they are
/// truncated.
const MAX_CHARS: usize = 64;

/// Returns the words of a text, as written.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|run| !run.is_empty())
        .flat_map(|run| Parts {
            rest: run,
            whole: is_compound(run),
        })
        .map(shortened)
}

/// Iterates over the parts of a run of letters and digits.
struct Parts<'a> {
    rest: &'a str,
    whole: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Digit,
    Large,
    Small,
}

impl Class {
    fn from_char(c: char) -> Self {
        if c.is_numeric() {
            Self::Digit
        } else if c.is_uppercase() {
            Self::Large
        } else {
            Self::Small
        }
    }
}

impl<'a> Iterator for Parts<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        if self.rest.is_empty() {
            return None;
        }
        let (word, used) = if self.whole {
            (self.rest.len(), self.rest.len())
        } else {
            first_part(self.rest)
        };
        let (word, rest) = (&self.rest[..word], &self.rest[used..]);
        self.rest = rest;
        Some(word)
    }
}

/// Returns where the first word ends and where the next one begins. The `s` of `PRs` belongs to
/// neither.
fn first_part(run: &str) -> (usize, usize) {
    let end_of = |class: Class, from: usize| {
        let end = run[from..].find(|c| Class::from_char(c) != class);
        end.map_or(run.len(), |at| from + at)
    };
    let Some(first) = run.chars().next() else {
        return (0, 0);
    };
    let class = Class::from_char(first);
    let end = end_of(class, 0);
    if class != Class::Large {
        return (end, end);
    }
    let small = end_of(Class::Small, end);
    let last = run[..end].char_indices().next_back();
    match last {
        // `Word`, or `PR` at an end.
        Some((0, _)) => (small, small),
        _ if small == end => (end, end),
        // `PRs`, `IDs2`.
        _ if &run[end..small] == "s" && Class::at_index(run, small) != Some(Class::Small) => {
            (end, small)
        }
        // `HTTPServer`: the last capital belongs to the next word.
        Some((at, _)) => (at, at),
        None => (end, end),
    }
}

impl Class {
    fn at_index(run: &str, at: usize) -> Option<Self> {
        run[at..].chars().next().map(Self::from_char)
    }
}

fn shortened(word: &str) -> &str {
    let end = word.char_indices().nth(MAX_CHARS);
    &word[..end.map_or(word.len(), |(at, _)| at)]
}

#[cfg(test)]
mod tests {
    use super::words;

    fn check(text: &str, expected: &[&str]) {
        let found: Vec<_> = words(text).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn identifiers() {
        check("issue.labels.add", &["issue", "labels", "add"]);
        check("GET /repos/{owner_id}", &["GET", "repos", "owner", "id"]);
        check(
            "getHTTPResponse2xx",
            &["get", "HTTP", "Response", "2", "xx"],
        );
        check("sha256", &["sha", "256"]);
        check("kebab-case__too", &["kebab", "case", "too"]);
    }

    #[test]
    fn acronyms_and_their_plurals() {
        check("PRs and IDs", &["PR", "and", "ID"]);
        check("listPRsOfUser", &["list", "PR", "Of", "User"]);
        check("AString", &["A", "String"]);
        check("PR", &["PR"]);
    }

    #[test]
    fn names_with_large_letters_inside_stay_whole() {
        check("GitHub's GraphQL", &["GitHub", "s", "GraphQL"]);
    }

    #[test]
    fn other_scripts() {
        check("größe ÄnderungsListe", &["größe", "Änderungs", "Liste"]);
        check("列出问题 3", &["列出问题", "3"]);
        check("", &[]);
        check("!?", &[]);
    }

    #[test]
    fn very_long_words_are_cut() {
        let long = "ä".repeat(100_000);
        assert_eq!(words(&long).next().map(|it| it.chars().count()), Some(64));
    }
}
