//! The `input` argument of a mutation.

use crate::graphql::answer::Failure;
use crate::graphql::field::{Field, texts};
use crate::world::{IssueRef, Located, Refusal, RepoId, Viewer, World};
use serde_json::Value;

pub(super) struct Input(Value);

impl Input {
    pub(super) fn new(field: &Field<'_>) -> Self {
        Self(field.argument("input").cloned().unwrap_or_default())
    }

    pub(super) fn text(&self, key: &str) -> Option<String> {
        self.0[key].as_str().map(str::to_owned)
    }

    pub(super) fn str(&self, key: &str) -> &str {
        self.0[key].as_str().unwrap_or_default()
    }

    pub(super) fn flag(&self, key: &str) -> Option<bool> {
        self.0[key].as_bool()
    }

    pub(super) fn number(&self, key: &str) -> Option<u64> {
        self.0[key].as_u64()
    }

    /// `None` if absent or null.
    pub(super) fn texts(&self, key: &str) -> Option<Vec<String>> {
        let value = self.0.get(key).filter(|value| !value.is_null())?;
        Some(texts(Some(value)))
    }

    /// Whether the key was given, even as null.
    pub(super) fn has(&self, key: &str) -> bool {
        self.0.get(key).is_some()
    }

    pub(super) fn objects(&self, key: &str) -> Vec<Self> {
        let items = self.0[key].as_array();
        items.into_iter().flatten().cloned().map(Self).collect()
    }

    /// The issue or pull request that an id names.
    pub(super) fn issue(
        &self,
        world: &World,
        viewer: &Viewer,
        key: &str,
    ) -> Result<IssueRef, Failure> {
        match world.node(viewer, self.str(key))? {
            Located::Issue(at) | Located::PullRequest(at) => Ok(at),
            _ => Err(Refusal::no_node(self.str(key)).into()),
        }
    }

    pub(super) fn pull(
        &self,
        world: &World,
        viewer: &Viewer,
        key: &str,
    ) -> Result<IssueRef, Failure> {
        match world.node(viewer, self.str(key))? {
            Located::PullRequest(at) => Ok(at),
            _ => Err(Refusal::no_node(self.str(key)).into()),
        }
    }

    pub(super) fn repo(
        &self,
        world: &World,
        viewer: &Viewer,
        key: &str,
    ) -> Result<RepoId, Failure> {
        match world.node(viewer, self.str(key))? {
            Located::Repository(repo) => Ok(repo),
            _ => Err(Refusal::no_node(self.str(key)).into()),
        }
    }

    /// The database ids of the labels that a list of ids names; `None` if the list is absent.
    pub(super) fn labels(
        &self,
        world: &World,
        viewer: &Viewer,
        key: &str,
    ) -> Result<Option<Vec<u64>>, Failure> {
        let Some(ids) = self.texts(key) else {
            return Ok(None);
        };
        let mut found = Vec::new();
        for id in ids {
            match world.node(viewer, &id)? {
                Located::Label(_, label) => found.push(label),
                _ => return Err(Refusal::no_node(&id).into()),
            }
        }
        Ok(Some(found))
    }

    /// The logins of the users that a list of ids names; `None` if the list is absent.
    pub(super) fn users(
        &self,
        world: &World,
        viewer: &Viewer,
        key: &str,
    ) -> Result<Option<Vec<String>>, Failure> {
        let Some(ids) = self.texts(key) else {
            return Ok(None);
        };
        let mut found = Vec::new();
        for id in ids {
            match world.node(viewer, &id)? {
                Located::User(login) => found.push(login),
                _ => return Err(Refusal::no_node(&id).into()),
            }
        }
        Ok(Some(found))
    }

    /// `None` if absent, `Some(None)` for null.
    pub(super) fn milestone(
        &self,
        world: &World,
        viewer: &Viewer,
        key: &str,
    ) -> Result<Option<Option<u64>>, Failure> {
        if !self.has(key) {
            return Ok(None);
        }
        let Some(id) = self.text(key).filter(|id| !id.is_empty()) else {
            return Ok(Some(None));
        };
        match world.node(viewer, &id)? {
            Located::Milestone(_, number) => Ok(Some(Some(number))),
            _ => Err(Refusal::no_node(&id).into()),
        }
    }

    /// `None` if absent, `Some(None)` for null.
    pub(super) fn issue_type(
        &self,
        world: &World,
        viewer: &Viewer,
        key: &str,
    ) -> Result<Option<Option<u64>>, Failure> {
        if !self.has(key) {
            return Ok(None);
        }
        let Some(id) = self.text(key) else {
            return Ok(Some(None));
        };
        match world.node(viewer, &id)? {
            Located::IssueType(_, kind) => Ok(Some(Some(kind))),
            _ => Err(Refusal::no_node(&id).into()),
        }
    }
}

/// An issue or pull request as a value, by what it is.
pub(super) fn issueish(world: &World, at: IssueRef) -> Located {
    match world.issue_at(at) {
        Some(issue) if issue.is_pull() => Located::PullRequest(at),
        _ => Located::Issue(at),
    }
}
