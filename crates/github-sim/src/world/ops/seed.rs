//! Seeding the world: methods without permission checks that HTTP requests cannot reach.

use crate::world::{
    Branch, ChangedFile, CheckConclusion, CheckRun, CheckStatus, Commit, CommitStatus, IssueType,
    Organization, Permission, Release, RepoId, Repository, RunConclusion, RunStatus, StatusContext,
    User, Visibility, Workflow, WorkflowRun, World,
};
use indexmap::IndexMap;
use std::collections::BTreeMap;

impl World {
    pub fn add_user(&mut self, login: &str, name: Option<&str>) {
        let id = self.fresh_id();
        let user = User {
            id,
            login: login.to_owned(),
            name: name.map(str::to_owned),
            email: format!("{login}@users.noreply.github.com"),
            bio: None,
            created_at: self.clock.now(),
            deleted: false,
            bot: false,
        };
        self.users.insert(login.to_owned(), user);
    }

    /// Adds the account of an app.
    pub fn add_bot(&mut self, login: &str) {
        self.add_user(login, None);
        if let Some(user) = self.users.get_mut(login) {
            user.bot = true;
        }
    }

    pub fn add_organization(&mut self, login: &str, name: Option<&str>, members: &[&str]) {
        let id = self.fresh_id();
        let organization = Organization {
            id,
            login: login.to_owned(),
            name: name.map(str::to_owned),
            description: None,
            created_at: self.clock.now(),
            members: members.iter().map(|&member| member.to_owned()).collect(),
            issue_types: Vec::new(),
        };
        self.organizations.insert(login.to_owned(), organization);
    }

    /// Adds an issue type to an organisation and returns its database id.
    pub fn add_issue_type(&mut self, organization: &str, name: &str, color: &str) -> u64 {
        let id = self.fresh_id();
        if let Some(organization) = self.organizations.get_mut(organization) {
            organization.issue_types.push(IssueType {
                id,
                name: name.to_owned(),
                description: None,
                color: color.to_owned(),
            });
        }
        id
    }

    /// Adds a public repository with a first commit on `main`. The default viewer gets admin permission.
    pub fn add_repository(&mut self, owner: &str, name: &str) -> RepoId {
        let id = self.fresh_id();
        let now = self.clock.now();
        let admin = self.default_viewer.clone();
        self.repositories.push(Repository {
            id,
            owner: owner.to_owned(),
            name: name.to_owned(),
            description: None,
            homepage: None,
            visibility: Visibility::Public,
            default_branch: "main".to_owned(),
            topics: Vec::new(),
            license: None,
            language: None,
            stars: 0,
            forks: 0,
            watchers: 0,
            archived: false,
            is_fork: false,
            is_template: false,
            has_issues: true,
            has_wiki: true,
            has_projects: true,
            has_discussions: false,
            merge_commit_allowed: true,
            squash_merge_allowed: true,
            rebase_merge_allowed: true,
            auto_merge_allowed: false,
            delete_branch_on_merge: false,
            required_approvals: 0,
            required_checks: Vec::new(),
            enforce_admins: true,
            created_at: now,
            updated_at: now,
            pushed_at: now,
            collaborators: IndexMap::from([(admin.clone(), Permission::Admin)]),
            labels: Vec::new(),
            milestones: Vec::new(),
            issues: BTreeMap::new(),
            branches: IndexMap::new(),
            commits: IndexMap::new(),
            releases: Vec::new(),
            workflows: Vec::new(),
            runs: Vec::new(),
            files: BTreeMap::new(),
            former_names: Vec::new(),
        });
        let repo = RepoId(self.repositories.len() - 1);
        self.push_commit(repo, "main", &admin, "Initial commit", Vec::new());
        repo
    }

    /// Adds a label without the checks of `create_label` and returns its database id.
    pub fn add_label(&mut self, repo: RepoId, name: &str, color: &str, description: &str) -> u64 {
        self.insert_label(repo, name, color, Some(description.to_owned()))
    }

    /// Adds a branch at the head of the default branch; does nothing if the branch exists.
    pub fn add_branch(&mut self, repo: RepoId, name: &str) {
        let id = self.fresh_id();
        if let Some(found) = self.repo_mut(repo) {
            let trunk = found.branches.get(&found.default_branch);
            let history = trunk
                .map(|branch| branch.history.clone())
                .unwrap_or_default();
            found.branches.entry(name.to_owned()).or_insert(Branch {
                id,
                name: name.to_owned(),
                history,
            });
        }
    }

    /// Commits to a branch, created if necessary, and updates the open pull requests from it. Returns the sha.
    pub fn push_commit(
        &mut self,
        repo: RepoId,
        branch: &str,
        author: &str,
        message: &str,
        files: Vec<ChangedFile>,
    ) -> String {
        self.add_branch(repo, branch);
        let id = self.fresh_id();
        let now = self.record_change();
        let sha = fake_sha(id, message);
        if let Some(found) = self.repo_mut(repo) {
            let mut parents = Vec::new();
            if let Some(branch) = found.branches.get_mut(branch) {
                parents.extend(branch.history.last().cloned());
                branch.history.push(sha.clone());
            }
            found.commits.insert(
                sha.clone(),
                Commit {
                    id,
                    sha: sha.clone(),
                    message: message.to_owned(),
                    author: author.to_owned(),
                    committed_at: now,
                    parents,
                    files,
                    check_runs: Vec::new(),
                    statuses: Vec::new(),
                },
            );
            found.pushed_at = now;
            for issue in found.issues.values_mut().filter(|issue| issue.is_open()) {
                if let Some(pull) = issue.pull.as_mut()
                    && pull.head_repo == repo
                    && pull.head_ref == branch
                {
                    pull.commits.push(sha.clone());
                    pull.head_sha = sha.clone();
                    issue.updated_at = now;
                }
            }
        }
        sha
    }

