//! The `input` argument of a mutation.

use crate::graphql::field::{Field, texts};
use crate::graphql::value::ResolveError;
use crate::world::{IssueRef, Located, Refusal, RepoId, Viewer, World};
use serde_json::Value;

/// The `input` argument of a mutation, or an object in it.
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

    /// Returns the strings of a list; `None` if it is absent or null.
    pub(super) fn texts(&self, key: &str) -> Option<Vec<String>> {
        let value = self.0.get(key).filter(|value| !value.is_null())?;
        Some(texts(Some(value)))
    }

    /// Returns whether the key is present, even as null.
    pub(super) fn has(&self, key: &str) -> bool {
        self.0.get(key).is_some()
    }

    pub(super) fn objects(&self, key: &str) -> Vec<Self> {
        let items = self.0[key].as_array();
        items.into_iter().flatten().cloned().map(Self).collect()
    }

    /// Returns the issue or pull request with the node id under `key`.
    pub(super) fn issue(
        &self,
        world: &World,
        viewer: &Viewer,
        key: &str,
    ) -> Result<IssueRef, ResolveError> {
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
    ) -> Result<IssueRef, ResolveError> {
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
    ) -> Result<RepoId, ResolveError> {
        match world.node(viewer, self.str(key))? {
            Located::Repository(repo) => Ok(repo),
            _ => Err(Refusal::no_node(self.str(key)).into()),
        }
    }

    /// Returns the database ids of the labels with the node ids under `key`; `None` if the list is absent.
    pub(super) fn labels(
        &self,
        world: &World,
        viewer: &Viewer,
        key: &str,
    ) -> Result<Option<Vec<u64>>, ResolveError> {
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

    /// Returns the logins of the users with the node ids under `key`; `None` if the list is absent.
    pub(super) fn users(
        &self,
        world: &World,
        viewer: &Viewer,
        key: &str,
    ) -> Result<Option<Vec<String>>, ResolveError> {
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

    /// Returns the number of a milestone; `None` if the key is absent, `Some(None)` for null or an empty string.
    pub(super) fn milestone(
        &self,
        world: &World,
        viewer: &Viewer,
        key: &str,
    ) -> Result<Option<Option<u64>>, ResolveError> {
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

    /// Returns the database id of an issue type; `None` if the key is absent, `Some(None)` for null.
    pub(super) fn issue_type(
        &self,
        world: &World,
        viewer: &Viewer,
        key: &str,
    ) -> Result<Option<Option<u64>>, ResolveError> {
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

/// Returns the location as that of an issue or of a pull request, whichever it is.
pub(super) fn issue_or_pull_location(world: &World, at: IssueRef) -> Located {
    match world.issue_at(at) {
        Some(issue) if issue.is_pull() => Located::PullRequest(at),
        _ => Located::Issue(at),
    }
}
