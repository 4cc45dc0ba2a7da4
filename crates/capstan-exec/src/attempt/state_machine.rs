//! One try of a card on one route, as a state machine: it says which requests it wants, takes the answers, and ends with
//! a result. It sends nothing and never waits, so single runs, chains and dry runs share this code.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use serde_json::{Map, Value};

use capstan_core::card::Card;
use capstan_core::expr::{Expr, Path, Root, Scope, Segment};
use capstan_core::port::{Answer, Fact, Failure};
use capstan_core::{ErrorCode, Outcome, ResultError, RouteRequest};

use super::lookup_cache::{LookupCache, cache_key};
use super::reading::{Answered, Reader};
use super::stand_in::{make_readable, stand_in};
use super::{Lookup, RouteScript};
use crate::pagination::Page;
use crate::schemas::CardSchemas;
use crate::seal::seal;

pub(crate) struct Attempt<'a> {
    card: &'a Card,
    schemas: &'a CardSchemas,
    script: RouteScript<'a>,
    page: Page,
    /// The input, the page, and what lookups found.
    variables: Map<String, Value>,
    phase: Phase,
    /// By lookup, in the card's order: the slots of its answers, once it was requested.
    asked: Vec<Option<Range<usize>>>,
    slots: Vec<Slot<'a>>,
    answered: Option<Answered>,
    failed: Option<(usize, Failure)>,
    /// Optional lookups that a refusal needs and that could not be read, in the card's order.
    unread: Vec<(&'a str, Failure)>,
    /// Answers are made up, so conditions on them are not evaluated.
    assumed: bool,
    /// Another step may have set the same fields, so a read cannot prove that this write was applied.
    unprovable: bool,
    /// The lookups were evaluated in turn and allow the operation.
    cleared: bool,
    /// The lookups are repeated, so remembered results do not count.
    ignores_cache: bool,
}

#[derive(Debug)]
enum Phase {
    LookingUp,
    Running,
    /// The operation's answer was lost. The lookups are repeated to find out whether it was applied.
    Verifying(Box<Failure>),
}

/// A request that was made, and its state.
struct Slot<'a> {
    /// The lookup; `None` for the operation.
    lookup: Option<(&'a str, Lookup<'a>)>,
    /// The element of a fan-out.
    item: Option<Value>,
    cache_key: Option<String>,
    /// The last answer while GitHub was still computing.
    unsettled: Option<Value>,
    state: SlotState,
}

#[derive(Debug, PartialEq)]
enum SlotState {
    Outstanding,
    Found(Value),
    /// Read into `answered`, or failed.
    Over,
}

/// A request whose answer the attempt needs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Want {
    /// Identifies the request when the answer is delivered.
    pub slot: usize,
    pub request: RouteRequest,
    pub purpose: Purpose,
}

/// The purpose of a want.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// The lookup of this name.
    Lookup(String),
    /// The operation itself.
    Run,
}

impl fmt::Display for Purpose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Purpose::Lookup(name) => write!(f, "lookup {name}"),
            Purpose::Run => f.write_str("run"),
        }
    }
}

/// The fields of an object that an operation sets.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Claim {
    /// The id of the object, if known.
    target: Option<String>,
    fields: Vec<String>,
}

impl Claim {
    /// Whether the effect of one can look like the effect of the other.
    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        let apart = self.target.is_some() && other.target.is_some() && self.target != other.target;
        !apart && self.fields.iter().any(|field| other.fields.contains(field))
    }
}

/// The next action of an attempt.
#[derive(Debug)]
pub(crate) enum Next {
    /// It needs these answers, and those that it asked for before.
    Ask(Vec<Want>),
    /// Its lookups decide whether anything is sent. Call `settle` when it is its turn, or `look_again`.
    Settled,
    Done(Result<Answered, Failure>),
}

/// The warning of a write whose answer was lost and that a read has confirmed.
const SEEN: &str = "the answer was lost; a read afterwards shows that it happened";