    /// Adds a check run to a commit; without a conclusion it is in progress. Returns its database id.
    pub fn add_check_run(
        &mut self,
        repo: RepoId,
        sha: &str,
        workflow: Option<&str>,
        name: &str,
        conclusion: Option<CheckConclusion>,
    ) -> u64 {
        let id = self.fresh_id();
        let now = self.record_change();
        if let Some(found) = self.repo_mut(repo) {
            let url = found.url();
            if let Some(commit) = found.commits.get_mut(sha) {
                commit.check_runs.push(CheckRun {
                    id,
                    name: name.to_owned(),
                    workflow: workflow.map(str::to_owned),
                    event: "pull_request".to_owned(),
                    status: if conclusion.is_some() {
                        CheckStatus::Completed
                    } else {
                        CheckStatus::InProgress
                    },
                    conclusion,
                    started_at: Some(now),
                    completed_at: conclusion.map(|_| now + time::Duration::seconds(93)),
                    details_url: format!("{url}/actions/runs/{id}/job/{id}"),
                    title: None,
                    summary: None,
                });
            }
        }
        id
    }

    /// Adds a status of an outside service to a commit and returns its database id.
    pub fn add_status(
        &mut self,
        repo: RepoId,
        sha: &str,
        context: &str,
        state: CommitStatus,
        description: &str,
    ) -> u64 {
        let id = self.fresh_id();
        let now = self.record_change();
        let creator = self.default_viewer.clone();
        if let Some(found) = self.repo_mut(repo)
            && let Some(commit) = found.commits.get_mut(sha)
        {
            commit.statuses.push(StatusContext {
                id,
                context: context.to_owned(),
                state,
                description: Some(description.to_owned()),
                target_url: Some(format!("https://ci.example.com/{id}")),
                creator,
                created_at: now,
            });
        }
        id
    }

    /// Adds a published release of the default branch and returns its database id.
    pub fn add_release(
        &mut self,
        repo: RepoId,
        tag: &str,
        name: &str,
        author: &str,
        prerelease: bool,
    ) -> u64 {
        let id = self.fresh_id();
        let now = self.record_change();
        if let Some(found) = self.repo_mut(repo) {
            found.releases.push(Release {
                id,
                tag: tag.to_owned(),
                name: Some(name.to_owned()),
                body: String::new(),
                draft: false,
                prerelease,
                author: author.to_owned(),
                target: found.default_branch.clone(),
                created_at: now,
                published_at: Some(now),
            });
        }
        id
    }

    /// Adds an active workflow and returns its database id.
    pub fn add_workflow(&mut self, repo: RepoId, name: &str, path: &str) -> u64 {
        let id = self.fresh_id();
        let now = self.clock.now();
        if let Some(found) = self.repo_mut(repo) {
            found.workflows.push(Workflow {
                id,
                name: name.to_owned(),
                path: path.to_owned(),
                state: "active".to_owned(),
                created_at: now,
                updated_at: now,
            });
        }
        id
    }

    /// Adds a workflow run at the head of a branch and returns its database id. Without a conclusion it is in progress.
    pub fn add_run(
        &mut self,
        repo: RepoId,
        workflow: u64,
        branch: &str,
        event: &str,
        actor: &str,
        conclusion: Option<RunConclusion>,
    ) -> u64 {
        let id = self.fresh_id();
        let now = self.record_change();
        if let Some(found) = self.repo_mut(repo) {
            let commit = found.commit(branch);
            let display_title = commit.map(|c| c.headline().to_owned()).unwrap_or_default();
            let head_sha = commit.map(|c| c.sha.clone()).unwrap_or_default();
            let earlier = found.runs.iter().filter(|run| run.workflow == workflow);
            let run_number = earlier.count() as u64 + 1;
            found.runs.push(WorkflowRun {
                id,
                workflow,
                display_title,
                status: if conclusion.is_some() {
                    RunStatus::Completed
                } else {
                    RunStatus::InProgress
                },
                conclusion,
                event: event.to_owned(),
                head_branch: branch.to_owned(),
                head_sha,
                run_number,
                run_attempt: 1,
                actor: actor.to_owned(),
                created_at: now,
                started_at: now,
                updated_at: now + time::Duration::seconds(140),
            });
        }
        id
    }
}

/// Returns forty hexadecimal digits that depend only on the arguments.
pub(super) fn fake_sha(id: u64, message: &str) -> String {
    let mut state = message
        .bytes()
        .fold(id ^ 0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
    let mut sha = String::with_capacity(48);
    while sha.len() < 40 {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        sha.push_str(&format!("{:016x}", mixed ^ (mixed >> 31)));
    }
    sha.truncate(40);
    sha
}
