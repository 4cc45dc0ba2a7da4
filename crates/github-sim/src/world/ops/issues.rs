//! Opening, editing, closing and locking issues, and the issue part of pull requests.

use crate::world::{
    Issue, IssueRef, IssueState, LockReason, Permission, Refusal, RepoId, StateReason, Viewer,
    World,
};

/// A new issue. Labels, assignees, milestone and type are ignored if the viewer may not set them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NewIssue {
    pub title: String,
    pub body: String,
    pub assignees: Vec<String>,
    /// Database ids.
    pub labels: Vec<u64>,
    pub milestone: Option<u64>,
    pub issue_type: Option<u64>,
}

/// Changes to an issue; `None` leaves a field unchanged.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IssueEdit {
    pub title: Option<String>,
    pub body: Option<String>,
    pub assignees: Option<Vec<String>>,
    /// Database ids.
    pub labels: Option<Vec<u64>>,
    /// `Some(None)` removes the milestone.
    pub milestone: Option<Option<u64>>,
    pub issue_type: Option<Option<u64>>,
    pub state: Option<IssueState>,
    pub state_reason: Option<StateReason>,
}

impl World {
    pub fn create_issue(
        &mut self,
        viewer: &Viewer,
        repo: RepoId,
        new: NewIssue,
    ) -> Result<IssueRef, Refusal> {
        self.authorize(viewer, repo, Permission::Read, "CreateIssue")?;
        let enabled = self.repo(repo).is_some_and(|found| found.has_issues);
        if !enabled {
            return Err(Refusal::Gone(
                "Issues has been disabled in this repository.".to_owned(),
            ));
        }
        check_title("Issue", &new.title)?;
        check_body("Issue", &new.body)?;
        self.check_milestone(repo, new.milestone)?;
        let assignees = self.check_assignees(repo, &new.assignees)?;
        let may_triage = self.permission(&viewer.login, repo) >= Permission::Triage;
        let at = self.open_issue(viewer, repo, new.title, new.body)?;
        if may_triage && let Some(issue) = self.issue_at_mut(at) {
            issue.assignees = assignees;
            issue.labels = new.labels;
            issue.milestone = new.milestone;
            issue.issue_type = new.issue_type;
        }
        Ok(at)
    }

    /// Applies all changes of an edit or none. Also works on pull requests.
    pub fn edit_issue(
        &mut self,
        viewer: &Viewer,
        at: IssueRef,
        edit: IssueEdit,
    ) -> Result<(), Refusal> {
        let resource = self.existing(at)?.resource();
        self.authorize_author_or(viewer, at, Permission::Triage, "UpdateIssue")?;
        if let Some(title) = &edit.title {
            check_title(resource, title)?;
        }
        if let Some(body) = &edit.body {
            check_body(resource, body)?;
        }
        let mut edit = edit;
        if self.permission(&viewer.login, at.repo) < Permission::Triage {
            // Authors may edit and close their issues. GitHub ignores their other changes without an error.
            edit.assignees = None;
            edit.labels = None;
            edit.milestone = None;
            edit.issue_type = None;
        }
        if let Some(milestone) = edit.milestone {
            self.check_milestone(at.repo, milestone)?;
        }
        if let Some(assignees) = &edit.assignees {
            edit.assignees = Some(self.check_assignees(at.repo, assignees)?);
        }
        let mut changed = self.existing(at)?.clone();
        let reopen = edit.state == Some(IssueState::Open) && !changed.is_open();
        let merged = changed
            .pull
            .as_ref()
            .is_some_and(|pull| pull.merged.is_some());
        if reopen && merged {
            return Err(Refusal::invalid(
                resource,
                "state",
                "state cannot be changed. The pull request has been merged.",
            ));
        }
        set_if_some(&mut changed.title, edit.title);
        set_if_some(&mut changed.body, edit.body);
        set_if_some(&mut changed.assignees, edit.assignees);
        set_if_some(&mut changed.labels, edit.labels);
        set_if_some(&mut changed.milestone, edit.milestone);
        set_if_some(&mut changed.issue_type, edit.issue_type);
        self.store_issue(at, changed);
        match edit.state {
            Some(IssueState::Closed) => {
                let reason = edit.state_reason.unwrap_or(StateReason::Completed);
                self.apply_close(viewer, at, reason);
            }
            Some(IssueState::Open) => self.apply_reopen(at),
            None => {}
        }
        Ok(())
    }