impl<'a> Attempt<'a> {
    pub(crate) fn new(
        card: &'a Card,
        schemas: &'a CardSchemas,
        script: RouteScript<'a>,
        input: Value,
        fields: &[String],
    ) -> Self {
        let page = Page::of(&input);
        let mut variables = Map::new();
        variables.insert("page".to_owned(), page.variable(&input));
        variables.insert("input".to_owned(), input);
        let asked_for = fields.iter().map(|field| (field.clone(), true.into()));
        variables.insert("fields".to_owned(), Value::Object(asked_for.collect()));
        Self {
            card,
            schemas,
            script,
            page,
            variables,
            phase: Phase::LookingUp,
            asked: vec![None; script.lookups().len()],
            slots: Vec::new(),
            answered: None,
            failed: None,
            unread: Vec::new(),
            assumed: false,
            unprovable: false,
            cleared: false,
            ignores_cache: false,
        }
    }

    /// Returns the next action. Each request is returned once.
    pub(crate) fn next(&mut self, cache: &LookupCache) -> Next {
        loop {
            if self.is_waiting() {
                return Next::Ask(Vec::new());
            }
            if let Some((_, failure)) = self.failed.take() {
                match self.after_failure(failure) {
                    Some(failure) => return Next::Done(Err(failure)),
                    None => continue,
                }
            }
            match self.look_up(cache) {
                Err(failure) => {
                    self.failed = Some((self.slots.len(), failure));
                    continue;
                }
                Ok(wants) if !wants.is_empty() => return Next::Ask(wants),
                // All of these were cached; others may be possible now.
                Ok(_) if self.asked.iter().any(Option::is_none) => continue,
                Ok(_) => {}
            }
            if let Some(answered) = self.answered.take() {
                return Next::Done(Ok(answered));
            }
            return match std::mem::replace(&mut self.phase, Phase::Running) {
                Phase::Verifying(lost) => Next::Done(self.verdict(*lost)),
                Phase::LookingUp if self.depends_on_lookups() => {
                    self.phase = Phase::LookingUp;
                    Next::Settled
                }
                Phase::LookingUp | Phase::Running => match self.operate() {
                    Ok(want) => Next::Ask(vec![want]),
                    Err(failure) => Next::Done(Err(failure)),
                },
            };
        }
    }

    /// Evaluates the lookups. Returns a result if nothing needs to be done or the operation is refused, and `None` if the
    /// operation may be sent.
    pub(crate) fn settle(&mut self) -> Option<Result<Answered, Failure>> {
        if self.is_unchanged() {
            self.variables.insert("changed".to_owned(), false.into());
            let unchanged = self.script.unchanged();
            let from = unchanged.map_or("", |unchanged| unchanged.from.as_str());
            return Some(self.reader(&self.variables).lookup_as_output(from));
        }
        match self.reader(&self.variables).refusal(&self.unread) {
            Err(refused) => return Some(Err(refused)),
            Ok(overridden) => {
                self.variables
                    .insert("overridden".to_owned(), overridden.into());
            }
        }
        self.cleared = true;
        None
    }

    /// Forgets the answers to the lookups, because they may be stale. What the cache remembers may be stale, too.
    pub(crate) fn look_again(&mut self) {
        self.ignores_cache = true;
        self.asked.fill(None);
        self.slots.clear();
        self.unread.clear();
        self.cleared = false;
        for (name, _) in self.script.lookups() {
            self.variables.shift_remove(name);
        }
    }

    /// Takes an answer. If it cannot be used, the state does not change.
    pub(crate) fn read(
        &mut self,
        slot: usize,
        answer: Answer,
        cache: &LookupCache,
    ) -> Result<(), Failure> {
        let Some(asked) = self.slots.get(slot) else {
            return Ok(());
        };
        let state = match asked.lookup {
            None => {
                self.answered = Some(self.reader(&self.variables).operation(&answer)?);
                SlotState::Over
            }
            Some((_, lookup)) => {
                let variables = self.variables_of(asked.item.as_ref());
                let found = self.reader(&variables).lookup(lookup, answer)?;
                let again = lookup.again();
                if again.is_some_and(|again| again.holds(&Scope::new(&found, &variables))) {
                    self.slots[slot].unsettled = Some(found);
                    return Err(still_computing(self.card));
                }
                if let Some(key) = asked.cache_key.clone() {
                    cache.put(key, found.clone());
                }
                SlotState::Found(found)
            }
        };
        self.slots[slot].state = state;
        Ok(())
    }

