//! The subset of GitHub's search language for issues that clients use.

use super::account::Viewer;
use super::filter::{Direction, IssueOrder, OrderField};
use super::issue::{Issue, IssueRef, IssueState};
use super::pull::{PullState, ReviewDecision};
use super::repository::{RepoId, Repository, Visibility};
use super::state::World;

/// A parsed search query. Words are in lower case; a negated word keeps its `-`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SearchQuery {
    pub words: Vec<String>,
    pub qualifiers: Vec<Qualifier>,
}

/// A condition such as `is:open`, or `-is:open` if negated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Qualifier {
    pub negated: bool,
    pub key: String,
    pub value: String,
}

/// The part of an issue in which words were found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MatchedIn {
    Title,
    Body,
    /// The comment with this database id.
    Comment(u64),
}

/// A fragment of a text, with the byte ranges of the matches in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextMatch {
    pub part: MatchedIn,
    pub fragment: String,
    pub ranges: Vec<(usize, usize)>,
}

/// Maximum length in bytes of the fragment, which starts at the first match.
const MAX_FRAGMENT_BYTES: usize = 200;

impl TextMatch {
    fn starting_at(part: MatchedIn, text: &str, start: usize, found: &[(usize, usize)]) -> Self {
        let end = text.floor_char_boundary(start + MAX_FRAGMENT_BYTES);
        let inside = found.iter().filter(|(_, to)| *to <= end);
        Self {
            part,
            fragment: text[start..end].to_owned(),
            ranges: inside
                .map(|(from, to)| (from - start, to - start))
                .collect(),
        }
    }
}

impl SearchQuery {
    pub fn parse(text: &str) -> Self {
        let mut query = Self::default();
        for term in split_terms(text) {
            let (negated, bare) = match term.strip_prefix('-') {
                Some(rest) => (true, rest),
                None => (false, term.as_str()),
            };
            match bare.split_once(':') {
                Some((key, value)) if is_qualifier(key) => query.qualifiers.push(Qualifier {
                    negated,
                    key: key.to_ascii_lowercase(),
                    value: unquote(value),
                }),
                _ => query.words.push(unquote(&term).to_lowercase()),
            }
        }
        query
    }

    /// Returns the values of the qualifiers with this key that are not negated.
    pub(crate) fn values<'q>(&'q self, key: &'q str) -> impl Iterator<Item = &'q str> + 'q {
        let wanted = self.qualifiers.iter();
        wanted
            .filter(move |qualifier| !qualifier.negated && qualifier.key == key)
            .map(|qualifier| qualifier.value.as_str())
    }

    /// Returns the texts of an issue that the query searches.
    fn searched_texts<'i>(&self, issue: &'i Issue) -> Vec<(MatchedIn, &'i str)> {
        let places: Vec<&str> = self.values("in").flat_map(|v| v.split(',')).collect();
        let is_searched = |place: &str| places.is_empty() || places.contains(&place);
        let mut texts = Vec::new();
        if is_searched("title") {
            texts.push((MatchedIn::Title, issue.title.as_str()));
        }
        if is_searched("body") {
            texts.push((MatchedIn::Body, issue.body.as_str()));
        }
        if is_searched("comments") {
            let comments = issue.comments.iter();
            texts.extend(comments.map(|it| (MatchedIn::Comment(it.id), it.body.as_str())));
        }
        texts
    }

    /// Finds the words of the query in an issue: one result for each text that contains any of them.
    pub fn text_matches(&self, issue: &Issue) -> Vec<TextMatch> {
        let is_wanted = |word: &&String| !word.starts_with('-');
        let phrases: Vec<_> = self
            .words
            .iter()
            .filter(is_wanted)
            .map(|word| split_words(word))
            .filter(|phrase| !phrase.is_empty())
            .collect();
        let texts = self.searched_texts(issue).into_iter();
        texts
            .filter_map(|(part, text)| {
                let found: Vec<_> = phrases
                    .iter()
                    .flat_map(|phrase| find_phrase(phrase, text))
                    .collect();
                let start = found.iter().map(|(start, _)| *start).min()?;
                Some(TextMatch::starting_at(part, text, start, &found))
            })
            .collect()
    }

    fn order(&self) -> IssueOrder {
        let Some(sort) = self.values("sort").last() else {
            return IssueOrder::default();
        };
        let (field, direction) = sort.split_once('-').unwrap_or((sort, "desc"));
        IssueOrder {
            field: match field {
                "updated" => OrderField::Updated,
                "comments" => OrderField::Comments,
                _ => OrderField::Created,
            },
            direction: if direction == "asc" {
                Direction::Ascending
            } else {
                Direction::Descending
            },
        }
    }
}

