//! Reading repositories: themselves, their labels, releases and workflow runs.

use std::time::Duration;

use capstan_core::ErrorCode::{NotFound, Validation};
use github_sim::world::{Permission, Repository, RunConclusion, RunStatus, Visibility, World};
use serde_json::json;

use super::case::Case;
use super::case::Expect::{Data, Pages, Refusal};
use super::issues::renamed;
use super::issues_changed::many_milestones;
use super::seeds::{STRANGE_TITLE, VIEWER, label_amply, open_issue, rocket};

pub(super) fn cases() -> Vec<Case> {
    [view(), labels(), milestones(), releases(), runs()]
        .into_iter()
        .flatten()
        .collect()
}

fn view() -> Vec<Case> {
    let case = |state, expect, input| Case::new("repo.view", state, expect, input);
    vec![
        case("of the demo", Data, json!({})).shows(json!({
            "visibility": "public", "default_branch": "main", "permission": "admin", "license": "apache-2.0",
        })),
        case("private", Data, json!({"repo": "launchpad"})).shows(json!({"visibility": "private"})),
        case("bare", Data, json!({})).on(|world| bare(demo(world))),
        case("archived fork", Data, json!({}))
            .on(|world| {
                let repo = demo(world);
                repo.archived = true;
                repo.is_fork = true;
                repo.visibility = Visibility::Internal;
            })
            .shows(json!({"archived": true, "fork": true, "visibility": "internal"})),
        case("unicode", Data, json!({}))
            .on(|world| demo(world).description = Some(STRANGE_TITLE.to_owned()))
            .shows(json!({"description": STRANGE_TITLE})),
        case("another default branch", Data, json!({}))
            .on(|world| demo(world).default_branch = "engine-vote".to_owned())
            .shows(json!({"default_branch": "engine-vote"})),
        case("to maintain", Data, json!({}))
            .on(|world| permit(world, Permission::Maintain))
            .shows(json!({"permission": "maintain"})),
        case("to write", Data, json!({}))
            .on(|world| permit(world, Permission::Write))
            .shows(json!({"permission": "write"})),
        case("to triage", Data, json!({}))
            .on(|world| permit(world, Permission::Triage))
            .shows(json!({"permission": "triage"})),
        case("to read", Data, json!({}))
            .on(|world| permit(world, Permission::Read))
            .shows(json!({"permission": "read"})),
        case("former name", Data, json!({"repo": "missile"}))
            .on(renamed)
            .shows(json!({"full_name": "acme/rocket"})),
        case(
            "missing repository",
            Refusal(NotFound),
            json!({"repo": "nope"}),
        ),
        case(
            "missing owner",
            Refusal(NotFound),
            json!({"owner": "nobody-at-all"}),
        ),
        case("empty name", Refusal(Validation), json!({"repo": ""})),
    ]
}

fn milestones() -> Vec<Case> {
    let case = |state, expect, input| Case::new("repo.milestones.list", state, expect, input);
    vec![
        case("open", Data, json!({})).shows(json!({"milestones": [
            {"number": 2, "title": "v1.1 Hop test", "state": "open"},
            {"number": 3, "title": "v2.0 Orbital", "state": "open"},
        ]})),
        case("closed", Data, json!({"state": "closed"}))
            .shows(json!({"milestones": [{"number": 1, "state": "closed"}]})),
        case("none", Data, json!({"repo": "launchpad", "state": "all"}))
            .shows(json!({"milestones": []})),
        case(
            "several pages",
            Pages(123),
            json!({"state": "all", "first": 50}),
        )
        .on(many_milestones),
        case(
            "missing repository",
            Refusal(NotFound),
            json!({"repo": "nope"}),
        ),
        case("page too small", Refusal(Validation), json!({"first": 0})),
    ]
}

fn labels() -> Vec<Case> {
    let case = |state, expect, input| Case::new("repo.labels.list", state, expect, input);
    vec![
        case("of the demo", Data, json!({})),
        case("none", Data, json!({}))
            .on(|world| demo(world).labels.clear())
            .shows(json!({"labels": []})),
        case(
            "unicode, mixed letter case, no descriptions",
            Data,
            json!({"first": 100}),
        )
        .on(many_labels),
        case("one page of several", Data, json!({"first": 5})),
        case("several pages", Pages(42), json!({"first": 10})).on(many_labels),
        case(
            "missing repository",
            Refusal(NotFound),
            json!({"repo": "nope"}),
        ),
        case("page too large", Refusal(Validation), json!({"first": 101})),
    ]
}