    /// Takes the failure of a request that is not sent again.
    pub(crate) fn give_up(&mut self, slot: usize, mut failure: Failure) {
        let Some(asked) = self.slots.get(slot) else {
            return;
        };
        if let Some((name, lookup)) = asked.lookup {
            let variables = self.variables_of(asked.item.as_ref());
            failure = self.reader(&variables).missing(lookup, failure);
            if let Some(found) = self.found_without(slot, name, lookup, &failure) {
                self.slots[slot].state = SlotState::Found(found);
                return;
            }
        }
        self.slots[slot].state = SlotState::Over;
        // The failure of the first slot wins, so that the same input gives the same error.
        if self.failed.as_ref().is_none_or(|(first, _)| slot < *first) {
            self.failed = Some((slot, failure));
        }
    }

    /// Whether it checks if an operation with a lost answer was applied.
    pub(crate) fn is_verifying(&self) -> bool {
        matches!(self.phase, Phase::Verifying(_))
    }

    /// Forbids concluding from a read that the operation was applied.
    pub(crate) fn forgo_proof(&mut self) {
        self.unprovable = true;
    }

    /// Returns what the operation sets, if the card says how to verify it.
    pub(crate) fn claim(&self) -> Option<Claim> {
        let verify = self.script.verify()?;
        let target = self.variables.get(&verify.from)?;
        let id = target.get("id").or_else(|| target.get("node_id"));
        let of_target = |path: &&Path| path.root == Root::Variable(verify.from.clone());
        let paths = verify.when.paths().into_iter().filter(of_target);
        let fields = paths.filter_map(|path| match path.segments.first() {
            Some(Segment::Key(key)) => Some(key.clone()),
            _ => None,
        });
        Some(Claim {
            target: id.and_then(Value::as_str).map(str::to_owned),
            fields: fields.collect(),
        })
    }

    /// Takes a made-up answer, for a dry run.
    pub(crate) fn assume(&mut self, slot: usize) {
        let Some(asked) = self.slots.get(slot) else {
            return;
        };
        self.assumed = true;
        let state = match asked.lookup {
            Some((name, lookup)) => SlotState::Found(stand_in(self.script, name, lookup)),
            None => {
                self.answered = Some(Answered::assumed());
                SlotState::Over
            }
        };
        self.slots[slot].state = state;
    }

