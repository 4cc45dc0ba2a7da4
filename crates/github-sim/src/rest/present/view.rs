//! The base of the presenters: a repository, its world and the address of the API.

use serde_json::Value;
use time::OffsetDateTime;

use super::account::user;
use crate::world::{NodeId, NodeKind, RepoId, Repository, World, rest_time};

/// The root of the URLs in payloads. It does not depend on the address of the simulator.
pub(crate) const API: &str = "https://api.github.com";

/// A repository and its world. Its methods present the contents of the repository.
#[derive(Debug, Clone, Copy)]
pub(crate) struct View<'w> {
    pub(crate) world: &'w World,
    pub(crate) id: RepoId,
    pub(crate) repo: &'w Repository,
}

impl<'w> View<'w> {
    pub(crate) fn new(world: &'w World, id: RepoId) -> Option<Self> {
        Some(Self {
            world,
            id,
            repo: world.repo(id)?,
        })
    }

    /// Returns the repository's address in the API.
    pub(crate) fn api(&self) -> String {
        format!("{API}/repos/{}", self.repo.full_name())
    }

    pub(crate) fn node_id(&self, kind: NodeKind, id: u64) -> String {
        NodeId::new(kind, self.repo.id, id).encode()
    }

    pub(crate) fn association(&self, login: &str) -> &'static str {
        self.world.association(login, self.id).name()
    }

    pub(crate) fn users(&self, logins: &[String]) -> Vec<Value> {
        logins.iter().map(|login| user(self.world, login)).collect()
    }

    /// Returns the repository's address on the web.
    pub(crate) fn web(&self) -> String {
        self.repo.url()
    }
}

/// Formats a time; null if there is none.
pub(super) fn optional_time(at: Option<OffsetDateTime>) -> Value {
    at.map(rest_time).into()
}
