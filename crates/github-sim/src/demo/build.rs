//! Builds the world of the demonstration from its tables.

use time::macros::datetime;
use time::{Duration, OffsetDateTime};

use super::catalogue::{LABELS, MILESTONES};
use super::issues::{self, DemoIssue};
use super::people::{DELETED, PEOPLE, VIEWER};
use super::pulls::{DemoPull, DemoPullState, DemoThread, PULLS};
use super::{history, people};
use crate::world::{
    Clock, IssueRef, License, MergeRequest, Mergeable, MilestoneState, NewIssue, NewPullRequest,
    NewReview, NewReviewComment, Permission, Refusal, RepoId, Side, Viewer, Visibility, World,
};

/// The creation of the repository.
const START: OffsetDateTime = datetime!(2026-01-05 08:30:00 UTC);

/// The time between two consecutive issue numbers.
const NUMBER_INTERVAL: Duration = Duration::minutes(70 * 60 + 37);

/// Builds the organisation `acme` with `acme/rocket` and the private `acme/launchpad`.
#[expect(
    clippy::expect_used,
    reason = "the tables are constants that a test builds; there is nothing a caller could do"
)]
pub(crate) fn world() -> World {
    build().expect("the demonstration's tables keep the world's rules")
}

fn build() -> Result<World, Refusal> {
    let mut world = World::empty();
    world.clock.set(START - Duration::days(400));
    add_people(&mut world);
    world.clock.set(START);
    let rocket = add_rocket(&mut world)?;
    for number in 1.. {
        let created = START + NUMBER_INTERVAL * i32::try_from(number).unwrap_or(i32::MAX);
        world.clock.set(created);
        if let Some(demo_issue) = issues::all().find(|demo_issue| demo_issue.number == number) {
            open_issue(&mut world, rocket, demo_issue)?;
        } else if let Some(demo_pull) = PULLS.iter().find(|demo_pull| demo_pull.number == number) {
            open_pull(&mut world, rocket, demo_pull)?;
        } else {
            break;
        }
    }
    history::branch_without_pull(&mut world, rocket, START);
    history::releases(&mut world, rocket, START);
    history::runs(&mut world, rocket, START);
    add_launchpad(&mut world)?;
    delete_account(&mut world, DELETED);
    world.clock = Clock::default();
    Ok(world)
}

fn add_people(world: &mut World) {
    world.users.clear();
    VIEWER.clone_into(&mut world.default_viewer);
    for person in &PEOPLE {
        world.add_user(person.login, Some(person.name));
        if let Some(user) = world.users.get_mut(person.login) {
            user.bio = person.bio.map(str::to_owned);
        }
    }
    let members: Vec<&str> = PEOPLE.iter().map(|person| person.login).collect();
    world.add_organization("acme", Some("Acme Launch Systems"), &members);
    if let Some(acme) = world.organizations.get_mut("acme") {
        acme.description = Some("Reusable rockets, carefully".to_owned());
    }
    for (name, color) in [("Task", "YELLOW"), ("Bug", "RED"), ("Feature", "BLUE")] {
        world.add_issue_type("acme", name, color);
    }
}

fn add_rocket(world: &mut World) -> Result<RepoId, Refusal> {
    let id = world.add_repository("acme", "rocket");
    if let Some(repo) = world.repo_mut(id) {
        repo.description = Some("Reusable launch vehicle flight software".to_owned());
        repo.homepage = Some("https://rocket.acme.example".to_owned());
        repo.topics = ["aerospace", "flight-software", "rust"]
            .map(str::to_owned)
            .to_vec();
        repo.license = Some(License {
            key: "apache-2.0".to_owned(),
            name: "Apache License 2.0".to_owned(),
            spdx_id: "Apache-2.0".to_owned(),
        });
        repo.language = Some("Rust".to_owned());
        repo.stars = 1284;
        repo.forks = 97;
        repo.watchers = 61;
        repo.files.insert(
            "README.md".to_owned(),
            "# rocket\n\nReusable launch vehicle flight software.\n".to_owned(),
        );
        for person in people::PEOPLE
            .iter()
            .filter(|person| person.login != VIEWER)
        {
            repo.collaborators
                .insert(person.login.to_owned(), Permission::Write);
        }
    }
    for (name, color, description) in LABELS {
        world.add_label(id, name, color, description);
    }
    let viewer = Viewer::full(VIEWER);
    for stage in &MILESTONES {
        let due = stage.due.map(|day| START + Duration::days(day));
        let description = Some(stage.description.to_owned());
        let number = world.create_milestone(&viewer, id, stage.title, description, due)?;
        if stage.closed {
            world.set_milestone_state(&viewer, id, number, MilestoneState::Closed)?;
        }
    }
    history::commits(world, id, START);
    Ok(id)
}

fn open_issue(world: &mut World, repo: RepoId, demo_issue: &DemoIssue) -> Result<(), Refusal> {
    let author = Viewer::full(demo_issue.author);
    let labels = world.ensure_labels(&author, repo, &to_strings(demo_issue.labels))?;
    let new = NewIssue {
        title: demo_issue.title.to_owned(),
        body: demo_issue.body.to_owned(),
        assignees: to_strings(demo_issue.assignees),
        labels,
        milestone: demo_issue.milestone,
        issue_type: None,
    };
    let at = world.create_issue(&author, repo, new)?;
    if demo_issue.labels.contains(&"bug")
        && let Some(kind) = issue_type(world, "Bug")
        && let Some(issue) = world.issue_at_mut(at)
    {
        issue.issue_type = Some(kind);
    }
    add_comments(world, at, demo_issue.comments)?;
    if let Some(reason) = demo_issue.closed {
        world.clock.advance(Duration::hours(51));
        world.close_issue(&Viewer::full(VIEWER), at, Some(reason))?;
    }
    Ok(())
}

