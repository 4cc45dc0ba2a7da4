//! Compares two schemas part by part.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::change::{Change, ChangeKind, Role};
use super::without_parts::{first_changed_annotation, without_parts};
use crate::assign::assignable_within;
use crate::budget::Budget;
use crate::describe::{describe, describe_value};
use crate::lookup::Lookup;
use crate::mismatch::{PathSegment, append_segment};
use crate::reference::has_references;
use crate::same::same;
use crate::schema::{Property, Schema};

/// The work for comparing two schemas.
const WORK: u32 = 120_000;

/// The depth up to which schemas are compared part by part; deeper parts are compared as a whole.
const DEPTH: usize = 24;

/// Returns the changes between two versions of a schema, in the order of the old version. `role` says whether
/// callers provide the values (`Role::Input`) or receive them (`Role::Output`).
pub fn changes(old: Schema<'_>, new: Schema<'_>, role: Role) -> Vec<Change> {
    Comparison::new(role).run(old, new)
}

struct Comparison {
    role: Role,
    budget: Budget,
    /// Whether references have the same meaning in both schemas.
    same_documents: bool,
    found: Vec<Change>,
}

impl Comparison {
    pub(super) fn new(role: Role) -> Self {
        Self {
            role,
            budget: Budget::with_work(WORK),
            same_documents: false,
            found: Vec::new(),
        }
    }

    pub(super) fn run(mut self, old: Schema<'_>, new: Schema<'_>) -> Vec<Change> {
        self.same_documents = same(old.root, new.root, &Budget::new()) == Some(true);
        self.compare("", old, new, DEPTH);
        // Results found after the budget was exhausted are unreliable.
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
        } else if let (Some(old), Some(new)) = (
            self.schema_without_parts(old),
            self.schema_without_parts(new),
        ) {
            self.compare_without_parts(path, (old.0, &old.1), (new.0, &new.1));
        }
    }

    fn lookup(&self) -> Lookup<'_> {
        Lookup::new(&self.budget)
    }

    fn compare_properties(&mut self, path: &str, old: Schema<'_>, new: Schema<'_>, depth: usize) {
        let (before, now) = (self.lookup().properties(old), self.lookup().properties(new));
        if before.is_empty() && now.is_empty() {
            return;
        }
        let known: HashSet<_> = before.iter().map(|(name, _)| *name).collect();
        let later: HashMap<_, _> = now.iter().map(|(name, is)| (*name, is)).collect();
        for (name, was) in &before {
            let path = append_segment(path, PathSegment::Property(name));
            match later.get(name) {
                Some(is) => self.compare_property(&path, was, is, depth),
                None => self.removed(&path, was, new),
            }
        }
        for (name, is) in &now {
            if known.contains(name) {
                continue;
            }
            let kind = if is.required {
                ChangeKind::AddedRequired
            } else {
                ChangeKind::AddedOptional
            };
            let what = describe(is.schema());
            let path = append_segment(path, PathSegment::Property(name));
            self.report(
                &path,
                kind,
                if is.required {
                    format!("is new and required ({what})")
                } else {
                    format!("is new ({what})")
                },
            );
        }
        match (self.lookup().is_closed(old), self.lookup().is_closed(new)) {
            (false, true) => {
                let message = "no longer has other properties".to_owned();
                self.report(path, ChangeKind::Narrowed, message);
            }
            // For a consumer this is like an added optional property.
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
            Role::Input if self.lookup().is_closed(new) => {
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
        if let (Some(was), Some(is)) = (self.lookup().items(old), self.lookup().items(new)) {
            let path = append_segment(path, PathSegment::Element);
            self.compare(&path, was.schema(), is.schema(), depth - 1);
        }
    }

    /// Compares which values match, and if these are the same, the annotations.
    fn compare_whole(&mut self, path: &str, old: Schema<'_>, new: Schema<'_>) {
        let widens = assignable_within(old, new, &self.budget);
        let narrows = assignable_within(new, old, &self.budget);
        let kind = match (&widens, &narrows) {
            (Ok(()), Ok(())) => return self.compare_annotations(path, old.node, new.node),
            (Ok(()), Err(_)) => ChangeKind::Widened,
            (Err(_), Ok(())) => ChangeKind::Narrowed,
            (Err(_), Err(_)) => ChangeKind::Changed,
        };
        let (was, is) = (describe(old), describe(new));
        let message = match widens.err().or(narrows.err()) {
            // Both have the same description, so the reason shows the difference.
            Some(mismatch) if was == is => format!("differs: {mismatch}"),
            _ => format!("was {was}, is {is}"),
        };
        self.report(path, kind, message);
    }

    fn compare_without_parts(
        &mut self,
        path: &str,
        old: (Schema<'_>, &Value),
        new: (Schema<'_>, &Value),
    ) {
        if same(old.1, new.1, &self.budget) == Some(true) {
            return self.compare_annotations(path, old.0.node, new.0.node);
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

    fn schema_without_parts<'a>(&self, schema: Schema<'a>) -> Option<(Schema<'a>, Value)> {
        let mut schema = schema;
        // A schema that only refers to another is that other schema.
        while let Some(keywords) = schema.keywords()
            && keywords.len() == 1
            && let Some(Value::String(reference)) = keywords.get("$ref")
            && self.budget.spend(1)
        {
            schema = schema.resolve(reference, &self.budget)?;
        }
        Some((schema, without_parts(schema.node)?))
    }

    fn compare_annotations(&mut self, path: &str, old: &Value, new: &Value) {
        if let Some((remark, old, new)) = first_changed_annotation(old, new) {
            let message = match (old, new) {
                (Some(old), Some(new)) if remark == "default" => {
                    format!(
                        "default was {}, is {}",
                        describe_value(old),
                        describe_value(new)
                    )
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
