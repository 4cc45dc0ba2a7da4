//! Turns an answer into what the card promises: located, normalized and validated.

use serde_json::{Map, Value};

use capstan_core::card::{Card, Operation, Output, PageStyle};
use capstan_core::expr::{Path, Scope};
use capstan_core::port::{Answer, Failure, PartialError};
use capstan_core::{ErrorCode, NextCall, Outcome, Pagination, Redactor, ResultError};

use super::{Lookup, RouteScript, affected, whole_answer};
use crate::follow_up;
use crate::normalize::{fields_of, root_of};
use crate::pagination::{Page, trim_overfetched};
use crate::schemas::CardSchemas;

/// A normalized and validated answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Answered {
    /// An object, if it comes from GitHub and a card describes it.
    pub data: Value,
    /// Nothing in the data looks like a secret any more. Otherwise only Capstan's own tokens are masked.
    pub is_masked: bool,
    pub pagination: Option<Pagination>,
    pub warnings: Vec<String>,
    /// What an empty list was searched for.
    pub note: Option<String>,
    /// Ready-to-send calls that are likely to follow.
    pub next: Vec<NextCall>,
}

impl Answered {
    fn new(data: Value, pagination: Option<Pagination>, warnings: Vec<String>) -> Self {
        Self {
            data,
            is_masked: false,
            pagination,
            warnings,
            note: None,
            next: Vec::new(),
        }
    }

    /// Masks secrets in the data. If other capabilities use the data, masks only known tokens.
    pub(crate) fn mask(&mut self, redactor: &Redactor, has_users: bool) {
        if has_users {
            redactor.known_in_value(&mut self.data);
        } else {
            redactor.value(&mut self.data);
        }
        self.is_masked = !has_users;
    }

    /// Returns a made-up answer for a dry run.
    pub(super) fn assumed() -> Self {
        Self::new(Value::Null, None, Vec::new())
    }
}

/// Reads the answers to one card on one route.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'a> {
    pub card: &'a Card,
    pub schemas: &'a CardSchemas,
    pub script: RouteScript<'a>,
    /// The input, and what lookups found.
    pub variables: &'a Map<String, Value>,
    pub page: Page,
}