fn open_pull(world: &mut World, repo: RepoId, demo_pull: &DemoPull) -> Result<(), Refusal> {
    let author = Viewer::full(demo_pull.author);
    let mut head = String::new();
    for (message, path, additions, deletions) in demo_pull.commits {
        let file = history::file(path, *additions, *deletions);
        head = world.push_commit(
            repo,
            demo_pull.branch,
            demo_pull.author,
            message,
            vec![file],
        );
    }
    let new = NewPullRequest {
        title: demo_pull.title.to_owned(),
        body: demo_pull.body.to_owned(),
        head: demo_pull.branch.to_owned(),
        base: "main".to_owned(),
        draft: demo_pull.draft,
        maintainer_can_modify: true,
    };
    let at = world.create_pull_request(&author, repo, new)?;
    let labels = world.ensure_labels(&author, repo, &to_strings(demo_pull.labels))?;
    world.add_labels(&author, at, &labels)?;
    if let Some(issue) = world.issue_at_mut(at) {
        issue.milestone = demo_pull.milestone;
        issue.assignees = to_strings(demo_pull.assignees);
        if let Some(pull) = issue.pull.as_mut() {
            pull.requested_reviewers = to_strings(demo_pull.reviewers);
            if demo_pull.conflicting {
                pull.mergeable = Mergeable::Conflicting;
            }
        }
    }
    for (workflow, name, conclusion) in demo_pull.checks {
        world.add_check_run(repo, &head, Some(workflow), name, *conclusion);
    }
    add_comments(world, at, demo_pull.comments)?;
    for demo_thread in demo_pull.threads {
        add_thread(world, at, demo_thread)?;
    }
    for (reviewer, event, body) in demo_pull.reviews {
        world.clock.advance(Duration::hours(5));
        let review = NewReview {
            body: (*body).to_owned(),
            event: Some(*event),
            ..NewReview::default()
        };
        world.add_review(&Viewer::full(reviewer), at, review)?;
    }
    world.clock.advance(Duration::hours(2));
    let viewer = Viewer::full(VIEWER);
    match demo_pull.end {
        DemoPullState::Open => {}
        DemoPullState::Closed => world.close_pull_request(&viewer, at)?,
        DemoPullState::Merged(method) => {
            let request = MergeRequest {
                method: Some(method),
                ..MergeRequest::default()
            };
            world.merge_pull_request(&viewer, at, &request)?;
        }
    }
    Ok(())
}

fn add_thread(world: &mut World, at: IssueRef, demo_thread: &DemoThread) -> Result<(), Refusal> {
    let mut comments = demo_thread.comments.iter();
    let Some((opener, body)) = comments.next() else {
        return Ok(());
    };
    world.clock.advance(Duration::minutes(95));
    let first = NewReviewComment {
        path: demo_thread.path.to_owned(),
        line: Some(demo_thread.line),
        start_line: None,
        side: Side::Right,
        body: (*body).to_owned(),
    };
    let (thread, _) = world.add_review_comment(&Viewer::full(opener), at, first)?;
    for (author, body) in comments {
        world.clock.advance(Duration::minutes(40));
        world.reply_to_thread(&Viewer::full(author), at, thread, body)?;
    }
    if demo_thread.resolved {
        world.set_thread_resolved(&Viewer::full(opener), at, thread, true)?;
    }
    Ok(())
}

fn add_comments(world: &mut World, at: IssueRef, comments: &[(&str, &str)]) -> Result<(), Refusal> {
    for (author, body) in comments {
        world.clock.advance(Duration::hours(7));
        world.add_comment(&Viewer::full(author), at, body)?;
    }
    Ok(())
}

fn add_launchpad(world: &mut World) -> Result<(), Refusal> {
    world.clock.set(START + Duration::days(20));
    let id = world.add_repository("acme", "launchpad");
    if let Some(repo) = world.repo_mut(id) {
        repo.description = Some("Procedures and drawings of the launch site".to_owned());
        repo.visibility = Visibility::Private;
        repo.topics = vec!["operations".to_owned()];
    }
    world.add_label(
        id,
        "documentation",
        "0075ca",
        "Improvements or additions to documentation",
    );
    let viewer = Viewer::full(VIEWER);
    for title in [
        "Draw the new hold-down clamps",
        "Update the evacuation plan",
    ] {
        let new = NewIssue {
            title: title.to_owned(),
            ..NewIssue::default()
        };
        world.create_issue(&viewer, id, new)?;
    }
    Ok(())
}

/// Deletes an account. Its issues and comments stay.
fn delete_account(world: &mut World, login: &str) {
    if let Some(user) = world.users.get_mut(login) {
        user.deleted = true;
    }
    for organization in world.organizations.values_mut() {
        organization.members.retain(|member| member != login);
    }
    for repo in &mut world.repositories {
        repo.collaborators.shift_remove(login);
    }
}

fn issue_type(world: &World, name: &str) -> Option<u64> {
    let acme = world.organization("acme")?;
    acme.issue_types
        .iter()
        .find(|kind| kind.name == name)
        .map(|kind| kind.id)
}

fn to_strings(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}
