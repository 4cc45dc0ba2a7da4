//! The fields of everything that can have reactions.

use super::context::{Context, actor};
use crate::graphql::field::Field;
use crate::graphql::page;
use crate::graphql::value::{FieldResult, FieldValue, record, some};
use crate::world::{NodeId, NodeKind, Reaction, ReactionContent, RepoId};

/// Resolves `reactionGroups` and `reactions`; returns `None` for other fields.
pub(super) fn resolve(
    context: &Context<'_>,
    repo: RepoId,
    reactions: &[Reaction],
    field: &Field<'_>,
) -> FieldResult {
    match field.name() {
        "reactionGroups" => {
            let groups = ReactionContent::ALL.iter().map(|content| {
                let of: Vec<&Reaction> =
                    reactions.iter().filter(|r| r.content == *content).collect();
                let users: Vec<FieldValue> = of.iter().map(|r| actor(context, &r.user)).collect();
                let mine = of.iter().any(|r| r.user == context.viewer.login);
                record("ReactionGroup")
                    .with("content", content.name())
                    .with("users", users.clone())
                    .with("reactors", users)
                    .with("viewerHasReacted", mine)
            });
            some(groups.collect::<Vec<_>>())
        }
        "reactions" => {
            let wanted = field.text("content");
            let owner = context.world.repo(repo).map_or(0, |found| found.id);
            let found = reactions
                .iter()
                .filter(|r| wanted.is_none_or(|wanted| r.content.name() == wanted))
                .map(|r| {
                    record("Reaction")
                        .with("id", NodeId::new(NodeKind::Reaction, owner, r.id).encode())
                        .with("databaseId", r.id)
                        .with("content", r.content.name())
                        .with("user", actor(context, &r.user))
                        .with("createdAt", r.created_at)
                        .into()
                });
            page::connection(field, found.collect())
        }
        _ => Ok(None),
    }
}