impl World {
    /// Returns the matching issues and pull requests that the viewer may see, in the order of the query.
    pub fn search_issues(&self, viewer: &Viewer, query: &SearchQuery) -> Vec<IssueRef> {
        let mut found: Vec<(IssueRef, &Issue)> = Vec::new();
        for (index, repo) in self.repositories.iter().enumerate() {
            let id = RepoId(index);
            if !self.can_see(viewer, id) || !in_scope(repo, query) {
                continue;
            }
            for issue in repo.issues.values() {
                let at = IssueRef {
                    repo: id,
                    number: issue.number,
                };
                if self.matches(viewer, query, at, repo, issue) {
                    found.push((at, issue));
                }
            }
        }
        let mut order: Vec<&Issue> = found.iter().map(|(_, issue)| *issue).collect();
        query.order().sort(&mut order);
        order
            .into_iter()
            .filter_map(|issue| found.iter().find(|(_, other)| std::ptr::eq(*other, issue)))
            .map(|(at, _)| *at)
            .collect()
    }

    /// Returns the matching repositories that the viewer may see, by descending number of stars.
    pub fn search_repositories(&self, viewer: &Viewer, query: &SearchQuery) -> Vec<RepoId> {
        let mut found: Vec<RepoId> = (0..self.repositories.len())
            .map(RepoId)
            .filter(|id| self.can_see(viewer, *id))
            .filter(|id| {
                self.repo(*id).is_some_and(|repo| {
                    let description = repo.description.as_deref().unwrap_or_default();
                    let text = format!("{} {description}", repo.full_name()).to_lowercase();
                    in_scope(repo, query) && query.words.iter().all(|word| text.contains(word))
                })
            })
            .collect();
        found.sort_by_key(|id| std::cmp::Reverse(self.repo(*id).map(|repo| repo.stars)));
        found
    }

    fn matches(
        &self,
        viewer: &Viewer,
        query: &SearchQuery,
        at: IssueRef,
        repo: &Repository,
        issue: &Issue,
    ) -> bool {
        let texts: Vec<_> = query
            .searched_texts(issue)
            .iter()
            .map(|(_, text)| split_words(text))
            .collect();
        let has = |term: &str| {
            let phrase = split_words(term);
            let within = |text: &Vec<String>| text.windows(phrase.len()).any(|it| it == phrase);
            // GitHub ignores terms without letters and digits.
            phrase.is_empty() || texts.iter().any(within)
        };
        let words = query.words.iter().all(|word| match word.strip_prefix('-') {
            Some(absent) if !absent.is_empty() => !has(absent),
            _ => has(word),
        });
        let qualified = query.qualifiers.iter().all(|qualifier| {
            self.qualifier_holds(viewer, qualifier, at, repo, issue)
                .is_none_or(|holds| holds != qualifier.negated)
        });
        words && qualified
    }

