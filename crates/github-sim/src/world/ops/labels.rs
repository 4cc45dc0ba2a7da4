//! Labels: defining them and putting them on issues and pull requests.

use crate::world::{IssueRef, Label, Permission, Refusal, RepoId, Viewer, World};

/// A label to create, or changes to a label: `None` leaves a field unchanged.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NewLabel {
    pub name: Option<String>,
    pub color: Option<String>,
    pub description: Option<String>,
}

/// The colour of labels that GitHub creates when REST adds an unknown name to an issue.
const DEFAULT_COLOR: &str = "ededed";

impl World {
    /// Creates a label and returns its database id.
    pub fn create_label(
        &mut self,
        viewer: &Viewer,
        repo: RepoId,
        new: NewLabel,
    ) -> Result<u64, Refusal> {
        self.authorize(viewer, repo, Permission::Write, "CreateLabel")?;
        let name = new.name.unwrap_or_default();
        self.check_label(repo, None, &name, new.color.as_deref())?;
        let color = new.color.unwrap_or_else(|| DEFAULT_COLOR.to_owned());
        Ok(self.insert_label(repo, &name, &color, new.description))
    }

    pub fn update_label(
        &mut self,
        viewer: &Viewer,
        repo: RepoId,
        id: u64,
        edit: NewLabel,
    ) -> Result<(), Refusal> {
        self.authorize(viewer, repo, Permission::Write, "UpdateLabel")?;
        let present = self.label(repo, id)?.clone();
        let name = edit.name.unwrap_or_else(|| present.name.clone());
        let color = edit.color.unwrap_or_else(|| present.color.clone());
        self.check_label(repo, Some(id), &name, Some(&color))?;
        let mut changed = present.clone();
        changed.name = name;
        changed.color = color.to_ascii_lowercase();
        super::issues::set_if_some(&mut changed.description, edit.description.map(Some));
        if changed == present {
            return Ok(());
        }
        changed.updated_at = self.record_change();
        if let Some(repo) = self.repo_mut(repo)
            && let Some(label) = repo.labels.iter_mut().find(|label| label.id == id)
        {
            *label = changed;
        }
        Ok(())
    }

    pub fn delete_label(&mut self, viewer: &Viewer, repo: RepoId, id: u64) -> Result<(), Refusal> {
        self.authorize(viewer, repo, Permission::Write, "DeleteLabel")?;
        self.label(repo, id)?;
        self.record_change();
        if let Some(repo) = self.repo_mut(repo) {
            repo.labels.retain(|label| label.id != id);
            for issue in repo.issues.values_mut() {
                issue.labels.retain(|label| *label != id);
            }
        }
        Ok(())
    }

    pub fn add_labels(
        &mut self,
        viewer: &Viewer,
        at: IssueRef,
        ids: &[u64],
    ) -> Result<(), Refusal> {
        self.change_labels(viewer, at, "AddLabelsToLabelable", |labels| {
            for id in ids {
                if !labels.contains(id) {
                    labels.push(*id);
                }
            }
        })
    }

    pub fn remove_labels(
        &mut self,
        viewer: &Viewer,
        at: IssueRef,
        ids: &[u64],
    ) -> Result<(), Refusal> {
        self.change_labels(viewer, at, "RemoveLabelsFromLabelable", |labels| {
            labels.retain(|label| !ids.contains(label));
        })
    }

    pub fn set_labels(
        &mut self,
        viewer: &Viewer,
        at: IssueRef,
        ids: &[u64],
    ) -> Result<(), Refusal> {
        self.change_labels(viewer, at, "UpdateIssue", |labels| *labels = ids.to_vec())
    }

    /// Returns the ids of the labels with these names. Creates unknown labels, as REST does.
    pub fn ensure_labels(
        &mut self,
        viewer: &Viewer,
        repo: RepoId,
        names: &[String],
    ) -> Result<Vec<u64>, Refusal> {
        self.authorize(viewer, repo, Permission::Triage, "AddLabelsToLabelable")?;
        let mut ids = Vec::new();
        for name in names {
            let known = self.repo(repo).and_then(|found| found.label_named(name));
            let id = match known.map(|label| label.id) {
                Some(id) => id,
                None => {
                    self.check_label(repo, None, name, None)?;
                    self.insert_label(repo, name, DEFAULT_COLOR, None)
                }
            };
            if !ids.contains(&id) {
                ids.push(id);
            }
        }
        Ok(ids)
    }

    pub(super) fn insert_label(
        &mut self,
        repo: RepoId,
        name: &str,
        color: &str,
        description: Option<String>,
    ) -> u64 {
        let id = self.fresh_id();
        let now = self.record_change();
        if let Some(repo) = self.repo_mut(repo) {
            repo.labels.push(Label {
                id,
                name: name.to_owned(),
                color: color.to_ascii_lowercase(),
                description: description.filter(|text| !text.is_empty()),
                created_at: now,
                updated_at: now,
            });
        }
        id
    }

    fn label(&self, repo: RepoId, id: u64) -> Result<&Label, Refusal> {
        self.repo(repo)
            .and_then(|found| found.label(id))
            .ok_or_else(|| Refusal::not_found("Could not resolve to a Label"))
    }

    fn change_labels(
        &mut self,
        viewer: &Viewer,
        at: IssueRef,
        action: &str,
        change: impl FnOnce(&mut Vec<u64>),
    ) -> Result<(), Refusal> {
        let mut changed = self.existing(at)?.clone();
        self.authorize(viewer, at.repo, Permission::Triage, action)?;
        change(&mut changed.labels);
        if let Some(unknown) = changed
            .labels
            .iter()
            .find(|id| self.label(at.repo, **id).is_err())
        {
            return Err(Refusal::not_found(format!(
                "Could not resolve to a Label with the id of {unknown}"
            )));
        }
        self.store_issue(at, changed);
        Ok(())
    }

    fn check_label(
        &self,
        repo: RepoId,
        own: Option<u64>,
        name: &str,
        color: Option<&str>,
    ) -> Result<(), Refusal> {
        if name.trim().is_empty() {
            return Err(Refusal::missing_field(
                "Label",
                "name",
                "Name can't be blank",
            ));
        }
        if name.chars().count() > 50 {
            return Err(Refusal::invalid(
                "Label",
                "name",
                "Name is too long (maximum is 50 characters)",
            ));
        }
        let plain = |color: &str| color.len() == 6 && color.bytes().all(|b| b.is_ascii_hexdigit());
        if color.is_some_and(|color| !plain(color)) {
            return Err(Refusal::invalid("Label", "color", "Color is invalid"));
        }
        let taken = self
            .repo(repo)
            .and_then(|found| found.label_named(name))
            .is_some_and(|label| Some(label.id) != own);
        if taken {
            return Err(Refusal::problem(
                "Label",
                "name",
                "already_exists",
                "Name has already been taken",
            ));
        }
        Ok(())
    }
}