    /// Returns the ids of everything that the lookups found.
    pub(crate) fn subjects(&self) -> Vec<&str> {
        fn collect<'a>(value: &'a Value, ids: &mut Vec<&'a str>) {
            match value {
                Value::Array(items) => items.iter().for_each(|item| collect(item, ids)),
                Value::Object(fields) => {
                    for (name, value) in fields {
                        match value {
                            Value::String(id) if name == "id" || name == "node_id" => ids.push(id),
                            other => collect(other, ids),
                        }
                    }
                }
                _ => {}
            }
        }
        let mut ids = Vec::new();
        for slot in &self.slots {
            if let SlotState::Found(found) = &slot.state {
                collect(found, &mut ids);
            }
        }
        ids
    }

    /// Returns the value of a lookup that failed; `None` if the failure ends the attempt.
    fn found_without(
        &mut self,
        slot: usize,
        name: &'a str,
        lookup: Lookup<'a>,
        failure: &Failure,
    ) -> Option<Value> {
        // GitHub did not finish computing in time: the last answer counts.
        if let Some(unsettled) = self.slots[slot].unsettled.take() {
            return Some(unsettled);
        }
        if !lookup.is_optional() {
            return None;
        }
        match failure.error.code {
            // It certainly does not exist.
            ErrorCode::NotFound => Some(Value::Null),
            ErrorCode::Cancelled => None,
            // A rule needs it, and "could not be read" does not mean "does not exist".
            _ if self.script.refusal().is_some_and(|it| it.looks_at(name)) => {
                self.unread.push((name, failure.clone()));
                Some(Value::Null)
            }
            // GitHub hides it from the token, and no rule needs it.
            ErrorCode::Auth => Some(Value::Null),
            _ => None,
        }
    }

    fn is_waiting(&self) -> bool {
        let outstanding = |slot: &Slot<'_>| slot.state == SlotState::Outstanding;
        self.slots.iter().any(outstanding)
    }

    /// Returns the failure that ends the attempt; `None` if verification can find out more.
    fn after_failure(&mut self, failure: Failure) -> Option<Failure> {
        match std::mem::replace(&mut self.phase, Phase::Running) {
            // The operation is sent after the lookups, so it was not sent.
            Phase::LookingUp => Some(Failure {
                outcome: Outcome::NotApplied,
                ..failure
            }),
            Phase::Verifying(lost) => Some(*lost),
            Phase::Running => {
                let provable = self.script.verify().is_some() && !self.unprovable;
                if failure.outcome != Outcome::Unknown || !provable {
                    return Some(failure);
                }
                self.look_again();
                self.phase = Phase::Verifying(Box::new(failure));
                None
            }
        }
    }

    /// Decides by the repeated lookups whether an operation with a lost answer was applied.
    fn verdict(&mut self, mut lost: Failure) -> Result<Answered, Failure> {
        let verify = self.script.verify();
        if self.holds(verify.map(|it| &it.when)) {
            let from = verify.map_or("", |verify| verify.from.as_str());
            self.variables.insert("changed".to_owned(), true.into());
            let seen = self.reader(&self.variables).lookup_as_output(from);
            if let Ok(mut answered) = seen {
                answered.warnings.push(SEEN.to_owned());
                return Ok(answered);
            }
            lost.outcome = Outcome::Applied;
            return Err(lost);
        }
        // GitHub may still be processing it, so the outcome stays unknown.
        lost.was_not_seen = true;
        Err(lost.with_detail_of(Fact::Verified))
    }

    fn is_unchanged(&self) -> bool {
        self.holds(self.script.unchanged().map(|it| &it.when))
    }

    /// Whether the lookups decide if anything is sent.
    fn depends_on_lookups(&self) -> bool {
        let guarded = self.script.refusal().is_some() && !self.cleared && !self.assumed;
        guarded || self.is_unchanged()
    }

    fn holds(&self, condition: Option<&Expr>) -> bool {
        let scope = Scope::new(self.input(), &self.variables);
        !self.assumed && condition.is_some_and(|condition| condition.holds(&scope))
    }

    /// Requests the lookups whose own inputs are known.
    fn look_up(&mut self, cache: &LookupCache) -> Result<Vec<Want>, Failure> {
        let lookups = self.script.lookups();
        self.collect(&lookups);
        let mut wants = Vec::new();
        for (index, (name, lookup)) in lookups.iter().enumerate() {
            if self.asked[index].is_some() || !self.is_askable(*lookup, &lookups[..index]) {
                continue;
            }
            let start = self.slots.len();
            for item in self.items(*lookup) {
                wants.extend(self.ask(name, *lookup, item, cache)?);
            }
            self.asked[index] = Some(start..self.slots.len());
        }
        self.collect(&lookups);
        Ok(wants)
    }

    /// Whether the earlier lookups that a lookup uses have been answered.
    fn is_askable(&self, lookup: Lookup<'_>, before: &[(&str, Lookup<'_>)]) -> bool {
        let used = lookup.expressions();
        let needs = |name: &str| used.iter().any(|expr| expr.mentions(name));
        let found = |name: &str| self.variables.contains_key(name);
        before.iter().all(|(name, _)| !needs(name) || found(name))
    }

    /// Returns the elements of a fan-out; a single `None` for a lookup without one.
    fn items(&self, lookup: Lookup<'_>) -> Vec<Option<Value>> {
        let Some(each) = lookup.each() else {
            return vec![None];
        };
        match each.eval(&Scope::new(self.input(), &self.variables)) {
            Some(Value::Array(items)) => items.into_iter().map(Some).collect(),
            _ => Vec::new(),
        }
    }

    fn ask(
        &mut self,
        name: &'a str,
        lookup: Lookup<'a>,
        item: Option<Value>,
        cache: &LookupCache,
    ) -> Result<Option<Want>, Failure> {
        let slot = self.slots.len();
        let variables = self.variables_of(item.as_ref());
        let mut request = lookup
            .request(self.input(), &variables)
            .map_err(Failure::not_sent)?;
        if self.assumed {
            make_readable(&mut request);
        }
        let cache_key = lookup
            .cacheable()
            .then(|| cache_key(self.card.service.as_ref(), &request));
        let known = match &cache_key {
            Some(key) if !self.ignores_cache => cache.get(key),
            _ => None,
        };
        let want = Want {
            slot,
            request,
            purpose: Purpose::Lookup(name.to_owned()),
        };
        let wanted = known.is_none().then_some(want);
        self.slots.push(Slot {
            lookup: Some((name, lookup)),
            item,
            cache_key,
            unsettled: None,
            state: known.map_or(SlotState::Outstanding, SlotState::Found),
        });
        Ok(wanted)
    }

    /// Stores complete lookups under their names.
    fn collect(&mut self, lookups: &[(&str, Lookup<'_>)]) {
        for (index, (name, lookup)) in lookups.iter().enumerate() {
            let Some(slots) = self.asked[index].clone() else {
                continue;
            };
            let found: Option<Vec<&Value>> = self.slots[slots]
                .iter()
                .map(|slot| match &slot.state {
                    SlotState::Found(found) => Some(found),
                    _ => None,
                })
                .collect();
            let value = match found {
                None => continue,
                Some(found) if lookup.each().is_some() => found.into_iter().cloned().collect(),
                Some(found) => found.first().map_or(Value::Null, |found| (*found).clone()),
            };
            self.variables.insert((*name).to_owned(), value);
        }
    }

    fn operate(&mut self) -> Result<Want, Failure> {
        self.seal()?;
        let mut request = self
            .script
            .request(self.input(), &self.variables)
            .map_err(Failure::not_sent)?;
        if self.assumed {
            make_readable(&mut request);
        }
        self.variables.insert("changed".to_owned(), true.into());
        let slot = self.slots.len();
        self.slots.push(Slot {
            lookup: None,
            item: None,
            cache_key: None,
            unsettled: None,
            state: SlotState::Outstanding,
        });
        Ok(Want {
            slot,
            request,
            purpose: Purpose::Run,
        })
    }

    /// Seals the secrets in the input. Without a secret, there is no sealed one.
    fn seal(&mut self) -> Result<(), Failure> {
        for (name, sealed) in self.script.sealed() {
            let secret = match self.input().get(&sealed.input) {
                None | Some(Value::Null) => continue,
                Some(secret) => secret,
            };
            let text = if self.assumed {
                format!("<{} (sealed)>", sealed.input)
            } else {
                let key = sealed.key.eval(&Scope::new(self.input(), &self.variables));
                let key = key.as_ref().and_then(Value::as_str).unwrap_or_default();
                let secret = secret.as_str().ok_or_else(|| {
                    let message =
                        format!("`{}` is not a text, so it cannot be sealed", sealed.input);
                    ResultError::new(ErrorCode::Validation, message)
                })?;
                seal(secret, key).map_err(Failure::not_sent)?
            };
            self.variables.insert(name.to_owned(), text.into());
        }
        Ok(())
    }

    fn reader<'b>(&'b self, variables: &'b Map<String, Value>) -> Reader<'b> {
        Reader {
            card: self.card,
            schemas: self.schemas,
            script: self.script,
            variables,
            page: self.page,
        }
    }

    fn input(&self) -> &Value {
        self.variables.get("input").unwrap_or(&Value::Null)
    }

    /// Returns the variables of a lookup, with the element of a fan-out as `$item`.
    fn variables_of(&self, item: Option<&Value>) -> Cow<'_, Map<String, Value>> {
        match item {
            None => Cow::Borrowed(&self.variables),
            Some(item) => {
                let mut variables = self.variables.clone();
                variables.insert("item".to_owned(), item.clone());
                Cow::Owned(variables)
            }
        }
    }
}

/// The failure of a lookup that was answered before its answer was computed.
fn still_computing(card: &Card) -> Failure {
    let provider = card.provider();
    let message = format!("{provider} is still computing the answer: try again in a moment");
    Failure::not_sent(ResultError::new(ErrorCode::Server, message))
}