    /// Closes an issue. Closing a closed issue again changes only its reason.
    pub fn close_issue(
        &mut self,
        viewer: &Viewer,
        at: IssueRef,
        reason: Option<StateReason>,
    ) -> Result<(), Refusal> {
        self.existing(at)?;
        self.authorize_author_or(viewer, at, Permission::Triage, "CloseIssue")?;
        let present = self.existing(at)?.state_reason;
        let reason = reason.or(present.filter(|reason| *reason != StateReason::Reopened));
        self.apply_close(viewer, at, reason.unwrap_or(StateReason::Completed));
        Ok(())
    }

    pub fn reopen_issue(&mut self, viewer: &Viewer, at: IssueRef) -> Result<(), Refusal> {
        self.existing(at)?;
        self.authorize_author_or(viewer, at, Permission::Triage, "ReopenIssue")?;
        self.apply_reopen(at);
        Ok(())
    }

    pub fn delete_issue(&mut self, viewer: &Viewer, at: IssueRef) -> Result<(), Refusal> {
        self.existing(at)?;
        self.authorize(viewer, at.repo, Permission::Admin, "DeleteIssue")?;
        self.record_change();
        for repo in &mut self.repositories {
            for issue in repo.issues.values_mut() {
                issue.blocked_by.retain(|other| *other != at);
            }
        }
        if let Some(repo) = self.repo_mut(at.repo) {
            repo.issues.remove(&at.number);
        }
        Ok(())
    }

    pub fn lock_issue(
        &mut self,
        viewer: &Viewer,
        at: IssueRef,
        reason: Option<LockReason>,
    ) -> Result<(), Refusal> {
        self.set_locked(viewer, at, true, reason, "LockLockable")
    }

    pub fn unlock_issue(&mut self, viewer: &Viewer, at: IssueRef) -> Result<(), Refusal> {
        self.set_locked(viewer, at, false, None, "UnlockLockable")
    }

    pub fn set_pinned(
        &mut self,
        viewer: &Viewer,
        at: IssueRef,
        pinned: bool,
    ) -> Result<(), Refusal> {
        let mut changed = self.existing(at)?.clone();
        let action = if pinned { "PinIssue" } else { "UnpinIssue" };
        self.authorize(viewer, at.repo, Permission::Maintain, action)?;
        changed.pinned = pinned;
        self.store_issue(at, changed);
        Ok(())
    }

    /// Returns the issue or pull request, or GitHub's error message if there is none.
    pub fn existing(&self, at: IssueRef) -> Result<&Issue, Refusal> {
        self.issue_at(at).ok_or_else(|| {
            Refusal::NotFound(format!(
                "Could not resolve to an issue or pull request with the number of {}.",
                at.number
            ))
        })
    }

    /// Stores a changed issue. Records a change of the world only if something differs.
    pub(super) fn store_issue(&mut self, at: IssueRef, mut changed: Issue) {
        if self.issue_at(at) == Some(&changed) {
            return;
        }
        changed.updated_at = self.record_change();
        let rewritten = self
            .issue_at(at)
            .is_some_and(|old| old.body != changed.body || old.title != changed.title);
        if rewritten {
            changed.last_edited_at = Some(changed.updated_at);
        }
        if let Some(issue) = self.issue_at_mut(at) {
            *issue = changed;
        }
    }

    pub(super) fn open_issue(
        &mut self,
        viewer: &Viewer,
        repo: RepoId,
        title: String,
        body: String,
    ) -> Result<IssueRef, Refusal> {
        let id = self.fresh_id();
        let now = self.record_change();
        let Some(repository) = self.repo_mut(repo) else {
            return Err(Refusal::not_found("Could not resolve to a Repository"));
        };
        let last = repository.issues.last_key_value();
        let number = last.map_or(1, |(number, _)| number + 1);
        let issue = Issue {
            id,
            number,
            title,
            body,
            author: viewer.login.clone(),
            state: IssueState::Open,
            state_reason: None,
            assignees: Vec::new(),
            labels: Vec::new(),
            milestone: None,
            comments: Vec::new(),
            reactions: Vec::new(),
            created_at: now,
            updated_at: now,
            last_edited_at: None,
            closed_at: None,
            closed_by: None,
            locked: false,
            lock_reason: None,
            pinned: false,
            blocked_by: Vec::new(),
            parent: None,
            issue_type: None,
            pull: None,
        };
        repository.issues.insert(number, issue);
        Ok(IssueRef { repo, number })
    }

