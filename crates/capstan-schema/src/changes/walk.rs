//! Two schemas compared part by part.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::change::{Change, ChangeKind, Role};
use super::shell::{other_remark, shell};
use crate::assign::assignable_within;
use crate::budget::Budget;
use crate::describe::{brief, describe};
use crate::lookup::Lookup;
use crate::mismatch::{Step, after};
use crate::reference::has_references;
use crate::same::same;
use crate::schema::{Property, Schema};

/// What comparing two schemas may cost.
const WORK: u32 = 120_000;

/// How many parts deep they are compared; what lies below is compared as a whole.
const DEPTH: usize = 24;

/// What changed from one version of a schema to the next, as far as somebody is concerned who gives
/// values (`Role::Input`) or takes them (`Role::Output`); in the order of the old version.
pub fn changes(old: Schema<'_>, new: Schema<'_>, role: Role) -> Vec<Change> {
    Walk::new(role).run(old, new)
}

struct Walk {
    role: Role,
    budget: Budget,
    /// Whether references mean the same in both.
    same_documents: bool,
    found: Vec<Change>,
}

impl Walk {
    pub(super) fn new(role: Role) -> Self {
        Self {
            role,
            budget: Budget::of(WORK),
            same_documents: false,
            found: Vec::new(),
        }
    }

    pub(super) fn run(mut self, old: Schema<'_>, new: Schema<'_>) -> Vec<Change> {
        self.same_documents = same(old.root, new.root, &Budget::new()) == Some(true);
        self.compare("", old, new, DEPTH);
        // What was found when there was nothing left to look further is not to be relied on.
        if self.budget.is_spent() {
            self.found.clear();
            let message = "is too large to be compared".to_owned();
            self.report("", ChangeKind::Changed, message);
        }
        self.found
    }

    fn compare(&mut self, path: &str, old: Schema<'_>, new: Schema<'_>, depth: usize) {
        if same(old.node, new.node, &self.budget) == Some(true)
            && (self.same_documents || !has_references(old.node, &self.budget))
        {
            return;
        }
        if !self.budget.spend(4) {
            return;
        }
        let before = self.found.len();
        if depth > 0 {
            self.compare_properties(path, old, new, depth);
            self.compare_elements(path, old, new, depth);
        }
        if self.found.len() == before {
            self.compare_whole(path, old, new);
        } else if let (Some(old), Some(new)) = (self.shell_of(old), self.shell_of(new)) {
            self.compare_shells(path, (old.0, &old.1), (new.0, &new.1));
        }
    }