    /// Returns whether the qualifier holds for an issue; `None` for qualifiers that do not restrict issues.
    fn qualifier_holds(
        &self,
        viewer: &Viewer,
        qualifier: &Qualifier,
        at: IssueRef,
        repo: &Repository,
        issue: &Issue,
    ) -> Option<bool> {
        let value = qualifier.value.as_str();
        let login = if value == "@me" { &viewer.login } else { value };
        let same = |other: &str| other.eq_ignore_ascii_case(login);
        let holds = match qualifier.key.as_str() {
            "is" | "type" | "state" => self.has_property(value, repo, issue)?,
            // A comma separates alternatives, unless it is part of the label's name.
            "label" => value.split(',').chain([value]).any(|name| {
                let name = unquote(name);
                repo.labels_of(issue)
                    .any(|label| label.name.eq_ignore_ascii_case(&name))
            }),
            "author" => self.is_written_by(&issue.author, login),
            "assignee" => issue.assignees.iter().any(|a| same(a)),
            "commenter" => issue.comments.iter().any(|c| same(&c.author)),
            "mentions" => issue.mentions(login),
            "involves" => {
                same(&issue.author)
                    || issue.assignees.iter().any(|a| same(a))
                    || issue.comments.iter().any(|c| same(&c.author))
            }
            "milestone" => issue
                .milestone
                .and_then(|number| repo.milestone(number))
                .is_some_and(|milestone| milestone.title.eq_ignore_ascii_case(value)),
            "no" => match value {
                "label" => issue.labels.is_empty(),
                "assignee" => issue.assignees.is_empty(),
                "milestone" => issue.milestone.is_none(),
                _ => true,
            },
            "reason" => issue.state_reason.is_some_and(|reason| {
                reason.rest().replace('_', " ").eq_ignore_ascii_case(value)
                    || reason.rest().eq_ignore_ascii_case(value)
            }),
            "head" => issue
                .pull
                .as_ref()
                // As documented, a prefix of the branch name is enough.
                .is_some_and(|pull| pull.head_ref.starts_with(value)),
            "base" => issue
                .pull
                .as_ref()
                .is_some_and(|pull| pull.base_ref == value),
            "draft" => issue.pull.as_ref().is_some_and(|pull| pull.draft) == (value == "true"),
            "review-requested" | "user-review-requested" => issue
                .pull
                .as_ref()
                .is_some_and(|pull| pull.requested_reviewers.iter().any(|r| same(r))),
            "reviewed-by" => issue
                .pull
                .as_ref()
                .is_some_and(|pull| pull.reviews.iter().any(|r| same(&r.author))),
            "review" => {
                let decision = self.searched_review_decision(at);
                match value {
                    "approved" => decision == Some(ReviewDecision::Approved),
                    "changes_requested" => decision == Some(ReviewDecision::ChangesRequested),
                    "required" => decision == Some(ReviewDecision::ReviewRequired),
                    _ => decision.is_none(),
                }
            }
            "comments" => count_matches(value, issue.comments.len()),
            "created" => time_matches(value, issue.created_at),
            "updated" => time_matches(value, issue.updated_at),
            "closed" => issue.closed_at.is_some_and(|at| time_matches(value, at)),
            _ => return None,
        };
        Some(holds)
    }

    /// Returns whether the author has this login, or is the app `NAME` if `wanted` is `app/NAME`.
    fn is_written_by(&self, author: &str, wanted: &str) -> bool {
        let is_app = self.user(author).is_some_and(|user| user.bot);
        match wanted.strip_prefix("app/") {
            Some(app) => is_app && author.eq_ignore_ascii_case(app),
            None => !is_app && author.eq_ignore_ascii_case(wanted),
        }
    }

    /// Evaluates `is:value`; `None` for unknown values.
    fn has_property(&self, value: &str, repo: &Repository, issue: &Issue) -> Option<bool> {
        Some(match value.to_ascii_lowercase().as_str() {
            "issue" => !issue.is_pull(),
            "pr" | "pull-request" => issue.is_pull(),
            "open" => issue.state == IssueState::Open,
            "closed" => issue.state == IssueState::Closed,
            "merged" => self.pull_state(issue) == PullState::Merged,
            "unmerged" => issue.is_pull() && self.pull_state(issue) != PullState::Merged,
            "draft" => issue.pull.as_ref().is_some_and(|pull| pull.draft),
            "locked" => issue.locked,
            "unlocked" => !issue.locked,
            "public" => repo.visibility == Visibility::Public,
            "private" => repo.visibility == Visibility::Private,
            _ => return None,
        })
    }
}

