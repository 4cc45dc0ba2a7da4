//! "Did you mean": finds the known names that are most similar to one that nothing has.
//!
//! A known name is similar to a wanted one if one edit for every three characters of the wanted name makes
//! them equal, with the words in the same order or in another. An edit inserts, deletes or replaces a character,
//! or swaps two neighbours. If no name is, those are similar of which each word is abbreviated by the wanted
//! name's word, as `issue_nr` abbreviates `issue_number`. Case does not count, and separators are all alike.
//! Answers do not depend on the order of the known names.

/// How many names are suggested for one that nothing has.
pub const MOST_SUGGESTED: usize = 3;

/// The longest name that is compared, in bytes, because the work grows with the length.
const LONGEST: usize = 200;

/// The shortest abbreviation, in characters.
const SHORTEST_ABBREVIATION: usize = 3;

const SEPARATORS: [char; 6] = ['.', '_', '-', ' ', '/', ':'];

/// Returns the most similar name, if any is similar.
pub fn closest<T: AsRef<str>>(wanted: &str, known: impl IntoIterator<Item = T>) -> Option<T> {
    all(wanted, known).into_iter().next()
}

/// Returns the similar names, the most similar first, at most [`MOST_SUGGESTED`] of them.
pub fn suggestions<T: AsRef<str>>(wanted: &str, known: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut similar = all(wanted, known);
    similar.truncate(MOST_SUGGESTED);
    similar
}

/// Returns all similar names, the most similar first. There are none if the wanted name is itself known.
pub fn all<T: AsRef<str>>(wanted: &str, known: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut measured = measured(wanted, known);
    if measured.iter().any(|(_, name)| name.as_ref() == wanted) {
        return Vec::new();
    }
    measured.retain(|(distance, _)| distance.closeness != Closeness::TooFar);
    let closest = measured
        .iter()
        .map(|(distance, _)| distance.closeness)
        .min();
    measured.retain(|(distance, _)| Some(distance.closeness) == closest);
    sorted(measured)
}

/// Returns all names, similar or not, the most similar first: for a choice from a short list.
pub fn ranked<T: AsRef<str>>(wanted: &str, known: impl IntoIterator<Item = T>) -> Vec<T> {
    sorted(measured(wanted, known))
}

/// Returns whether a known name is similar to a wanted one, but not equal.
pub fn is_similar(wanted: &str, known: &str) -> bool {
    closest(wanted, [known]).is_some()
}

/// The distance of a known name from the wanted one; the smallest is suggested first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Distance {
    closeness: Closeness,
    edits: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Closeness {
    Misspelling,
    Abbreviation,
    TooFar,
}

impl Distance {
    const FARTHEST: Self = Self {
        closeness: Closeness::TooFar,
        edits: usize::MAX,
    };

    fn new(wanted: &Words, known: &Words) -> Self {
        let in_order = strsim::osa_distance(&wanted.text, &known.text);
        let reordered = strsim::osa_distance(&wanted.sorted, &known.sorted);
        let edits = in_order.min(reordered);
        let closeness = if 3 * edits <= wanted.length {
            Closeness::Misspelling
        } else if wanted.is_short_for(known) {
            Closeness::Abbreviation
        } else {
            Closeness::TooFar
        };
        Self { closeness, edits }
    }
}

/// A name for comparison: in lower case, with spaces for separators.
struct Words {
    text: String,
    /// The words in alphabetical order.
    sorted: String,
    /// The length in characters.
    length: usize,
}

impl Words {
    /// Returns `None` for a name that is too long.
    fn new(name: &str) -> Option<Self> {
        if name.len() > LONGEST {
            return None;
        }
        let text = name.to_lowercase().replace(SEPARATORS, " ");
        let mut words: Vec<_> = text.split(' ').collect();
        words.sort_unstable();
        Some(Self {
            sorted: words.join(" "),
            length: text.chars().count(),
            text,
        })
    }

    fn is_short_for(&self, other: &Self) -> bool {
        let (words, others) = (self.text.split(' '), other.text.split(' '));
        self.length >= SHORTEST_ABBREVIATION
            && words.clone().count() == others.clone().count()
            && words
                .zip(others)
                .all(|(word, other)| is_abbreviation(word, other))
    }
}

/// Returns whether a word has the first letter and, in order, at least a third of the letters of a
/// longer one.
fn is_abbreviation(short: &str, long: &str) -> bool {
    let mut letters = long.chars();
    short.chars().next() == long.chars().next()
        && 3 * short.chars().count() >= long.chars().count()
        && short.chars().all(|letter| letters.any(|it| it == letter))
}

fn measured<T: AsRef<str>>(wanted: &str, known: impl IntoIterator<Item = T>) -> Vec<(Distance, T)> {
    let wanted = Words::new(wanted);
    let distance = |name: &str| match (&wanted, Words::new(name)) {
        (Some(wanted), Some(known)) => Distance::new(wanted, &known),
        _ => Distance::FARTHEST,
    };
    let known = known.into_iter();
    known.map(|name| (distance(name.as_ref()), name)).collect()
}