    fn look(&self) -> Lookup<'_> {
        Lookup::new(&self.budget)
    }

    fn compare_properties(&mut self, path: &str, old: Schema<'_>, new: Schema<'_>, depth: usize) {
        let (before, now) = (self.look().properties(old), self.look().properties(new));
        if before.is_empty() && now.is_empty() {
            return;
        }
        let known: HashSet<_> = before.iter().map(|(name, _)| *name).collect();
        let later: HashMap<_, _> = now.iter().map(|(name, is)| (*name, is)).collect();
        for (name, was) in &before {
            let path = after(path, Step::Property(name));
            match later.get(name) {
                Some(is) => self.compare_property(&path, was, is, depth),
                None => self.removed(&path, was, new),
            }
        }
        for (name, is) in &now {
            if known.contains(name) {
                continue;
            }
            let kind = match is.required {
                true => ChangeKind::AddedRequired,
                false => ChangeKind::AddedOptional,
            };
            let what = describe(is.schema());
            let path = after(path, Step::Property(name));
            self.report(
                &path,
                kind,
                match is.required {
                    true => format!("is new and required ({what})"),
                    false => format!("is new ({what})"),
                },
            );
        }
        match (self.look().is_closed(old), self.look().is_closed(new)) {
            (false, true) => {
                let message = "no longer has other properties".to_owned();
                self.report(path, ChangeKind::Narrowed, message);
            }
            // A consumer meets an unknown property, as if one had been added that is optional.
            (true, false) => self.found.push(Change {
                path: path.to_owned(),
                impact: super::Impact::Compatible,
                kind: ChangeKind::Widened,
                message: "may have other properties".to_owned(),
            }),
            _ => {}
        }
    }

    fn removed(&mut self, path: &str, was: &Property<'_>, new: Schema<'_>) {
        let what = describe(was.schema());
        let message = match self.role {
            Role::Input if self.look().is_closed(new) => {
                format!("is no longer allowed (was {what})")
            }
            Role::Input => format!("is no longer known (was {what})"),
            Role::Output => format!("is no longer given (was {what})"),
        };
        self.report(path, ChangeKind::Removed, message);
    }

    fn compare_property(
        &mut self,
        path: &str,
        was: &Property<'_>,
        is: &Property<'_>,
        depth: usize,
    ) {
        match (was.required, is.required) {
            (false, true) => {
                let message = "was optional, is required".to_owned();
                self.report(path, ChangeKind::BecameRequired, message);
            }
            (true, false) => {
                let message = "was required, is optional".to_owned();
                self.report(path, ChangeKind::BecameOptional, message);
            }
            _ => {}
        }
        self.compare(path, was.schema(), is.schema(), depth - 1);
    }

    fn compare_elements(&mut self, path: &str, old: Schema<'_>, new: Schema<'_>, depth: usize) {
        if let (Some(was), Some(is)) = (self.look().items(old), self.look().items(new)) {
            let path = after(path, Step::Element);
            self.compare(&path, was.schema(), is.schema(), depth - 1);
        }
    }

    /// Compares which values pass, and the remarks if the same do.
    fn compare_whole(&mut self, path: &str, old: Schema<'_>, new: Schema<'_>) {
        let widens = assignable_within(old, new, &self.budget);
        let narrows = assignable_within(new, old, &self.budget);
        let kind = match (&widens, &narrows) {
            (Ok(()), Ok(())) => return self.compare_remarks(path, old.node, new.node),
            (Ok(()), Err(_)) => ChangeKind::Widened,
            (Err(_), Ok(())) => ChangeKind::Narrowed,
            (Err(_), Err(_)) => ChangeKind::Changed,
        };
        let (was, is) = (describe(old), describe(new));
        let message = match widens.err().or(narrows.err()) {
            // Words for both are the same: what differs is in the reason.
            Some(mismatch) if was == is => format!("differs: {mismatch}"),
            _ => format!("was {was}, is {is}"),
        };
        self.report(path, kind, message);
    }

    fn compare_shells(&mut self, path: &str, old: (Schema<'_>, &Value), new: (Schema<'_>, &Value)) {
        if same(old.1, new.1, &self.budget) == Some(true) {
            return self.compare_remarks(path, old.0.node, new.0.node);
        }
        let old = Schema {
            node: old.1,
            ..old.0
        };
        let new = Schema {
            node: new.1,
            ..new.0
        };
        self.compare_whole(path, old, new);
    }

    fn shell_of<'a>(&self, schema: Schema<'a>) -> Option<(Schema<'a>, Value)> {
        let mut schema = schema;
        // A schema that only refers to another is that other.
        while let Some(keywords) = schema.keywords()
            && keywords.len() == 1
            && let Some(Value::String(reference)) = keywords.get("$ref")
            && self.budget.spend(1)
        {
            schema = schema.resolve(reference, &self.budget)?;
        }
        Some((schema, shell(schema.node)?))
    }

    fn compare_remarks(&mut self, path: &str, old: &Value, new: &Value) {
        if let Some((remark, old, new)) = other_remark(old, new) {
            let message = match (old, new) {
                (Some(old), Some(new)) if remark == "default" => {
                    format!("default was {}, is {}", brief(old), brief(new))
                }
                (Some(_), Some(_)) => format!("{remark} changed"),
                (None, _) => format!("{remark} was added"),
                (_, None) => format!("{remark} was removed"),
            };
            self.report(path, ChangeKind::Described, message);
        }
    }

    fn report(&mut self, path: &str, kind: ChangeKind, message: String) {
        self.found.push(Change {
            path: path.to_owned(),
            impact: kind.impact(self.role),
            kind,
            message,
        });
    }
}
