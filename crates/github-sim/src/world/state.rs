//! The world: accounts, repositories, tokens, lookups and permission checks.

use super::account::{Organization, Owner, Permission, Token, User, Viewer};
use super::clock::Clock;
use super::issue::{AuthorAssociation, Issue, IssueRef, IssueType};
use super::memory::{Memory, ReleaseAsset};
use super::refusal::Refusal;
use super::repository::{RepoId, Repository, Visibility};
use indexmap::IndexMap;
use time::OffsetDateTime;

/// The complete state of the simulated GitHub.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct World {
    pub clock: Clock,
    /// Login of the viewer for tokens that are not registered.
    pub default_viewer: String,
    /// Registered tokens, with their own viewer and scopes.
    pub tokens: IndexMap<String, Token>,
    /// Whether tokens that are not registered are refused.
    pub only_registered_tokens: bool,
    pub users: IndexMap<String, User>,
    pub organizations: IndexMap<String, Organization>,
    pub repositories: Vec<Repository>,
    /// If set, REST's search returns at most this many results and reports that they are incomplete.
    pub search_gives_up_after: Option<usize>,
    /// The values of the `rateLimit` field. The server updates them before each GraphQL request.
    pub rate_limit: RateLimit,
    /// What clients did that nothing else in the world models.
    pub memory: Memory,
    pub(super) next_id: u64,
    revision: u64,
}

/// The state of the viewer's GraphQL rate limit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RateLimit {
    pub limit: u64,
    pub used: u64,
    pub resets_at: OffsetDateTime,
}

impl World {
    /// Creates a world with one user, `octocat`, who is also the default viewer.
    pub fn empty() -> Self {
        let clock = Clock::default();
        let mut world = Self {
            rate_limit: RateLimit {
                limit: 5000,
                used: 0,
                resets_at: clock.now() + time::Duration::HOUR,
            },
            clock,
            default_viewer: "octocat".to_owned(),
            tokens: IndexMap::new(),
            only_registered_tokens: false,
            search_gives_up_after: None,
            users: IndexMap::new(),
            organizations: IndexMap::new(),
            repositories: Vec::new(),
            memory: Memory::default(),
            next_id: 1000,
            revision: 0,
        };
        world.add_user("octocat", Some("The Octocat"));
        world
    }

    /// Returns the number of changes so far. Equal numbers mean that nothing changed in between.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Returns the viewer that a token authenticates; `None` for bad credentials.
    pub fn authenticate(&self, token: &str) -> Option<Viewer> {
        if let Some(token) = self.tokens.get(token) {
            return Some(Viewer {
                login: token.login.clone(),
                scopes: token.scopes.clone(),
            });
        }
        (!token.is_empty() && !self.only_registered_tokens)
            .then(|| Viewer::full(&self.default_viewer))
    }

    /// Finds a user by login, ignoring case. Deleted accounts are not found.
    pub fn user(&self, login: &str) -> Option<&User> {
        self.users
            .get(login)
            .or_else(|| {
                self.users
                    .values()
                    .find(|user| user.login.eq_ignore_ascii_case(login))
            })
            .filter(|user| !user.deleted)
    }

    pub fn organization(&self, login: &str) -> Option<&Organization> {
        self.organizations
            .values()
            .find(|org| org.login.eq_ignore_ascii_case(login))
    }