fn sorted<T: AsRef<str>>(mut measured: Vec<(Distance, T)>) -> Vec<T> {
    measured.sort_by(|(near, one), (far, other)| {
        let by_name = || one.as_ref().cmp(other.as_ref());
        near.cmp(far).then_with(by_name)
    });
    measured.dedup_by(|(_, one), (_, other)| one.as_ref() == other.as_ref());
    measured.into_iter().map(|(_, name)| name).collect()
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(wanted: &str, known: &[&str], expected: &[&str]) {
        assert_eq!(suggestions(wanted, known.iter().copied()), expected);
    }

    #[test]
    fn typing_errors_are_found() {
        check("titel", &["title", "body"], &["title"]);
        check("isue_number", &["issue_number", "owner"], &["issue_number"]);
        check("rnu", &["run", "list"], &["run"]);
        check(
            "issue.veiw",
            &["issue.view", "issue.edit", "pr.view"],
            &["issue.view", "issue.edit"],
        );
    }

    #[test]
    fn one_edit_is_allowed_for_three_characters() {
        check("abcdef", &["abcdxy", "abcdefgh"], &["abcdefgh", "abcdxy"]);
        check("abcdef", &["abcxyz"], &[]);
        check("ab", &["ac"], &[]);
    }

    #[test]
    fn case_and_separators_do_not_count() {
        check("toUppercase", &["toUpperCase"], &["toUpperCase"]);
        check("PR_merge", &["pr.merge"], &["pr.merge"]);
        check("dry run", &["dry-run"], &["dry-run"]);
    }

    #[test]
    fn words_may_be_in_another_order() {
        check("view.issue", &["issue.view", "pr.review"], &["issue.view"]);
        check("merg-pr", &["pr.merge"], &["pr.merge"]);
    }

    #[test]
    fn abbreviations_are_found_the_shortest_name_first() {
        check("num", &["number", "numerator"], &["number", "numerator"]);
        check("num", &["number", "nun"], &["nun"]);
        check("issue_nr", &["issue_number", "issue"], &["issue_number"]);
        check("desc", &["description"], &["description"]);
        check("toLower", &["toLowerCase"], &["toLowerCase"]);
        // Other letters, too few letters, other words.
        check("numb", &["nature"], &[]);
        check("nr", &["number"], &[]);
        check("num", &["number_of_issues"], &[]);
        check("issue", &["issue.view"], &[]);
        check("issue.", &["issue.view"], &[]);
        // A text that is longer than a known name is no abbreviation of it.
        check("getUserName", &["get"], &[]);
        check("enumNames", &["enum"], &[]);
    }

    #[test]
    fn nothing_is_similar_to_nothing() {
        check("", &["", "a", "abc"], &[]);
        check("abc", &["", " "], &[]);
    }

    #[test]
    fn names_that_are_too_long_are_compared_with_none() {
        let long = "a".repeat(LONGEST + 1);
        let fits = "a".repeat(LONGEST);
        check(&long, &[&fits], &[]);
        check(&fits, &[&long], &[]);
        check(&fits[1..], &[&fits], &[&fits]);
        assert_eq!(ranked(&long, ["b", "a"]), ["a", "b"]);
    }

    #[test]
    fn every_name_is_ranked() {
        let known = ["zebra", "create_issue", "list_issue", "last"];
        assert_eq!(
            ranked("list_issues", known)[..2],
            ["list_issue", "create_issue"]
        );
        assert_eq!(ranked("list", known).len(), known.len());
    }

    proptest! {
        #[test]
        fn answers_do_not_depend_on_the_order(wanted in "[abA_.é]{0,6}", names in vec("[abA_.é]{0,6}", 0..8)) {
            let mut reversed = names.clone();
            reversed.reverse();
            prop_assert_eq!(all(&wanted, &names), all(&wanted, &reversed));
            prop_assert_eq!(ranked(&wanted, &names), ranked(&wanted, &reversed));
        }

        #[test]
        fn a_known_name_needs_no_suggestion(names in vec("[ab_.]{0,6}", 1..8)) {
            prop_assert_eq!(all(&names[0], &names), Vec::<&String>::new());
        }

        #[test]
        fn suggestions_are_the_first_of_all(wanted in "[abA_]{0,5}", names in vec("[abA_]{0,5}", 0..20)) {
            let all = all(&wanted, &names);
            let few = suggestions(&wanted, &names);
            prop_assert!(few.len() <= MOST_SUGGESTED);
            prop_assert_eq!(&all[..few.len()], &few[..]);
            prop_assert_eq!(closest(&wanted, &names), few.first().copied());
        }

        #[test]
        fn no_name_is_suggested_twice(wanted in "[ab]{0,4}", names in vec("[ab]{0,4}", 0..20)) {
            let mut distinct = names.clone();
            distinct.sort();
            distinct.dedup();
            prop_assert_eq!(ranked(&wanted, &names).len(), distinct.len());
        }

        #[test]
        fn a_swap_is_forgiven(name in "[a-z]{4,30}", at in 0..29_usize) {
            let at = at % (name.len() - 1);
            let mut letters: Vec<_> = name.chars().collect();
            letters.swap(at, at + 1);
            let swapped: String = letters.into_iter().collect();
            prop_assert!(swapped == name || is_similar(&swapped, &name));
        }
    }
}
