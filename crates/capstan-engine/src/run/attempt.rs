//! One try of a card on one route.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use serde_json::{Map, Value};

use capstan_core::card::{Card, Operation};
use capstan_core::expr::{Path, Scope};
use capstan_core::port::{Answer, Failure, PartialError};
use capstan_core::{ErrorCode, Outcome, Pagination, ResultError, RouteRequest};

use super::affected::affected;
use super::{Lookup, Script, Sender};
use crate::normalize::{fields_of, root_of};
use crate::pagination::{Page, trim_overfetched};
use crate::schemas::CardSchemas;

/// How many lookups of one fan-out are under way at once.
const CONCURRENT_LOOKUPS: usize = 8;

/// How many results of lookups are remembered at the most.
const MOST_REMEMBERED: usize = 10_000;

pub(crate) struct Attempt<'a> {
    pub card: &'a Card,
    pub schemas: &'a CardSchemas,
    pub script: Script<'a>,
    pub input: &'a Value,
    pub sender: &'a Sender<'a>,
    pub cache: &'a LookupCache,
}

/// A normalized and validated answer.
#[derive(Debug)]
pub(crate) struct Answered {
    /// An object.
    pub data: Value,
    pub pagination: Option<Pagination>,
    pub warnings: Vec<String>,
}

/// Results of lookups that never change, by the request that gave them.
#[derive(Debug, Default)]
pub(crate) struct LookupCache(Mutex<HashMap<String, Value>>);

