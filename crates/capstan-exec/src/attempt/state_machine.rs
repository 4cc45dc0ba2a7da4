//! One try of a card on one route, as a conversation: it says what it wants to know, is told the
//! answers, and in the end says how it went. It sends nothing itself and never waits, so the same
//! code runs alone, among the steps of a chain, and in a dry run.

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
use super::stand_in::stand_in;
use super::{Lookup, Script};
use crate::pagination::Page;
use crate::schemas::CardSchemas;

pub(crate) struct Attempt<'a> {
    card: &'a Card,
    schemas: &'a CardSchemas,
    script: Script<'a>,
    page: Page,
    /// The input, the page, and what lookups found.
    variables: Map<String, Value>,
    phase: Phase,
    /// By lookup, in the card's order: the slots of its answers, once it was asked.
    asked: Vec<Option<Range<usize>>>,
    slots: Vec<Slot<'a>>,
    answered: Option<Answered>,
    failed: Option<(usize, Failure)>,
    /// Optional lookups that a refusal looks at and that could not be read, in the card's order.
    unread: Vec<(&'a str, Failure)>,
    /// Answers were made up: nothing may be concluded from what they say.
    assumed: bool,
    /// Others may have done the same: what a read shows proves nothing.
    unprovable: bool,
    /// What the lookups show was looked at when its turn came, and allows the operation.
    cleared: bool,
}

#[derive(Debug)]
enum Phase {
    LookingUp,
    Running,
    /// The operation's answer was lost; the lookups are repeated to see whether it happened.
    Verifying(Box<Failure>),
}

/// Something that was asked for.
struct Slot<'a> {
    /// Which lookup; nothing for the operation itself.
    lookup: Option<(&'a str, Lookup<'a>)>,
    /// The element that a fan-out asked about.
    item: Option<Value>,
    cache_key: Option<String>,
    /// What was found while GitHub was still computing it.
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

/// A request that the attempt wants an answer to.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Want {
    /// To be given back with the answer.
    pub slot: usize,
    pub request: RouteRequest,
    pub purpose: Purpose,
}

/// What a want is for.
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

/// The fields of a thing that an operation sets.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Claim {
    /// Its id, where it is known.
    target: Option<String>,
    fields: Vec<String>,
}

impl Claim {
    /// Whether one may be taken for the other's doing.
    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        let apart = self.target.is_some() && other.target.is_some() && self.target != other.target;
        !apart && self.fields.iter().any(|field| other.fields.contains(field))
    }
}

/// What an attempt does next.
#[derive(Debug)]
pub(crate) enum Next {
    /// It wants these, and waits for what it asked for before.
    Ask(Vec<Want>),
    /// What its lookups show decides whether anything is sent: `settle` when its turn comes, or
    /// `look_again`.
    Settled,
    Done(Result<Answered, Failure>),
}

/// What an answer says when the lookups show that a write happened whose answer was lost.
const SEEN: &str = "the answer was lost; a read afterwards shows that it happened";