impl Reader<'_> {
    /// Reads the answer to the operation.
    pub(crate) fn operation(self, answer: &Answer) -> Result<Answered, Failure> {
        let Some(output) = self.script.output() else {
            return Ok(self.as_it_is(answer));
        };
        if output.is_whole_answer {
            return self.whole_answer(answer);
        }
        let Some(root) = root_of(output, &answer.body, self.variables) else {
            return Err(self.nothing_at_root(output, answer));
        };
        let mut data = fields_of(output, &root, self.variables);
        affected::hide(output, &answer.errors, &mut data);
        let pagination = self.pagination(answer, Some(&mut data));
        let mut warnings = self.warnings(output, &root);
        warnings.extend(answer.is_accepted.then(|| self.accepted()));
        warnings.extend(self.unlisted(pagination.as_ref(), &data));
        // The root is present, so a write was applied even if the answer is invalid otherwise.
        let mut answered = self.validated(data, pagination, &answer.errors, Outcome::Applied)?;
        answered.warnings.extend(warnings);
        Ok(answered)
    }

    /// Reads the answer to a request that the caller wrote.
    fn whole_answer(self, answer: &Answer) -> Result<Answered, Failure> {
        let operation = self.card.operation;
        if let Some(failure) = whole_answer::is_without_result(operation, answer) {
            return Err(failure);
        }
        let mut warnings = whole_answer::warnings(operation, answer)?;
        warnings.extend(answer.is_accepted.then(|| self.accepted()));
        // Only lists have pages.
        let list = self.card.list.as_ref();
        let has_rows = list.is_some_and(|list| list.rows(&answer.body).is_some());
        let pagination = self
            .pagination(answer, None)
            .filter(|pages| pages.has_next_page || has_rows);
        warnings.extend(
            pagination
                .as_ref()
                .filter(|pages| pages.incomplete)
                .map(|_| self.unfinished()),
        );
        Ok(Answered::new(answer.body.clone(), pagination, warnings))
    }

    /// Builds the output from a lookup instead of the operation's answer.
    pub(crate) fn lookup_as_output(self, lookup: &str) -> Result<Answered, Failure> {
        let root = self.variables.get(lookup).unwrap_or(&Value::Null);
        let fields = |output| fields_of(output, root, self.variables);
        let data = self.script.output().map(fields).unwrap_or_default();
        let mut answered = self.validated(data, None, &[], Outcome::NotApplied)?;
        let output = self.script.output();
        answered
            .warnings
            .extend(output.map_or_else(Vec::new, |output| self.warnings(output, root)));
        Ok(answered)
    }

    /// Returns the card's warnings about an answer.
    fn warnings(self, output: &Output, root: &Value) -> Vec<String> {
        let scope = Scope::new(root, self.variables);
        let holding = output
            .warn
            .iter()
            .filter(|warning| warning.when.holds(&scope));
        holding
            .filter_map(|warning| warning.message.render(&scope))
            .collect()
    }

    /// Warns if a list is shorter than its total: GitHub's search gave up, or GitHub lists fewer than it counts.
    fn unlisted(self, pages: Option<&Pagination>, data: &Map<String, Value>) -> Option<String> {
        let pages = pages?;
        if pages.incomplete {
            return Some(self.unfinished());
        }
        let total = pages.total.filter(|_| !pages.has_next_page)?;
        let RouteScript::Rest(route, _) = self.script else {
            return None;
        };
        // Nobody knows how many rows come before a page that others link to.
        let is_linked = route
            .pagination
            .as_ref()
            .is_some_and(|pages| pages.style == PageStyle::Links);
        if is_linked {
            return None;
        }
        let field = &self.card.list.as_ref()?.field;
        let rows = data.get(field)?.as_array()?.len();
        let listed = self.page.rows_before() + u64::try_from(rows).ok()?;
        let provider = self.card.provider();
        (listed < total).then(|| format!("{provider} lists only the first {listed} of {total}"))
    }

    /// The warning of a write that is finished later.
    fn accepted(self) -> String {
        let provider = self.card.provider();
        format!("{provider} has accepted this and will finish it later")
    }

    fn unfinished(self) -> String {
        let provider = self.card.provider();
        format!("{provider} did not finish this search: more may match than is listed")
    }

    /// Reads the answer to a lookup.
    pub(crate) fn lookup(self, lookup: Lookup<'_>, answer: Answer) -> Result<Value, Failure> {
        // A partial answer must not decide what is written, or that nothing is.
        if let Some(partial) = nearest(&answer.errors, lookup.root()) {
            let failure = (*partial.failure).clone();
            if lookup.is_optional() && failure.error.code == ErrorCode::NotFound {
                return Ok(Value::Null);
            }
            let found = lookup.root().and_then(|root| {
                let scope = Scope::new(&answer.body, self.variables);
                root.eval(&scope).filter(|found| !found.is_null())
            });
            return Err(match found {
                Some(found) => self.missing_among(&found, lookup, failure),
                None => self.missing(lookup, failure),
            });
        }
        let found = match lookup.root() {
            Some(path) => path.eval(&Scope::new(&answer.body, self.variables)),
            None => Some(answer.body),
        };
        if lookup.is_optional() {
            return Ok(found.unwrap_or(Value::Null));
        }
        let there = |value: &Value| {
            !value.is_null()
                && lookup
                    .require()
                    .is_none_or(|require| require.holds(&Scope::new(value, self.variables)))
        };
        if let (Some(pick), Some(found)) = (lookup.pick(), &found) {
            let picked = pick.eval(&Scope::new(found, self.variables));
            return picked
                .filter(there)
                .ok_or_else(|| self.missing_among(found, lookup, self.nothing_there()));
        }
        found
            .filter(there)
            .ok_or_else(|| self.missing(lookup, self.nothing_there()))
    }

    fn nothing_there(self) -> Failure {
        let message = format!("{} needs something that does not exist", self.card.id);
        Failure::not_sent(ResultError::new(ErrorCode::NotFound, message))
    }

    /// Says in the card's words what is missing, with the values that exist as `$found`.
    fn missing_among(self, found: &Value, lookup: Lookup<'_>, failure: Failure) -> Failure {
        let mut variables = self.variables.clone();
        variables.insert("found".to_owned(), found.clone());
        let reader = Reader {
            variables: &variables,
            ..self
        };
        reader.missing(lookup, failure)
    }

    /// Returns the failure if the lookups forbid the operation, otherwise the reasons against it that the caller
    /// overrides. `unread` are the lookups that a rule needs and that could not be read.
    pub(crate) fn refusal(self, unread: &[(&str, Failure)]) -> Result<Vec<String>, Failure> {
        let Some(refusal) = self.script.refusal() else {
            return Ok(Vec::new());
        };
        let input = self.variables.get("input").unwrap_or(&Value::Null);
        let name = refusal.override_input.as_deref();
        let insists = name
            .and_then(|name| input.get(name))
            .and_then(Value::as_bool);
        let scope = Scope::new(input, self.variables);
        let mut reasons = Vec::new();
        let (mut is_final, mut is_passing) = (false, true);
        for rule in &refusal.rules {
            let reason = rule.because.render(&scope);
            let reason = match &rule.when {
                Some(when) if when.holds(&scope) => Some(reason.unwrap_or_else(|| {
                    let provider = self.card.provider();
                    format!("its current state on {provider} forbids it")
                })),
                Some(_) => None,
                None => reason,
            };
            if let Some(reason) = reason {
                reasons.push(reason);
                is_final |= rule.is_final;
                is_passing &= rule.is_passing;
            }
        }
        let has_rule = !reasons.is_empty();
        reasons.extend(unread.iter().map(|(name, failure)| {
            let name = name.replace('_', " ");
            format!("its {name} could not be read ({})", failure.error.message)
        }));
        if reasons.is_empty() || (insists == Some(true) && !is_final) {
            return Ok(reasons);
        }
        let mut message = format!("{} is refused: {}", self.card.id, reasons.join("; "));
        if let Some(name) = name.filter(|_| !is_final) {
            message.push_str(&format!(
                ". `{name}: true` overrides this: send it only if the person you work for says so"
            ));
        }
        // A lookup may be readable later, or with another token.
        let mut failure = match unread.first() {
            Some((_, failure)) if !has_rule => failure.clone(),
            _ => Failure::not_sent(ResultError::new(ErrorCode::Conflict, "")),
        };
        failure.outcome = Outcome::NotApplied;
        failure.error.message = message;
        failure.error.retryable |= has_rule && is_passing;
        failure.error = failure.error.with_detail("reasons", reasons);
        Err(failure)
    }

    /// Says in the card's words what is missing.
    pub(crate) fn missing(self, lookup: Lookup<'_>, mut failure: Failure) -> Failure {
        // A text that mentions `$found` was rendered where that is known, and must not be rendered again without it.
        let untellable = !self.variables.contains_key("found")
            && lookup.missing().is_some_and(|text| text.mentions("found"));
        if failure.error.code == ErrorCode::NotFound && !untellable {
            let input = self.variables.get("input").unwrap_or(&Value::Null);
            let scope = Scope::new(input, self.variables);
            if let Some(words) = lookup.missing().and_then(|text| text.render(&scope)) {
                failure.error.message = words;
            }
        }
        if failure.error.code == ErrorCode::NotFound
            && let Some(mend) = lookup.mend()
        {
            let input = self.variables.get("input").unwrap_or(&Value::Null);
            if let Some(call) = follow_up::mending(mend, input) {
                failure.error = failure.error.with_detail("mend", call);
            }
        }
        failure
    }

    /// Takes an answer as the output. A mismatch with the promised schema is a warning, because the effect has happened.
    fn as_it_is(self, answer: &Answer) -> Answered {
        let mut warnings = answer.warnings.clone();
        if let Err(problem) = self.schemas.check_output(&answer.body) {
            warnings.push(format!(
                "the answer does not match its output schema: {problem}"
            ));
        }
        Answered::new(answer.body.clone(), None, warnings)
    }

    /// The failure of an answer without the requested object.
    fn nothing_at_root(self, output: &Output, answer: &Answer) -> Failure {
        if let Some(partial) = nearest(&answer.errors, output.root.as_ref()) {
            return (*partial.failure).clone();
        }
        match self.card.operation {
            Operation::Read => {
                let message = format!("{} found nothing for this input", self.card.id);
                Failure::not_sent(ResultError::new(ErrorCode::NotFound, message))
            }
            Operation::Write => {
                let provider = self.card.provider();
                let message = format!("{provider} answered without a result and without an error");
                Failure::new(
                    ResultError::new(ErrorCode::Server, message),
                    Outcome::Unknown,
                )
            }
        }
    }

    fn validated(
        self,
        data: Map<String, Value>,
        pagination: Option<Pagination>,
        errors: &[PartialError],
        outcome: Outcome,
    ) -> Result<Answered, Failure> {
        let data = Value::Object(data);
        match (self.schemas.check_output(&data), errors.first()) {
            // A complete answer is a success; errors beside it become warnings.
            (Ok(()), _) => {
                let warnings = errors
                    .iter()
                    .map(|partial| partial.failure.error.message.clone());
                Ok(Answered::new(data, pagination, warnings.collect()))
            }
            (Err(_), Some(partial)) => Err(Failure {
                outcome,
                ..(*partial.failure).clone()
            }),
            (Err(problem), None) => {
                let provider = self.card.provider();
                let message =
                    format!("{provider}'s answer does not match the output schema: {problem}");
                let error = ResultError::new(ErrorCode::Server, message).not_retryable();
                Err(Failure::new(error, outcome))
            }
        }
    }

    fn pagination(
        self,
        answer: &Answer,
        data: Option<&mut Map<String, Value>>,
    ) -> Option<Pagination> {
        let scope = Scope::new(&answer.body, self.variables);
        let input = self.variables.get("input").unwrap_or(&Value::Null);
        match self.script {
            RouteScript::Graphql(route, _) => {
                let paths = route.pagination.as_ref()?;
                let has_next_page = paths.has_next_page.eval(&scope)?.as_bool()?;
                let end_cursor = paths
                    .end_cursor
                    .eval(&scope)
                    .and_then(|cursor| Some(cursor.as_str()?.to_owned()));
                Some(Pagination {
                    has_next_page,
                    end_cursor: end_cursor.filter(|_| has_next_page),
                    total: paths
                        .total
                        .as_ref()
                        .and_then(|total| total.eval(&scope)?.as_u64()),
                    incomplete: false,
                })
            }
            RouteScript::Rest(route, _) => {
                let paths = route.pagination.as_ref()?;
                let next = answer.next_page.as_deref();
                Some(Pagination {
                    has_next_page: next.is_some(),
                    end_cursor: next.and_then(|query| match paths.style {
                        PageStyle::Numbers => Some(self.page.next_cursor(self.card, input)),
                        PageStyle::Links => {
                            let sent = |name: &str| route.call.sends(name);
                            self.page.linked_cursor(self.card, input, query, sent)
                        }
                    }),
                    total: paths
                        .total
                        .as_ref()
                        .and_then(|total| total.eval(&scope)?.as_u64()),
                    incomplete: paths
                        .incomplete
                        .as_ref()
                        .and_then(|flag| flag.eval(&scope)?.as_bool())
                        .unwrap_or(false),
                })
            }
            RouteScript::Call(..) => None,
            RouteScript::Command(command) => {
                let list = self.card.list.as_ref().filter(|_| command.overfetch)?;
                let has_next_page = trim_overfetched(data?, &list.field, self.page);
                // Page numbers mean the same on REST, so REST can continue from here.
                let counted = self
                    .card
                    .rest
                    .as_ref()
                    .is_some_and(|rest| rest.pagination.is_some());
                Some(Pagination {
                    has_next_page,
                    end_cursor: (has_next_page && counted)
                        .then(|| self.page.next_cursor(self.card, input)),
                    total: None,
                    incomplete: false,
                })
            }
        }
    }
}

/// Returns the error about a path, otherwise the first one.
fn nearest<'a>(errors: &'a [PartialError], root: Option<&Path>) -> Option<&'a PartialError> {
    let keys: Vec<String> = root
        .map(|path| path.to_string().split('.').map(str::to_owned).collect())
        .unwrap_or_default();
    let about_root = |partial: &&PartialError| {
        !partial.path.is_empty()
            && partial
                .path
                .iter()
                .zip(&keys)
                .all(|(left, right)| left == right)
    };
    errors.iter().find(about_root).or_else(|| errors.first())
}
