//! Comments on issues and pull requests, and reactions.

use super::issues::check_body;
use crate::world::{
    Comment, IssueRef, Permission, Reaction, ReactionContent, Refusal, Viewer, World,
};

impl World {
    /// Adds a comment and returns its database id.
    pub fn add_comment(
        &mut self,
        viewer: &Viewer,
        at: IssueRef,
        body: &str,
    ) -> Result<u64, Refusal> {
        let mut changed = self.existing(at)?.clone();
        self.authorize(viewer, at.repo, Permission::Read, "AddComment")?;
        if changed.locked && self.permission(&viewer.login, at.repo) < Permission::Write {
            return Err(Refusal::Forbidden(
                "Unable to create comment because issue is locked.".to_owned(),
            ));
        }
        check_comment(body)?;
        let id = self.fresh_id();
        let now = self.clock.upcoming();
        changed.comments.push(Comment {
            id,
            author: viewer.login.clone(),
            body: body.to_owned(),
            created_at: now,
            updated_at: now,
            edited: false,
            reactions: Vec::new(),
        });
        self.store_issue(at, changed);
        Ok(id)
    }

    pub fn update_comment(
        &mut self,
        viewer: &Viewer,
        at: IssueRef,
        id: u64,
        body: &str,
    ) -> Result<(), Refusal> {
        self.authorize_comment(viewer, at, id, "UpdateIssueComment")?;
        check_comment(body)?;
        let mut changed = self.existing(at)?.clone();
        let mut comments = changed.comments.iter_mut();
        if let Some(comment) = comments.find(|comment| comment.id == id && comment.body != body) {
            comment.body = body.to_owned();
            comment.edited = true;
            comment.updated_at = self.clock.upcoming();
        }
        self.store_issue(at, changed);
        Ok(())
    }

    pub fn delete_comment(
        &mut self,
        viewer: &Viewer,
        at: IssueRef,
        id: u64,
    ) -> Result<(), Refusal> {
        self.authorize_comment(viewer, at, id, "DeleteIssueComment")?;
        let mut changed = self.existing(at)?.clone();
        changed.comments.retain(|comment| comment.id != id);
        self.store_issue(at, changed);
        Ok(())
    }

    /// Adds a reaction to an issue or to one of its comments. Adding the same reaction again changes nothing.
    pub fn add_reaction(
        &mut self,
        viewer: &Viewer,
        at: IssueRef,
        comment: Option<u64>,
        content: ReactionContent,
    ) -> Result<(), Refusal> {
        self.change_reactions(viewer, at, comment, "AddReaction", |reactions, new| {
            let mine = |r: &Reaction| r.user == new.user && r.content == content;
            if !reactions.iter().any(mine) {
                reactions.push(Reaction { content, ..new });
            }
        })
    }

    pub fn remove_reaction(
        &mut self,
        viewer: &Viewer,
        at: IssueRef,
        comment: Option<u64>,
        content: ReactionContent,
    ) -> Result<(), Refusal> {
        self.change_reactions(viewer, at, comment, "RemoveReaction", |reactions, new| {
            reactions.retain(|r| r.user != new.user || r.content != content);
        })
    }

    fn change_reactions(
        &mut self,
        viewer: &Viewer,
        at: IssueRef,
        comment: Option<u64>,
        action: &str,
        change: impl FnOnce(&mut Vec<Reaction>, Reaction),
    ) -> Result<(), Refusal> {
        let mut changed = self.existing(at)?.clone();
        self.authorize(viewer, at.repo, Permission::Read, action)?;
        let reaction = Reaction {
            id: self.fresh_id(),
            user: viewer.login.clone(),
            content: ReactionContent::ThumbsUp,
            created_at: self.clock.upcoming(),
        };
        let reactions = match comment {
            None => Some(&mut changed.reactions),
            Some(id) => {
                let mut comments = changed.comments.iter_mut();
                let found = comments.find(|comment| comment.id == id);
                found.map(|comment| &mut comment.reactions)
            }
        };
        let Some(reactions) = reactions else {
            return Err(Refusal::not_found("Could not resolve to a Reactable"));
        };
        change(reactions, reaction);
        self.store_issue(at, changed);
        Ok(())
    }

    fn authorize_comment(
        &self,
        viewer: &Viewer,
        at: IssueRef,
        id: u64,
        action: &str,
    ) -> Result<(), Refusal> {
        let Some(comment) = self.existing(at)?.comment(id) else {
            return Err(Refusal::not_found("Could not resolve to an IssueComment"));
        };
        let own = comment.author == viewer.login;
        let needed = if own {
            Permission::Read
        } else {
            Permission::Write
        };
        self.authorize(viewer, at.repo, needed, action)
    }
}

pub(super) fn check_comment(body: &str) -> Result<(), Refusal> {
    if body.trim().is_empty() {
        return Err(Refusal::missing_field(
            "IssueComment",
            "body",
            "Body cannot be blank",
        ));
    }
    check_body("IssueComment", body)
}
