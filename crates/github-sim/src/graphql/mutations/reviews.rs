//! Mutations of reviews and review threads.

use super::input::Input;
use super::resolve::MutationResult;
use crate::graphql::value::{Record, ResolveError, record};
use crate::world::{
    IssueRef, Located, NewReview, NewReviewComment, Refusal, ReviewEvent, ReviewState, Side,
    Viewer, World,
};

/// Resolves the mutations of reviews; returns `None` for others.
pub(super) fn resolve(
    world: &mut World,
    viewer: &Viewer,
    name: &str,
    input: &Input,
    payload: Record,
) -> Option<MutationResult> {
    Some(match name {
        "addPullRequestReview" => add(world, viewer, input, payload),
        "submitPullRequestReview" => submit(world, viewer, input, payload),
        "dismissPullRequestReview" => dismiss(world, viewer, input, payload),
        "addPullRequestReviewThread" => open_thread(world, viewer, input, payload),
        "addPullRequestReviewThreadReply" => reply(world, viewer, input, payload),
        "resolveReviewThread" => set_resolved(world, viewer, true, input, payload),
        "unresolveReviewThread" => set_resolved(world, viewer, false, input, payload),
        _ => return None,
    })
}

fn add(world: &mut World, viewer: &Viewer, input: &Input, payload: Record) -> MutationResult {
    let at = input.pull(world, viewer, "pullRequestId")?;
    let mut comments: Vec<NewReviewComment> = Vec::new();
    for key in ["threads", "comments"] {
        comments.extend(input.objects(key).iter().map(new_comment));
    }
    let new = NewReview {
        body: input.text("body").unwrap_or_default(),
        event: ReviewEvent::parse(input.str("event")),
        comments,
        commit: input.text("commitOID"),
    };
    let id = world.add_review(viewer, at, new)?;
    Ok(with_review(payload, at, id))
}

fn submit(world: &mut World, viewer: &Viewer, input: &Input, payload: Record) -> MutationResult {
    let (at, id) = match input.text("pullRequestReviewId") {
        Some(_) => find_review(world, viewer, input)?,
        // Without an id, this submits the viewer's pending review of the pull request.
        None => {
            let at = input.pull(world, viewer, "pullRequestId")?;
            let pull = world.issue_at(at).and_then(|issue| issue.pull.as_ref());
            let mut reviews = pull.into_iter().flat_map(|pull| &pull.reviews);
            let pending = reviews.find(|review| {
                review.author == viewer.login && review.state == ReviewState::Pending
            });
            let id = pending.map(|review| review.id);
            let missing = || ResolveError::not_found("Could not resolve to a PullRequestReview");
            (at, id.ok_or_else(missing)?)
        }
    };
    let event = ReviewEvent::parse(input.str("event"))
        .ok_or_else(|| ResolveError::new("UNPROCESSABLE", "Event is not included in the list"))?;
    world.submit_review(viewer, at, id, event, input.text("body"))?;
    Ok(with_review(payload, at, id))
}

fn dismiss(world: &mut World, viewer: &Viewer, input: &Input, payload: Record) -> MutationResult {
    let (at, id) = find_review(world, viewer, input)?;
    world.dismiss_review(viewer, at, id)?;
    Ok(payload.with("pullRequestReview", Located::Review(at, id)))
}

fn open_thread(
    world: &mut World,
    viewer: &Viewer,
    input: &Input,
    payload: Record,
) -> MutationResult {
    let at = match input.text("pullRequestReviewId") {
        Some(_) => find_review(world, viewer, input)?.0,
        None => input.pull(world, viewer, "pullRequestId")?,
    };
    let (thread, _) = world.add_review_comment(viewer, at, new_comment(input))?;
    Ok(payload.with("thread", Located::Thread(at, thread)))
}

fn reply(world: &mut World, viewer: &Viewer, input: &Input, payload: Record) -> MutationResult {
    let (at, id) = find_thread(world, viewer, input, "pullRequestReviewThreadId")?;
    let comment = world.reply_to_thread(viewer, at, id, input.str("body"))?;
    Ok(payload.with("comment", Located::ReviewComment(at, comment)))
}

fn set_resolved(
    world: &mut World,
    viewer: &Viewer,
    resolved: bool,
    input: &Input,
    payload: Record,
) -> MutationResult {
    let (at, id) = find_thread(world, viewer, input, "threadId")?;
    world.set_thread_resolved(viewer, at, id, resolved)?;
    Ok(payload.with("thread", Located::Thread(at, id)))
}

fn with_review(payload: Record, at: IssueRef, id: u64) -> Record {
    let place = Located::Review(at, id);
    payload.with("pullRequestReview", place.clone()).with(
        "reviewEdge",
        record("PullRequestReviewEdge").with("node", place),
    )
}

fn new_comment(input: &Input) -> NewReviewComment {
    NewReviewComment {
        path: input.text("path").unwrap_or_default(),
        line: input.number("line").or_else(|| input.number("position")),
        start_line: input.number("startLine"),
        side: Side::parse(input.str("side")).unwrap_or(Side::Right),
        body: input.text("body").unwrap_or_default(),
    }
}

fn find_review(
    world: &World,
    viewer: &Viewer,
    input: &Input,
) -> Result<(IssueRef, u64), ResolveError> {
    let id = input.str("pullRequestReviewId");
    match world.node(viewer, id)? {
        Located::Review(at, id) => Ok((at, id)),
        _ => Err(Refusal::no_node(id).into()),
    }
}

fn find_thread(
    world: &World,
    viewer: &Viewer,
    input: &Input,
    key: &str,
) -> Result<(IssueRef, u64), ResolveError> {
    match world.node(viewer, input.str(key))? {
        Located::Thread(at, id) => Ok((at, id)),
        _ => Err(Refusal::no_node(input.str(key)).into()),
    }
}
