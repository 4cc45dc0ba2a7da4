//! `Release`.

use super::context::{Context, actor, html};
use crate::graphql::field::Field;
use crate::graphql::value::{FieldResult, some};
use crate::world::{Located, RepoId};

pub(super) fn resolve(
    context: &Context<'_>,
    repo: RepoId,
    id: u64,
    field: &Field<'_>,
) -> FieldResult {
    let Some(repository) = context.world.repo(repo) else {
        return Ok(None);
    };
    let Some(release) = repository.releases.iter().find(|release| release.id == id) else {
        return Ok(None);
    };
    match field.name() {
        "name" => some(release.name.as_ref()),
        "tagName" => some(&release.tag),
        "description" => some(&release.body),
        "descriptionHTML" => some(html(&release.body)),
        "isDraft" => some(release.draft),
        "isPrerelease" => some(release.prerelease),
        "isLatest" => some(
            repository
                .latest_release()
                .is_some_and(|latest| latest.id == id),
        ),
        "author" => some(actor(context, &release.author)),
        "createdAt" => some(release.created_at),
        "updatedAt" => some(release.published_at.unwrap_or(release.created_at)),
        "publishedAt" => some(release.published_at),
        "databaseId" => some(release.id),
        "tagCommit" => {
            let commit = repository.commit(&release.tag);
            some(commit.map(|commit| Located::Commit(repo, commit.sha.clone())))
        }
        _ => Ok(None),
    }
}
