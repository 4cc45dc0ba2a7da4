//! Editing the settings of a repository.

use super::issues::set_if_some;
use crate::world::{Permission, Refusal, RepoId, Viewer, World};

/// Changes to a repository; `None` leaves a field unchanged.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RepositoryEdit {
    /// `Some(None)` removes the description.
    pub description: Option<Option<String>>,
    /// `Some(None)` removes the homepage.
    pub homepage: Option<Option<String>>,
    pub has_issues: Option<bool>,
    pub has_wiki: Option<bool>,
    pub has_projects: Option<bool>,
    pub archived: Option<bool>,
    pub default_branch: Option<String>,
    pub merge_commit_allowed: Option<bool>,
    pub squash_merge_allowed: Option<bool>,
    pub rebase_merge_allowed: Option<bool>,
    pub delete_branch_on_merge: Option<bool>,
}

impl World {
    /// Applies all changes of an edit or none.
    pub fn edit_repository(
        &mut self,
        viewer: &Viewer,
        id: RepoId,
        edit: RepositoryEdit,
    ) -> Result<(), Refusal> {
        self.authorize(viewer, id, Permission::Admin, "UpdateRepository")?;
        let Some(present) = self.repo(id) else {
            return Err(Refusal::not_found("Could not resolve to a Repository"));
        };
        if let Some(branch) = &edit.default_branch
            && !present.branches.contains_key(branch)
        {
            return Err(Refusal::invalid(
                "Repository",
                "default_branch",
                format!("The branch {branch} was not found."),
            ));
        }
        let mut changed = present.clone();
        set_if_some(&mut changed.description, edit.description);
        set_if_some(&mut changed.homepage, edit.homepage);
        set_if_some(&mut changed.has_issues, edit.has_issues);
        set_if_some(&mut changed.has_wiki, edit.has_wiki);
        set_if_some(&mut changed.has_projects, edit.has_projects);
        set_if_some(&mut changed.archived, edit.archived);
        set_if_some(&mut changed.default_branch, edit.default_branch);
        set_if_some(&mut changed.merge_commit_allowed, edit.merge_commit_allowed);
        set_if_some(&mut changed.squash_merge_allowed, edit.squash_merge_allowed);
        set_if_some(&mut changed.rebase_merge_allowed, edit.rebase_merge_allowed);
        set_if_some(
            &mut changed.delete_branch_on_merge,
            edit.delete_branch_on_merge,
        );
        if *present == changed {
            return Ok(());
        }
        changed.updated_at = self.record_change();
        if let Some(repo) = self.repo_mut(id) {
            *repo = changed;
        }
        Ok(())
    }
}
