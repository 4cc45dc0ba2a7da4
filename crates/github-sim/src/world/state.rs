//! The world itself: accounts, repositories, tokens, and the questions every operation asks first.

use super::account::{Organization, Owner, Permission, Token, User, Viewer};
use super::clock::Clock;
use super::issue::{AuthorAssociation, Issue, IssueRef, IssueType};
use super::refusal::Refusal;
use super::repository::{RepoId, Repository, Visibility};
use indexmap::IndexMap;
use time::OffsetDateTime;

/// Everything there is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct World {
    pub clock: Clock,
    /// Who makes requests with a token that was not registered.
    pub default_viewer: String,
    /// Tokens with rules of their own.
    pub tokens: IndexMap<String, Token>,
    /// When set, tokens that were not registered are refused.
    pub only_registered_tokens: bool,
    pub users: IndexMap<String, User>,
    pub organizations: IndexMap<String, Organization>,
    pub repositories: Vec<Repository>,
    /// REST's search times out after so many results, and says that it is incomplete.
    pub search_gives_up_after: Option<usize>,
    /// What the `rateLimit` field tells; whoever serves the world keeps it up to date.
    pub rate_limit: RateLimit,
    pub(super) next_id: u64,
    revision: u64,
}

/// The state of the viewer's GraphQL budget.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RateLimit {
    pub limit: u64,
    pub used: u64,
    pub resets_at: OffsetDateTime,
}

impl World {
    /// A world with one user, `octocat`, who is also the default viewer.
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
            next_id: 1000,
            revision: 0,
        };
        world.add_user("octocat", Some("The Octocat"));
        world
    }

    /// Counts the changes made so far: equal numbers mean that nothing happened in between.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Who a token speaks for; `None` means bad credentials.
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

    /// The account of this login, unless it was deleted. Logins ignore case.
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

    /// Finds a repository by its present name, whoever asks.
    pub fn find_repo(&self, owner: &str, name: &str) -> Option<RepoId> {
        self.repositories
            .iter()
            .position(|repo| {
                repo.owner.eq_ignore_ascii_case(owner) && repo.name.eq_ignore_ascii_case(name)
            })
            .map(RepoId)
    }

    /// Finds a repository by a name it no longer has.
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

    /// Finds a repository by name if the viewer may know of it; follows renames.
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

    /// Whether the viewer, with this token, may know that the repository exists.
    pub fn can_see(&self, viewer: &Viewer, id: RepoId) -> bool {
        let Some(repo) = self.repo(id) else {
            return false;
        };
        repo.visibility == Visibility::Public
            || (viewer.has_scope("repo") && self.permission(&viewer.login, id) >= Permission::Read)
    }

    /// What this login may do in the repository, whatever token it uses.
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

    /// Whether the viewer may do `action` (a mutation's name in Pascal case), which needs `needed`.
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
                field: lower_first(action),
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

    /// As [`World::authorize`], but the author of the issue may do it with read permission.
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

    /// The issue or pull request at this place.
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

    /// How the author of something stands to the repository.
    pub fn association(&self, login: &str, id: RepoId) -> AuthorAssociation {
        let Some(repo) = self.repo(id).filter(|_| self.user(login).is_some()) else {
            return AuthorAssociation::None;
        };
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

    /// Logins that may be assigned in the repository, in alphabetical order.
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

    /// A fresh database id.
    pub(super) fn fresh_id(&mut self) -> u64 {
        self.next_id += 1;
        self.next_id
    }

    /// Marks a change and returns its time.
    pub(super) fn record(&mut self) -> OffsetDateTime {
        self.revision += 1;
        self.clock.tick()
    }
}

fn lower_first(name: &str) -> String {
    let mut chars = name.chars();
    chars.next().map_or_else(String::new, |first| {
        first.to_lowercase().chain(chars).collect()
    })
}