    pub(super) fn apply_close(&mut self, viewer: &Viewer, at: IssueRef, reason: StateReason) {
        let Some(issue) = self.issue_at(at) else {
            return;
        };
        let mut changed = issue.clone();
        // Pull requests have no reason for closing.
        let reason = (!changed.is_pull()).then_some(reason);
        if !changed.is_open() && changed.state_reason == reason {
            return;
        }
        if changed.is_open() {
            changed.closed_at = Some(self.clock.upcoming());
            changed.closed_by = Some(viewer.login.clone());
        }
        changed.state = IssueState::Closed;
        changed.state_reason = reason;
        self.store_issue(at, changed);
    }

    pub(super) fn apply_reopen(&mut self, at: IssueRef) {
        let Some(issue) = self.issue_at(at).filter(|issue| !issue.is_open()) else {
            return;
        };
        let mut changed = issue.clone();
        changed.state = IssueState::Open;
        changed.state_reason = (!changed.is_pull()).then_some(StateReason::Reopened);
        changed.closed_at = None;
        changed.closed_by = None;
        self.store_issue(at, changed);
    }

    pub(super) fn check_milestone(&self, repo: RepoId, number: Option<u64>) -> Result<(), Refusal> {
        let known = |number| self.repo(repo).and_then(|found| found.milestone(number));
        match number {
            Some(number) if known(number).is_none() => Err(Refusal::invalid(
                "Issue",
                "milestone",
                "Milestone is invalid",
            )),
            _ => Ok(()),
        }
    }

    /// Returns the logins in their canonical spelling, or a refusal for the first that cannot be assigned.
    pub(super) fn check_assignees(
        &self,
        repo: RepoId,
        logins: &[String],
    ) -> Result<Vec<String>, Refusal> {
        let known = |login: &String| {
            self.assignable_login(repo, login).ok_or_else(|| {
                Refusal::invalid(
                    "Issue",
                    "assignees",
                    format!("Could not resolve to a User with the login of '{login}'."),
                )
            })
        };
        logins.iter().map(known).collect()
    }

    pub(super) fn assignable_login(&self, repo: RepoId, login: &str) -> Option<String> {
        let assignable = self.assignable(repo);
        let mut people = assignable.iter();
        let person = people.find(|user| user.login.eq_ignore_ascii_case(login))?;
        Some(person.login.clone())
    }

    fn set_locked(
        &mut self,
        viewer: &Viewer,
        at: IssueRef,
        locked: bool,
        reason: Option<LockReason>,
        action: &str,
    ) -> Result<(), Refusal> {
        let mut changed = self.existing(at)?.clone();
        self.authorize(viewer, at.repo, Permission::Write, action)?;
        changed.locked = locked;
        changed.lock_reason = reason;
        self.store_issue(at, changed);
        Ok(())
    }
}

impl Issue {
    /// Returns `Issue` or `PullRequest`: the name of the GraphQL type and of REST's resource.
    pub fn resource(&self) -> &'static str {
        if self.is_pull() {
            "PullRequest"
        } else {
            "Issue"
        }
    }
}

const MAX_TITLE_LENGTH: usize = 256;
const MAX_BODY_LENGTH: usize = 65_536;

pub(super) fn check_title(resource: &str, title: &str) -> Result<(), Refusal> {
    if title.trim().is_empty() {
        return Err(Refusal::missing_field(
            resource,
            "title",
            "Title can't be blank",
        ));
    }
    if title.chars().count() > MAX_TITLE_LENGTH {
        return Err(Refusal::problem(
            resource,
            "title",
            "custom",
            format!("Title is too long (maximum is {MAX_TITLE_LENGTH} characters)"),
        ));
    }
    Ok(())
}

pub(super) fn check_body(resource: &str, body: &str) -> Result<(), Refusal> {
    if body.chars().count() > MAX_BODY_LENGTH {
        return Err(Refusal::problem(
            resource,
            "body",
            "custom",
            format!("Body is too long (maximum is {MAX_BODY_LENGTH} characters)"),
        ));
    }
    Ok(())
}

/// Sets a field if there is a new value.
pub(super) fn set_if_some<T>(place: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *place = value;
    }
}