    pub fn owner(&self, login: &str) -> Option<Owner<'_>> {
        self.organization(login)
            .map(Owner::Organization)
            .or_else(|| self.user(login).map(Owner::User))
    }

    pub fn repo(&self, id: RepoId) -> Option<&Repository> {
        self.repositories.get(id.0)
    }

    pub fn repo_mut(&mut self, id: RepoId) -> Option<&mut Repository> {
        self.repositories.get_mut(id.0)
    }

    /// Finds a repository by its current name, ignoring case and visibility.
    pub fn find_repo(&self, owner: &str, name: &str) -> Option<RepoId> {
        self.repositories
            .iter()
            .position(|repo| {
                repo.owner.eq_ignore_ascii_case(owner) && repo.name.eq_ignore_ascii_case(name)
            })
            .map(RepoId)
    }

    /// Finds a repository by one of its former names.
    pub fn find_renamed_repo(&self, owner: &str, name: &str) -> Option<RepoId> {
        let full = format!("{owner}/{name}");
        self.repositories
            .iter()
            .position(|repo| {
                repo.former_names
                    .iter()
                    .any(|former| former.eq_ignore_ascii_case(&full))
            })
            .map(RepoId)
    }

    /// Finds a repository by its current or a former name, if the viewer may see it.
    pub fn visible_repo(
        &self,
        viewer: &Viewer,
        owner: &str,
        name: &str,
    ) -> Result<RepoId, Refusal> {
        self.find_repo(owner, name)
            .or_else(|| self.find_renamed_repo(owner, name))
            .filter(|id| self.can_see(viewer, *id))
            .ok_or_else(|| {
                Refusal::NotFound(format!(
                    "Could not resolve to a Repository with the name '{owner}/{name}'."
                ))
            })
    }

    /// Returns whether the viewer may know that the repository exists.
    pub fn can_see(&self, viewer: &Viewer, id: RepoId) -> bool {
        let Some(repo) = self.repo(id) else {
            return false;
        };
        repo.visibility == Visibility::Public
            || (viewer.has_scope("repo") && self.permission(&viewer.login, id) >= Permission::Read)
    }

    /// Returns the permission of a user in the repository, independent of a token's scopes.
    pub fn permission(&self, login: &str, id: RepoId) -> Permission {
        let Some(repo) = self.repo(id) else {
            return Permission::None;
        };
        if self.user(login).is_none() {
            return Permission::None;
        }
        if repo.owner == login {
            return Permission::Admin;
        }
        let member = self
            .organization(&repo.owner)
            .is_some_and(|org| org.members.iter().any(|member| member == login));
        let base = if repo.visibility == Visibility::Public || member {
            Permission::Read
        } else {
            Permission::None
        };
        repo.collaborators
            .get(login)
            .copied()
            .map_or(base, |granted| granted.max(base))
    }

    /// Checks that the viewer has permission `needed` for `action`, a mutation's name in Pascal case.
    pub fn authorize(
        &self,
        viewer: &Viewer,
        id: RepoId,
        needed: Permission,
        action: &str,
    ) -> Result<(), Refusal> {
        if !self.can_see(viewer, id) {
            return Err(Refusal::NotFound(
                "Could not resolve to a Repository".to_owned(),
            ));
        }
        let Some(repo) = self.repo(id) else {
            return Err(Refusal::NotFound(
                "Could not resolve to a Repository".to_owned(),
            ));
        };
        let public = !repo.is_private() && viewer.has_scope("public_repo");
        if !viewer.has_scope("repo") && !public {
            return Err(Refusal::InsufficientScopes {
                field: lowercase_first(action),
                required: "public_repo".to_owned(),
                granted: viewer.quoted_scopes(),
            });
        }
        if repo.archived {
            return Err(Refusal::Forbidden(
                "Repository was archived so is read-only.".to_owned(),
            ));
        }
        if self.permission(&viewer.login, id) < needed {
            return Err(Refusal::forbidden(&viewer.login, action));
        }
        Ok(())
    }

    /// Like [`World::authorize`], but the author of the issue needs only read permission.
    pub fn authorize_author_or(
        &self,
        viewer: &Viewer,
        at: IssueRef,
        needed: Permission,
        action: &str,
    ) -> Result<(), Refusal> {
        let author = self
            .issue_at(at)
            .is_some_and(|issue| issue.author == viewer.login);
        let needed = if author { Permission::Read } else { needed };
        self.authorize(viewer, at.repo, needed, action)
    }

    /// Returns an issue or pull request.
    pub fn issue_at(&self, at: IssueRef) -> Option<&Issue> {
        self.repo(at.repo)?.issues.get(&at.number)
    }

    pub fn issue_at_mut(&mut self, at: IssueRef) -> Option<&mut Issue> {
        self.repo_mut(at.repo)?.issues.get_mut(&at.number)
    }

    pub fn issue_type(&self, repo: &Repository, id: u64) -> Option<&IssueType> {
        self.organization(&repo.owner)?
            .issue_types
            .iter()
            .find(|issue_type| issue_type.id == id)
    }

    /// Returns the relation of an author to the repository.
    pub fn association(&self, login: &str, id: RepoId) -> AuthorAssociation {
        let Some(repo) = self.repo(id) else {
            return AuthorAssociation::None;
        };
        if self.user(login).is_none() {
            return AuthorAssociation::None;
        }
        let member = self
            .organization(&repo.owner)
            .is_some_and(|org| org.members.iter().any(|member| member == login));
        if repo.owner == login {
            AuthorAssociation::Owner
        } else if member {
            AuthorAssociation::Member
        } else if repo.collaborators.contains_key(login) {
            AuthorAssociation::Collaborator
        } else if repo.commits.values().any(|commit| commit.author == login) {
            AuthorAssociation::Contributor
        } else {
            AuthorAssociation::None
        }
    }

    /// Returns the users who can be assigned in the repository, sorted by login.
    pub fn assignable(&self, id: RepoId) -> Vec<&User> {
        let Some(repo) = self.repo(id) else {
            return Vec::new();
        };
        let members = self
            .organization(&repo.owner)
            .map(|org| org.members.as_slice())
            .unwrap_or_default();
        let mut users: Vec<&User> = self
            .users
            .values()
            .filter(|user| !user.deleted)
            .filter(|user| {
                repo.owner == user.login
                    || repo.collaborators.contains_key(&user.login)
                    || members.contains(&user.login)
            })
            .collect();
        users.sort_by_key(|user| user.login.to_ascii_lowercase());
        users
    }

    /// Returns a new database id.
    pub(super) fn fresh_id(&mut self) -> u64 {
        self.next_id += 1;
        self.next_id
    }

    /// Records a write that GitHub would carry out, also if it changes nothing that the world models.
    pub(crate) fn record_documented_write(&mut self) {
        self.record_change();
    }

    /// Keeps an uploaded file of a release and returns its id.
    pub(crate) fn add_asset(&mut self, asset: ReleaseAsset) -> u64 {
        let id = self.fresh_id();
        let created_at = self.record_change();
        self.memory.assets.push(ReleaseAsset {
            id,
            created_at,
            ..asset
        });
        id
    }

    /// Records a change: advances the revision and the clock, and returns the new time.
    pub(super) fn record_change(&mut self) -> OffsetDateTime {
        self.revision += 1;
        self.clock.tick()
    }
}

fn lowercase_first(name: &str) -> String {
    let mut chars = name.chars();
    chars.next().map_or_else(String::new, |first| {
        first.to_lowercase().chain(chars).collect()
    })
}