const QUALIFIERS: [&str; 32] = [
    "archived",
    "assignee",
    "author",
    "base",
    "closed",
    "comments",
    "commenter",
    "created",
    "draft",
    "head",
    "in",
    "involves",
    "is",
    "label",
    "language",
    "mentions",
    "milestone",
    "no",
    "org",
    "owner",
    "reason",
    "repo",
    "review",
    "review-requested",
    "reviewed-by",
    "sort",
    "state",
    "topic",
    "type",
    "updated",
    "user",
    "user-review-requested",
];

fn is_qualifier(key: &str) -> bool {
    QUALIFIERS.contains(&key.to_ascii_lowercase().as_str())
}

/// Splits a text into words in lower case; all other characters only separate words.
fn split_words(text: &str) -> Vec<String> {
    text.to_lowercase()
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Returns the byte ranges at which a phrase occurs in a text.
fn find_phrase(phrase: &[String], text: &str) -> Vec<(usize, usize)> {
    let mut words: Vec<(usize, usize)> = Vec::new();
    for (at, c) in text.char_indices().filter(|(_, c)| c.is_alphanumeric()) {
        let end = at + c.len_utf8();
        match words.last_mut() {
            Some(word) if word.1 == at => word.1 = end,
            _ => words.push((at, end)),
        }
    }
    words
        .windows(phrase.len())
        .filter(|window| {
            let mut pairs = window.iter().zip(phrase);
            pairs.all(|((from, to), word)| text[*from..*to].to_lowercase() == *word)
        })
        .filter_map(|window| Some((window.first()?.0, window.last()?.1)))
        .collect()
}

/// Splits a query at spaces outside double quotes. Inside quotes a backslash escapes the next character.
fn split_terms(text: &str) -> Vec<String> {
    let mut terms = Vec::new();
    let mut term = String::new();
    let mut quoted = false;
    let mut escaped = false;
    let mut open = 0_usize;
    for c in text.chars() {
        match c {
            _ if escaped => {
                term.push(c);
                escaped = false;
            }
            '\\' if quoted => {
                term.push(c);
                escaped = true;
            }
            '"' => {
                quoted = !quoted;
                term.push(c);
            }
            // Parentheses only group. A closing one without an opening one belongs to its term.
            '(' if !quoted && term.is_empty() => open += 1,
            ')' if !quoted && (open > 0 || term.is_empty()) => open = open.saturating_sub(1),
            _ if c.is_whitespace() && !quoted => {
                if !term.is_empty() {
                    terms.push(std::mem::take(&mut term));
                }
            }
            _ => term.push(c),
        }
    }
    if !term.is_empty() {
        terms.push(term);
    }
    terms
}

fn unquote(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '"' => {}
            '\\' => plain.extend(chars.next()),
            _ => plain.push(c),
        }
    }
    plain
}

/// Returns whether the query covers a repository. Several `repo:`, `org:` and `user:` qualifiers are alternatives.
fn in_scope(repo: &Repository, query: &SearchQuery) -> bool {
    let scopes: Vec<&Qualifier> = query
        .qualifiers
        .iter()
        .filter(|q| matches!(q.key.as_str(), "repo" | "org" | "user" | "owner"))
        .collect();
    let within = |q: &&Qualifier| {
        if q.key == "repo" {
            repo.full_name().eq_ignore_ascii_case(&q.value)
        } else {
            repo.owner.eq_ignore_ascii_case(&q.value)
        }
    };
    let mut wanted = scopes.iter().filter(|q| !q.negated).peekable();
    let included = wanted.peek().is_none() || wanted.any(&within);
    let excluded = scopes.iter().filter(|q| q.negated).any(within);
    let archived = query.values("archived").last();
    included && !excluded && archived.is_none_or(|value| (value == "true") == repo.archived)
}

/// Compares a count with a condition such as `>=2`; false if the condition has no number.
fn count_matches(condition: &str, actual: usize) -> bool {
    let (operator, rest) = split_operator(condition);
    rest.parse::<usize>()
        .is_ok_and(|wanted| ordering_matches(operator, actual.cmp(&wanted)))
}

