//! Chooses the ids that are offered for an id that no card has.

use capstan_core::similar::{self, MOST_SUGGESTED};

/// The ids of a catalogue.
pub(crate) struct KnownIds<'a> {
    /// Those of all cards but generated ones.
    pub(crate) written: Vec<&'a str>,
    pub(crate) generated: Vec<&'a str>,
}

impl<'a> KnownIds<'a> {
    /// Returns the ids most similar to `id`. An id with the right subject and another verb, such as
    /// `repo.languages.view` for `repo.languages.list`, comes before one that is only spelled alike. Otherwise ids of
    /// generated cards are offered only if no other is similar.
    pub(crate) fn near(&self, id: &str) -> Vec<&'a str> {
        let lower = id.to_lowercase();
        let below = self.below(&lower);
        if !below.is_empty() {
            return most_similar(id, below);
        }
        let (subject, verb) = lower.rsplit_once('.').unwrap_or(("", &lower));
        let beside = self.below(subject);
        if !beside.is_empty() {
            let misspelt = with_similar_verb(verb, &beside);
            return if misspelt.is_empty() {
                most_similar(id, beside)
            } else {
                misspelt
            };
        }
        let similar = similar::suggestions(id, self.written.iter().copied());
        if similar.is_empty() {
            similar::suggestions(id, self.generated.iter().copied())
        } else {
            similar
        }
    }

    /// Returns the ids that have one more word than `subject`. There are none for a subject of one word, because too
    /// many ids share it.
    fn below(&self, subject: &str) -> Vec<&'a str> {
        if !subject.contains('.') {
            return Vec::new();
        }
        let is_below = |id: &&str| {
            let rest = id.strip_prefix(subject);
            let verb = rest.and_then(|rest| rest.strip_prefix('.'));
            verb.is_some_and(|verb| !verb.contains('.'))
        };
        let all = self.written.iter().chain(&self.generated).copied();
        all.filter(is_below).collect()
    }
}

/// Returns the ids whose last word is similar to `verb`.
fn with_similar_verb<'a>(verb: &str, ids: &[&'a str]) -> Vec<&'a str> {
    let verb_of = |id: &'a str| id.rsplit_once('.').map_or(id, |(_, verb)| verb);
    let similar = similar::suggestions(verb, ids.iter().map(|id| verb_of(id)));
    let with_verb = |wanted: &&str| ids.iter().find(|id| verb_of(id) == *wanted).copied();
    similar.iter().filter_map(with_verb).collect()
}

fn most_similar<'a>(wanted: &str, ids: Vec<&'a str>) -> Vec<&'a str> {
    let mut ranked = similar::ranked(wanted, ids);
    ranked.truncate(MOST_SUGGESTED);
    ranked
}

#[cfg(test)]
mod tests {
    use super::KnownIds;

    #[track_caller]
    fn check(id: &str, expected: &[&str]) {
        let known = KnownIds {
            written: vec![
                "issue.edit",
                "issue.labels.add",
                "issue.labels.remove",
                "issue.view",
                "repo.labels.list",
                "workflow.runs.list",
            ],
            generated: vec![
                "issue.lock",
                "issue.labels.set",
                "repo.languages.view",
                "workflow.runs.logs.delete",
                "workflow.runs.logs.download",
            ],
        };
        assert_eq!(known.near(id), expected, "{id}");
    }

    #[test]
    fn the_right_subject_counts_more_than_spelling() {
        check("repo.languages.list", &["repo.languages.view"]);
        check("Repo.Languages.List", &["repo.languages.view"]);
    }

    #[test]
    fn a_subject_alone_offers_its_verbs() {
        check(
            "workflow.runs.logs",
            &["workflow.runs.logs.delete", "workflow.runs.logs.download"],
        );
        check(
            "issue.labels",
            &[
                "issue.labels.add",
                "issue.labels.set",
                "issue.labels.remove",
            ],
        );
    }

    #[test]
    fn a_misspelt_verb_offers_the_verb_alone() {
        check("issue.labels.remov", &["issue.labels.remove"]);
        check("issue.labels.addd", &["issue.labels.add"]);
    }

    #[test]
    fn written_cards_come_before_generated_ones_if_the_subject_is_a_domain() {
        check("issue.veiw", &["issue.view", "issue.edit"]);
        check("issue.lok", &["issue.lock"]);
        check("repo.label.list", &["repo.labels.list"]);
    }

    #[test]
    fn nothing_similar_offers_nothing() {
        check("cake", &[]);
        check("", &[]);
        check(".", &[]);
        check("a..b", &[]);
    }
}