impl Attempt<'_> {
    pub(crate) async fn run(&self) -> Result<Answered, Failure> {
        let page = Page::of(self.input);
        let mut variables = Map::new();
        variables.insert("input".to_owned(), self.input.clone());
        variables.insert("page".to_owned(), page.variable());
        for (name, lookup) in self.script.lookups() {
            // A failed lookup proves that the operation itself was not sent.
            let found = self
                .look_up(lookup, &variables)
                .await
                .map_err(|failure| Failure {
                    outcome: Outcome::NotApplied,
                    ..failure
                })?;
            variables.insert(name.to_owned(), found);
        }
        if let Some(unchanged) = self.script.unchanged()
            && unchanged.when.holds(&Scope::new(self.input, &variables))
        {
            let root = variables
                .get(&unchanged.from)
                .cloned()
                .unwrap_or(Value::Null);
            variables.insert("changed".to_owned(), false.into());
            let data = fields_of(self.script.output(), &root, &variables);
            return self.validated(data, None, &[], Outcome::NotApplied);
        }
        let request = self
            .script
            .request(self.input, &variables)
            .map_err(not_sent)?;
        variables.insert("changed".to_owned(), true.into());
        let read = |answer: Answer| self.read(&answer, &variables, page);
        self.sender.send(&request, read).await
    }

    /// What an answer to the operation says.
    fn read(
        &self,
        answer: &Answer,
        variables: &Map<String, Value>,
        page: Page,
    ) -> Result<Answered, Failure> {
        let Some(root) = root_of(self.script.output(), &answer.body, variables) else {
            return Err(self.nothing_at_root(answer));
        };
        let mut data = fields_of(self.script.output(), &root, variables);
        for hidden in affected(self.script.output(), &answer.errors) {
            data.shift_remove(hidden);
        }
        let pagination = self.pagination(answer, variables, &mut data, page);
        // The root is there, so a write did happen, whatever else is wrong with the answer.
        self.validated(data, pagination, &answer.errors, Outcome::Applied)
    }

    async fn look_up(
        &self,
        lookup: Lookup<'_>,
        variables: &Map<String, Value>,
    ) -> Result<Value, Failure> {
        let Some(each) = lookup.each() else {
            return self.look_up_one(lookup, variables).await;
        };
        let Some(Value::Array(items)) = each.eval(&Scope::new(self.input, variables)) else {
            return Ok(Value::Array(Vec::new()));
        };
        let found: Vec<Value> = stream::iter(items)
            .map(|item| async move {
                let mut variables = variables.clone();
                variables.insert("item".to_owned(), item);
                self.look_up_one(lookup, &variables).await
            })
            .buffered(CONCURRENT_LOOKUPS)
            .try_collect()
            .await?;
        Ok(Value::Array(found))
    }

    async fn look_up_one(
        &self,
        lookup: Lookup<'_>,
        variables: &Map<String, Value>,
    ) -> Result<Value, Failure> {
        let request = lookup.request(self.input, variables).map_err(not_sent)?;
        let key = lookup.cacheable().then(|| cache_key(&request));
        if let Some(found) = key.as_deref().and_then(|key| self.cache.get(key)) {
            return Ok(found);
        }
        let say_missing = |error: ResultError| {
            let words = lookup
                .missing()
                .and_then(|text| text.render(&Scope::new(self.input, variables)));
            match words.filter(|_| error.code == ErrorCode::NotFound) {
                Some(message) => ResultError { message, ..error },
                None => error,
            }
        };
        let read = |answer: Answer| self.found(lookup, answer, variables);
        let found = self.sender.send(&request, read).await;
        let found = found.map_err(|failure| Failure {
            error: say_missing(failure.error.clone()),
            ..failure
        })?;
        if let Some(key) = key {
            self.cache.put(key, found.clone());
        }
        Ok(found)
    }

    /// What an answer to a lookup says.
    fn found(
        &self,
        lookup: Lookup<'_>,
        answer: Answer,
        variables: &Map<String, Value>,
    ) -> Result<Value, Failure> {
        // Half an answer must not decide what is written, or that nothing need be.
        if let Some(partial) = nearest(&answer.errors, lookup.root()) {
            return Err(of_partial(partial, Outcome::NotApplied));
        }
        let found = match lookup.root() {
            Some(path) => path.eval(&Scope::new(&answer.body, variables)),
            None => Some(answer.body),
        };
        let there = |value: &Value| {
            !value.is_null()
                && lookup
                    .require()
                    .is_none_or(|require| require.holds(&Scope::new(value, variables)))
        };
        found.filter(there).ok_or_else(|| {
            not_sent(ResultError::new(
                ErrorCode::NotFound,
                format!("{} needs something that is not there", self.card.id),
            ))
        })
    }

    /// GitHub answered, but without the thing that was asked for.
    fn nothing_at_root(&self, answer: &Answer) -> Failure {
        let root = self.script.output().root.as_ref();
        if let Some(partial) = nearest(&answer.errors, root) {
            return of_partial(partial, partial.outcome);
        }
        match self.card.operation {
            Operation::Read => not_sent(ResultError::new(
                ErrorCode::NotFound,
                format!("{} found nothing for this input", self.card.id),
            )),
            Operation::Write => Failure {
                error: ResultError::new(
                    ErrorCode::Server,
                    "GitHub answered without a result and without an error",
                ),
                outcome: Outcome::Unknown,
                retry_after: None,
            },
        }
    }

    fn validated(
        &self,
        data: Map<String, Value>,
        pagination: Option<Pagination>,
        errors: &[PartialError],
        outcome: Outcome,
    ) -> Result<Answered, Failure> {
        let data = Value::Object(data);
        let fits = self.schemas.check_output(&data);
        match fits {
            // What is complete is a success, whatever GitHub complains about beside it.
            Ok(()) => {
                let warnings = errors
                    .iter()
                    .map(|partial| partial.error.message.clone())
                    .collect();
                Ok(Answered {
                    data,
                    pagination,
                    warnings,
                })
            }
            Err(problem) => {
                let error = match errors.first() {
                    Some(partial) => return Err(of_partial(partial, outcome)),
                    None => ResultError::new(
                        ErrorCode::Server,
                        format!("GitHub's answer does not have the promised shape: {problem}"),
                    )
                    .not_retryable(),
                };
                Err(Failure {
                    error,
                    outcome,
                    retry_after: None,
                })
            }
        }
    }

    fn pagination(
        &self,
        answer: &Answer,
        variables: &Map<String, Value>,
        data: &mut Map<String, Value>,
        page: Page,
    ) -> Option<Pagination> {
        let scope = Scope::new(&answer.body, variables);
        let total = |path: Option<&Path>| path.and_then(|path| path.eval(&scope)?.as_u64());
        match self.script {
            Script::Graphql(route, _) => {
                let paths = route.pagination.as_ref()?;
                let has_next_page = paths.has_next_page.eval(&scope)?.as_bool()?;
                let end_cursor = paths
                    .end_cursor
                    .eval(&scope)
                    .and_then(|cursor| Some(cursor.as_str()?.to_owned()));
                Some(Pagination {
                    has_next_page,
                    end_cursor: end_cursor.filter(|_| has_next_page),
                    total: total(paths.total.as_ref()),
                })
            }
            Script::Rest(route, _) => {
                let paths = route.pagination.as_ref()?;
                let has_next_page = answer.has_next_page.unwrap_or(false);
                Some(Pagination {
                    has_next_page,
                    end_cursor: has_next_page.then(|| page.next_cursor()),
                    total: total(paths.total.as_ref()),
                })
            }
            Script::Command(command) => {
                let list = self.card.list.as_ref().filter(|_| command.overfetch)?;
                let has_next_page = trim_overfetched(data, &list.field, page);
                // Pages are counted alike everywhere, so REST can go on from here.
                let counted = self
                    .card
                    .rest
                    .as_ref()
                    .is_some_and(|rest| rest.pagination.is_some());
                Some(Pagination {
                    has_next_page,
                    end_cursor: (has_next_page && counted).then(|| page.next_cursor()),
                    total: None,
                })
            }
        }
    }
}

impl LookupCache {
    fn get(&self, key: &str) -> Option<Value> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get(key)
            .cloned()
    }

    fn put(&self, key: String, value: Value) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // A server that lives for months must not remember for months.
        if known.len() >= MOST_REMEMBERED {
            known.clear();
        }
        known.insert(key, value);
    }
}

/// A failure of something that never left.
fn not_sent(error: ResultError) -> Failure {
    Failure {
        error,
        outcome: Outcome::NotApplied,
        retry_after: None,
    }
}

/// A failure because of an error beside data.
fn of_partial(partial: &PartialError, outcome: Outcome) -> Failure {
    let error = partial.error.clone();
    let retry_after = error.details.get("retry_after_s").and_then(Value::as_u64);
    Failure {
        error,
        outcome,
        retry_after: retry_after.map(Duration::from_secs),
    }
}

/// The error about a path, else the first.
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

fn cache_key(request: &RouteRequest) -> String {
    serde_json::to_string(request).unwrap_or_default()
}
