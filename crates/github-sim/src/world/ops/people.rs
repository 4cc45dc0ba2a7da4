//! Assignees and requested reviewers.

use crate::world::{IssueRef, Permission, Refusal, Viewer, World};

impl World {
    /// Adds assignees. Ignores people who cannot be assigned, as GitHub does.
    pub fn add_assignees(
        &mut self,
        viewer: &Viewer,
        at: IssueRef,
        logins: &[String],
    ) -> Result<(), Refusal> {
        let known: Vec<String> = logins
            .iter()
            .filter_map(|login| self.assignable_login(at.repo, login))
            .collect();
        self.change_assignees(viewer, at, "AddAssigneesToAssignable", |assignees| {
            for login in known {
                if !assignees.contains(&login) {
                    assignees.push(login);
                }
            }
        })
    }

    pub fn remove_assignees(
        &mut self,
        viewer: &Viewer,
        at: IssueRef,
        logins: &[String],
    ) -> Result<(), Refusal> {
        self.change_assignees(viewer, at, "RemoveAssigneesFromAssignable", |assignees| {
            let goes = |login: &String| logins.iter().any(|it| it.eq_ignore_ascii_case(login));
            assignees.retain(|login| !goes(login));
        })
    }

    pub fn set_assignees(
        &mut self,
        viewer: &Viewer,
        at: IssueRef,
        logins: &[String],
    ) -> Result<(), Refusal> {
        let known = self.check_assignees(at.repo, logins)?;
        self.change_assignees(viewer, at, "ReplaceActorsForAssignable", |assignees| {
            *assignees = known;
        })
    }

    /// Requests reviews. With `union` the earlier requests stay, otherwise they are replaced.
    pub fn request_reviews(
        &mut self,
        viewer: &Viewer,
        at: IssueRef,
        logins: &[String],
        union: bool,
    ) -> Result<(), Refusal> {
        let mut changed = self.existing(at)?.clone();
        self.authorize_author_or(viewer, at, Permission::Triage, "RequestReviews")?;
        let author = changed.author.clone();
        let Some(pull) = changed.pull.as_mut() else {
            return Err(Refusal::not_found("Could not resolve to a PullRequest"));
        };
        if logins.contains(&author) {
            return Err(Refusal::custom(
                "PullRequest",
                "Review cannot be requested from pull request author.",
            ));
        }
        let assignable = self.assignable(at.repo);
        let outsider = logins
            .iter()
            .find(|login| !assignable.iter().any(|user| user.login == **login));
        if outsider.is_some() {
            return Err(Refusal::custom(
                "PullRequest",
                "Reviews may only be requested from collaborators. One or more of the users or teams you specified is not a collaborator of this repository.",
            ));
        }
        if !union {
            pull.requested_reviewers.clear();
        }
        for login in logins {
            if !pull.requested_reviewers.contains(login) {
                pull.requested_reviewers.push(login.clone());
            }
        }
        self.store_issue(at, changed);
        Ok(())
    }

    pub fn remove_review_requests(
        &mut self,
        viewer: &Viewer,
        at: IssueRef,
        logins: &[String],
    ) -> Result<(), Refusal> {
        let mut changed = self.existing(at)?.clone();
        self.authorize_author_or(viewer, at, Permission::Triage, "RequestReviews")?;
        if let Some(pull) = changed.pull.as_mut() {
            pull.requested_reviewers
                .retain(|login| !logins.contains(login));
        }
        self.store_issue(at, changed);
        Ok(())
    }

    fn change_assignees(
        &mut self,
        viewer: &Viewer,
        at: IssueRef,
        action: &str,
        change: impl FnOnce(&mut Vec<String>),
    ) -> Result<(), Refusal> {
        let mut changed = self.existing(at)?.clone();
        self.authorize(viewer, at.repo, Permission::Triage, action)?;
        change(&mut changed.assignees);
        self.store_issue(at, changed);
        Ok(())
    }
}