/// Compares a time with a condition: by day, or by second if the condition has a time.
fn time_matches(condition: &str, actual: time::OffsetDateTime) -> bool {
    let actual = super::clock::rest_time(actual);
    let against = |bound: &str| {
        let bound = bound.trim_end_matches("+00:00").trim_end_matches('Z');
        let length = bound.len().min(actual.len());
        actual.get(..length).unwrap_or(&actual).cmp(bound)
    };
    if let Some((from, to)) = condition.split_once("..") {
        return (from == "*" || against(from).is_ge()) && (to == "*" || against(to).is_le());
    }
    let (operator, rest) = split_operator(condition);
    ordering_matches(operator, against(rest))
}

fn split_operator(condition: &str) -> (&str, &str) {
    for operator in [">=", "<=", ">", "<"] {
        if let Some(rest) = condition.strip_prefix(operator) {
            return (operator, rest);
        }
    }
    ("=", condition)
}

fn ordering_matches(operator: &str, ordering: std::cmp::Ordering) -> bool {
    match operator {
        ">=" => ordering.is_ge(),
        "<=" => ordering.is_le(),
        ">" => ordering.is_gt(),
        "<" => ordering.is_lt(),
        _ => ordering.is_eq(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use time::macros::datetime;

    #[test]
    fn words_and_qualifiers_are_separated() {
        let query = SearchQuery::parse(
            "Fuel -label:\"help wanted\" is:open https://x.y \"two words\" in:title",
        );
        assert_eq!(query.words, ["fuel", "https://x.y", "two words"]);
        let parts: Vec<(bool, &str, &str)> = query
            .qualifiers
            .iter()
            .map(|q| (q.negated, q.key.as_str(), q.value.as_str()))
            .collect();
        assert_eq!(
            parts,
            [
                (true, "label", "help wanted"),
                (false, "is", "open"),
                (false, "in", "title"),
            ]
        );
    }

    #[test]
    fn parentheses_are_not_part_of_terms() {
        let query = SearchQuery::parse("repo:a/b (fuel label:bug) f(x) (\"two (2)\")");
        assert_eq!(query.words, ["fuel", "f(x)", "two (2)"]);
        assert_eq!(query.qualifiers[1].value, "bug");
    }

    #[test]
    fn text_is_split_into_lower_case_words() {
        assert_eq!(
            split_words("Boil-off: LOX, 3.5%"),
            ["boil", "off", "lox", "3", "5"]
        );
    }

    #[test]
    fn phrases_are_found_with_their_byte_ranges() {
        let text = "Über-Fuel: the fuel line";
        let fuel = [String::from("fuel")];
        assert_eq!(find_phrase(&fuel, text), [(6, 10), (16, 20)]);
        let line = ["fuel", "line"].map(String::from);
        assert_eq!(find_phrase(&line, text), [(16, 25)]);
        assert!(find_phrase(&["uel".to_owned()], text).is_empty());
    }

    #[test]
    fn an_escaped_quote_stays_in_its_value() {
        let query = SearchQuery::parse(r#"milestone:"the \"big\" one" x"#);
        assert_eq!(query.qualifiers[0].value, "the \"big\" one");
        assert_eq!(query.words, ["x"]);
    }

    #[test]
    fn days_compare_as_ranges_and_bounds() {
        let at = datetime!(2026-03-05 12:30:00 UTC);
        for (condition, expected) in [
            ("2026-03-05", true),
            (">2026-03-05", false),
            (">=2026-03-05", true),
            ("<2026-03-06", true),
            ("2026-03-01..2026-03-05", true),
            ("2026-03-06..*", false),
            ("*..2026-03-05", true),
            (">2026-03-05T12:00:00Z", true),
        ] {
            assert_eq!(time_matches(condition, at), expected, "{condition}");
        }
    }

    #[test]
    fn counts_compare() {
        assert!(count_matches("2", 2) && count_matches(">1", 2) && count_matches("<=2", 2));
        assert!(!count_matches(">2", 2) && !count_matches("x", 2));
    }
}
