//! Milestones.

use crate::world::{Milestone, MilestoneState, Permission, Refusal, RepoId, Viewer, World};
use time::OffsetDateTime;

impl World {
    /// Creates a milestone and returns its number.
    pub fn create_milestone(
        &mut self,
        viewer: &Viewer,
        repo: RepoId,
        title: &str,
        description: Option<String>,
        due_on: Option<OffsetDateTime>,
    ) -> Result<u64, Refusal> {
        self.authorize(viewer, repo, Permission::Write, "CreateMilestone")?;
        if title.trim().is_empty() {
            return Err(Refusal::missing_field(
                "Milestone",
                "title",
                "Title can't be blank",
            ));
        }
        let taken = self
            .repo(repo)
            .is_some_and(|found| found.milestones.iter().any(|m| m.title == title));
        if taken {
            return Err(Refusal::problem(
                "Milestone",
                "title",
                "already_exists",
                "Title has already been taken",
            ));
        }
        let id = self.fresh_id();
        let now = self.record_change();
        let creator = viewer.login.clone();
        let Some(found) = self.repo_mut(repo) else {
            return Err(Refusal::not_found("Could not resolve to a Repository"));
        };
        let number = found.milestones.iter().map(|m| m.number).max().unwrap_or(0) + 1;
        found.milestones.push(Milestone {
            id,
            number,
            title: title.to_owned(),
            description,
            state: MilestoneState::Open,
            due_on,
            creator,
            created_at: now,
            updated_at: now,
            closed_at: None,
        });
        Ok(number)
    }

    pub fn set_milestone_state(
        &mut self,
        viewer: &Viewer,
        repo: RepoId,
        number: u64,
        state: MilestoneState,
    ) -> Result<(), Refusal> {
        self.authorize(viewer, repo, Permission::Write, "UpdateMilestone")?;
        let present = self.repo(repo).and_then(|found| found.milestone(number));
        match present.map(|milestone| milestone.state) {
            None => return Err(Refusal::not_found("Could not resolve to a Milestone")),
            Some(same) if same == state => return Ok(()),
            Some(_) => {}
        }
        let now = self.record_change();
        if let Some(found) = self.repo_mut(repo)
            && let Some(milestone) = found.milestones.iter_mut().find(|m| m.number == number)
        {
            milestone.state = state;
            milestone.updated_at = now;
            milestone.closed_at = (state == MilestoneState::Closed).then_some(now);
        }
        Ok(())
    }
}