fn releases() -> Vec<Case> {
    let case = |state, expect, input| Case::new("release.list", state, expect, input);
    vec![
        case("of the demo", Data, json!({})).shows(json!({"releases": [
            {"tag": "v1.1.0-rc.1", "latest": false, "prerelease": true},
            {"tag": "v1.0.0", "latest": true},
            {"tag": "v0.9.0", "latest": false},
        ]})),
        case("none", Data, json!({"repo": "launchpad"})).shows(json!({"releases": []})),
        case("a draft without a name", Data, json!({})).on(|world| {
            many_releases(world);
            let newest = demo(world).releases.last_mut().unwrap();
            newest.draft = true;
            newest.name = None;
            newest.published_at = None;
        }),
        case("one page of several", Data, json!({"first": 2})),
        case("several pages", Pages(38), json!({"first": 10})).on(many_releases),
        case(
            "missing repository",
            Refusal(NotFound),
            json!({"repo": "nope"}),
        ),
        case("page too small", Refusal(Validation), json!({"first": 0})),
    ]
}

fn runs() -> Vec<Case> {
    let case = |state, expect, input| Case::new("workflow.runs.list", state, expect, input);
    vec![
        case("of the demo", Data, json!({})),
        case("none", Data, json!({"repo": "launchpad"})).shows(json!({"runs": []})),
        case("by branch", Data, json!({"branch": "cbor"})),
        case(
            "by missing branch",
            Data,
            json!({"branch": "no-such-branch"}),
        )
        .shows(json!({"runs": []})),
        case("by event", Data, json!({"event": "schedule"})),
        case("by conclusion", Data, json!({"status": "failure"})),
        case("by status", Data, json!({"status": "in_progress"})),
        case(
            "by branch, event and status",
            Data,
            json!({"branch": "main", "event": "push", "status": "success"}),
        ),
        case("unicode and every status", Data, json!({"first": 100})).on(many_runs),
        case("still running", Data, json!({"status": "queued"}))
            .on(many_runs)
            .shows(
                json!({"runs": [{"conclusion": null, "completed_at": null, "duration_s": null}]}),
            ),
        case(
            "attempt that ended",
            Data,
            json!({"branch": "main", "first": 1}),
        )
        .on(last_run_took_73_seconds)
        .shows(json!({"runs": [{"status": "completed", "duration_s": 73}]})),
        case("one page of several", Data, json!({"first": 5})),
        case("several pages", Pages(47), json!({"first": 20})).on(many_runs),
        case(
            "missing repository",
            Refusal(NotFound),
            json!({"repo": "nope"}),
        ),
        case(
            "unknown status",
            Refusal(Validation),
            json!({"status": "bored"}),
        ),
    ]
}

fn demo(world: &mut World) -> &mut Repository {
    let repo = rocket(world);
    world.repo_mut(repo).unwrap()
}

fn bare(repo: &mut Repository) {
    repo.description = None;
    repo.homepage = None;
    repo.language = None;
    repo.license = None;
    repo.topics.clear();
    repo.stars = 0;
}

fn permit(world: &mut World, permission: Permission) {
    let collaborators = &mut demo(world).collaborators;
    collaborators.insert(VIEWER.to_owned(), permission);
}

pub(super) fn many_labels(world: &mut World) {
    open_issue(world);
    label_amply(world);
    for label in demo(world).labels.iter_mut().step_by(3) {
        label.description = None;
    }
}

pub(super) fn many_releases(world: &mut World) {
    let repo = rocket(world);
    for index in 0..35 {
        let (tag, name) = (format!("v3.{index}"), format!("{STRANGE_TITLE} {index}"));
        world.add_release(repo, &tag, &name, VIEWER, index % 2 == 0);
    }
}

/// The newest run began again an hour after it was created, and then took 73 seconds.
fn last_run_took_73_seconds(world: &mut World) {
    let repo = rocket(world);
    let workflow = world.add_workflow(repo, "Night", ".github/workflows/night.yml");
    world.add_run(
        repo,
        workflow,
        "main",
        "push",
        VIEWER,
        Some(RunConclusion::Failure),
    );
    let run = demo(world).runs.last_mut().unwrap();
    run.run_attempt = 2;
    run.started_at = run.created_at + Duration::from_secs(3600);
    run.updated_at = run.started_at + Duration::from_secs(73);
}

pub(super) fn many_runs(world: &mut World) {
    let repo = rocket(world);
    let workflow = world.add_workflow(repo, "Prüfung 🚀", ".github/workflows/p.yml");
    let conclusions = [
        Some(RunConclusion::Success),
        Some(RunConclusion::TimedOut),
        Some(RunConclusion::ActionRequired),
        Some(RunConclusion::Neutral),
        None,
    ];
    for index in 0..35 {
        let conclusion = conclusions[index % conclusions.len()];
        world.add_run(repo, workflow, "main", "push", VIEWER, conclusion);
        let run = demo(world).runs.last_mut().unwrap();
        run.display_title = format!("{STRANGE_TITLE} {index}");
        if index == 34 {
            run.status = RunStatus::Queued;
        }
    }
}