impl<'a> Attempt<'a> {
    pub(crate) fn new(
        card: &'a Card,
        schemas: &'a CardSchemas,
        script: Script<'a>,
        input: Value,
        fields: &[String],
    ) -> Self {
        let page = Page::of(&input);
        let mut variables = Map::new();
        variables.insert("input".to_owned(), input);
        variables.insert("page".to_owned(), page.variable());
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
        }
    }

    /// What to do now. Asks each thing once.
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
                // Everything that could be asked was known already; more may be askable now.
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

    /// The result of an attempt with nothing to do, or with something that must not be done; nothing
    /// when the operation may be sent.
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

    /// Forgets what the lookups found: it may have changed since.
    pub(crate) fn look_again(&mut self) {
        self.asked.fill(None);
        self.slots.clear();
        self.unread.clear();
        self.cleared = false;
        for (name, _) in self.script.lookups() {
            self.variables.shift_remove(name);
        }
    }

    /// Takes the answer to something that was asked for. When it cannot be used, nothing changes.
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
                    return Err(still_computing());
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

    /// There will be no answer.
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
        // Of several the first is told, whichever came first: the same input, the same error.
        if self.failed.as_ref().is_none_or(|(first, _)| slot < *first) {
            self.failed = Some((slot, failure));
        }
    }

    /// Whether its operation was sent, and somebody is looking whether it happened.
    pub(crate) fn is_verifying(&self) -> bool {
        matches!(self.phase, Phase::Verifying(_))
    }

    /// Should the operation's answer be lost, nothing is to be concluded from a read.
    pub(crate) fn forgo_proof(&mut self) {
        self.unprovable = true;
    }

    /// What the operation sets, as far as the card says how to see it.
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

    /// Goes on as if an answer had come, for a dry run.
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

    /// The ids of everything that the lookups found.
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

    /// What a lookup counts as having found although its last answer was a failure; nothing when the
    /// failure ends the attempt.
    fn found_without(
        &mut self,
        slot: usize,
        name: &'a str,
        lookup: Lookup<'a>,
        failure: &Failure,
    ) -> Option<Value> {
        // What GitHub did not finish computing in time is judged as it is.
        if let Some(unsettled) = self.slots[slot].unsettled.take() {
            return Some(unsettled);
        }
        if !lookup.is_optional() {
            return None;
        }
        match failure.error.code {
            // It is certain that there is nothing.
            ErrorCode::NotFound => Some(Value::Null),
            ErrorCode::Cancelled => None,
            // Not seen is not the same as not there: what a rule looks at must have been read.
            _ if self.script.refusal().is_some_and(|it| it.looks_at(name)) => {
                self.unread.push((name, failure.clone()));
                Some(Value::Null)
            }
            // Nothing is decided by it, and GitHub hides it from the token.
            ErrorCode::Auth => Some(Value::Null),
            _ => None,
        }
    }

    fn is_waiting(&self) -> bool {
        let outstanding = |slot: &Slot<'_>| slot.state == SlotState::Outstanding;
        self.slots.iter().any(outstanding)
    }

    /// The failure that ends the attempt; nothing when there is still a way to learn more.
    fn after_failure(&mut self, failure: Failure) -> Option<Failure> {
        match std::mem::replace(&mut self.phase, Phase::Running) {
            // A failed lookup proves that the operation itself was not sent.
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

    /// What the repeated lookups say about an operation whose answer was lost.
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
        // Not seen is not the same as not done: GitHub may still be at it.
        lost.was_not_seen = true;
        Err(lost.telling(Fact::Verified))
    }

    fn is_unchanged(&self) -> bool {
        self.holds(self.script.unchanged().map(|it| &it.when))
    }

    /// Whether what the lookups show decides if anything is sent at all.
    fn depends_on_lookups(&self) -> bool {
        let guarded = self.script.refusal().is_some() && !self.cleared && !self.assumed;
        guarded || self.is_unchanged()
    }

    fn holds(&self, condition: Option<&Expr>) -> bool {
        let scope = Scope::new(self.input(), &self.variables);
        !self.assumed && condition.is_some_and(|condition| condition.holds(&scope))
    }

    /// Asks what can be asked now: lookups whose own blanks are known.
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

    /// Whether everything that a lookup uses of those before it was found.
    fn is_askable(&self, lookup: Lookup<'_>, before: &[(&str, Lookup<'_>)]) -> bool {
        let used = lookup.expressions();
        let needs = |name: &str| used.iter().any(|expr| expr.mentions(name));
        let found = |name: &str| self.variables.contains_key(name);
        before.iter().all(|(name, _)| !needs(name) || found(name))
    }

    /// The elements that a lookup is asked for; one without an element when it does not fan out.
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
        let request = lookup
            .request(self.input(), &variables)
            .map_err(Failure::not_sent)?;
        let cache_key = lookup.cacheable().then(|| cache_key(&request));
        let known = cache_key.as_deref().and_then(|key| cache.get(key));
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

    /// Gives the lookups that are complete their names.
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
        let request = self
            .script
            .request(self.input(), &self.variables)
            .map_err(Failure::not_sent)?;
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

    /// What a lookup sees; a fan-out also sees its element.
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

/// GitHub answers before it knows, and knows a moment later.
fn still_computing() -> Failure {
    let message = "GitHub is still computing what was asked for";
    Failure::not_sent(ResultError::new(ErrorCode::Server, message))
}
