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
        let same_subject = self.with_subject_of(&id.to_lowercase());
        if !same_subject.is_empty() {
            let misspelt = similar::suggestions(id, same_subject.iter().copied());
            if !misspelt.is_empty() {
                return misspelt;
            }
            let mut ranked = similar::ranked(id, same_subject);
            ranked.truncate(MOST_SUGGESTED);
            return ranked;
        }
        let similar = similar::suggestions(id, self.written.iter().copied());
        if similar.is_empty() {
            similar::suggestions(id, self.generated.iter().copied())
        } else {
            similar
        }
    }

    /// Returns the ids below `id`, or else those beside it. The first word alone is no subject: too many ids share it.
    fn with_subject_of(&self, id: &str) -> Vec<&'a str> {
        let below = self.below(id);
        if !below.is_empty() {
            return below;
        }
        let parent = id.rsplit_once('.').map_or("", |(parent, _)| parent);
        self.below(parent)
    }

    /// Returns the ids that have one more word than `subject`, which has at least two.
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
        check("issue.labels.ad", &["issue.labels.add"]);
        check("issue.labels.remov", &["issue.labels.remove"]);
    }

    #[test]
    fn written_cards_come_before_generated_ones_if_the_subject_is_a_domain() {
        check("issue.veiw", &["issue.view"]);
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
