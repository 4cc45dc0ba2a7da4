//! The real `gh` against the simulator, over a Unix socket.
//!
//! The program is `CAPSTAN_GH` if set, else `.tools/gh` under the workspace root.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use github_sim::world::{IssueRef, RunConclusion};

use github_sim::{Fault, FaultKind, Server, Sim};
use serde_json::{Value, json};
use tempfile::TempDir;

#[tokio::test(flavor = "multi_thread")]
async fn issues_are_viewed() {
    let gh = Gh::new().await;
    let text = gh.ok("issue view 1 -R acme/rocket").await;
    assert!(text.contains("title:\tEngine 3 shuts down early"), "{text}");
    assert!(
        text.contains("labels:\tbug, flight-critical, propulsion"),
        "{text}"
    );
    let text = gh.ok("issue view 1 -R acme/rocket --comments").await;
    assert!(text.contains("keep the limit where it is"), "{text}");
    let issue = gh
        .json("issue view 1 -R acme/rocket --json number,title,state,author,labels,assignees,milestone,comments,url")
        .await;
    assert_eq!(issue["author"]["login"], "priya-nair");
    assert_eq!(issue["assignees"][0]["login"], "jonas-weber");
    assert_eq!(issue["milestone"]["title"], "v1.1 Hop test");
    assert_eq!(issue["comments"].as_array().unwrap().len(), 3);
    let (code, _, error) = gh.run("issue view 999 -R acme/rocket").await;
    assert_eq!(code, 1);
    assert!(
        error.contains("Could not resolve to an issue or pull request with the number of 999."),
        "{error}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn issues_are_listed_by_query_and_by_search() {
    let gh = Gh::new().await;
    let text = gh.ok("issue list -R acme/rocket --limit 3").await;
    assert_eq!(text.lines().count(), 3);
    assert!(text.starts_with("48\tOPEN\t"), "{text}");
    // With labels, gh searches, and asks for the last page of the results.
    let numbers = gh
        .json("issue list -R acme/rocket --label bug --limit 3 --json number")
        .await;
    assert_eq!(
        numbers,
        json!([{ "number": 48 }, { "number": 45 }, { "number": 39 }])
    );
    let closed = gh
        .json("issue list -R acme/rocket --state closed --json number,stateReason --limit 50")
        .await;
    assert_eq!(closed.as_array().unwrap().len(), 11);
    let mine = gh
        .json("issue list -R acme/rocket --assignee @me --json number")
        .await;
    assert_eq!(mine, json!([{ "number": 25 }, { "number": 5 }]));
    let found = gh
        .json("search issues engine --repo acme/rocket --match title --json number")
        .await;
    assert_eq!(
        found,
        json!([{ "number": 31 }, { "number": 14 }, { "number": 1 }])
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_issue_is_created_edited_and_closed() {
    let gh = Gh::new().await;
    let url = gh
        .args(&[
            "issue",
            "create",
            "-R",
            "acme/rocket",
            "--title",
            "From gh",
            "--body",
            "hello",
            "--label",
            "bug",
            "--label",
            "help wanted",
            "--assignee",
            "jonas-weber",
            "--milestone",
            "v2.0 Orbital",
        ])
        .await;
    assert_eq!(
        url.1.trim(),
        "https://github.com/acme/rocket/issues/50",
        "{}",
        url.2
    );
    gh.ok("issue comment 50 -R acme/rocket --body again").await;
    let edit = gh
        .args(&[
            "issue",
            "edit",
            "50",
            "-R",
            "acme/rocket",
            "--title",
            "Renamed",
            "--body",
            "new",
            "--add-label",
            "documentation",
            "--remove-label",
            "bug",
            "--add-assignee",
            "tomas-silva",
            "--remove-assignee",
            "jonas-weber",
            "--remove-milestone",
        ])
        .await;
    assert_eq!(edit.0, 0, "{}", edit.2);
    let closed = gh
        .args(&[
            "issue",
            "close",
            "50",
            "-R",
            "acme/rocket",
            "--reason",
            "not planned",
            "--comment",
            "bye",
        ])
        .await;
    assert_eq!(closed.0, 0, "{}", closed.2);
    let issue = gh
        .json("issue view 50 -R acme/rocket --json title,body,labels,assignees,milestone,state,stateReason,comments")
        .await;
    assert_eq!(
        (&issue["title"], &issue["body"]),
        (&json!("Renamed"), &json!("new"))
    );
    assert_eq!(
        (&issue["state"], &issue["stateReason"]),
        (&json!("CLOSED"), &json!("NOT_PLANNED"))
    );
    assert_eq!(
        names(&issue["labels"], "name"),
        ["documentation", "help wanted"]
    );
    assert_eq!(names(&issue["assignees"], "login"), ["tomas-silva"]);
    assert_eq!(issue["milestone"], Value::Null);
    assert_eq!(names(&issue["comments"], "body"), ["again", "bye"]);
    let (code, _, error) = gh.run("issue close 50 -R acme/rocket").await;
    assert_eq!(code, 0);
    assert!(error.contains("already closed"), "{error}");
    gh.ok("issue reopen 50 -R acme/rocket").await;
    let open = gh.sim.world(|world| {
        let repo = world.find_repo("acme", "rocket").unwrap();
        world
            .issue_at(IssueRef { repo, number: 50 })
            .unwrap()
            .is_open()
    });
    assert!(open);
    let (code, _, error) = gh
        .run("issue create -R acme/rocket --title x --body x --label nope")
        .await;
    assert_eq!(code, 1);
    assert!(error.contains("'nope' not found"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn pull_requests_are_viewed_listed_and_checked() {
    let gh = Gh::new().await;
    let text = gh.ok("pr view 27 -R acme/rocket").await;
    assert!(text.contains("reviewers:\tpriya-nair (Approved)"), "{text}");
    let pull = gh
        .json("pr view 49 -R acme/rocket --json state,reviewDecision,mergeable,mergeStateStatus,statusCheckRollup,files,commits,reviewRequests,headRefName")
        .await;
    assert_eq!(
        (&pull["reviewDecision"], &pull["mergeable"]),
        (&json!(""), &json!("MERGEABLE"))
    );
    assert_eq!(pull["statusCheckRollup"].as_array().unwrap().len(), 4);
    assert_eq!(pull["reviewRequests"][0]["login"], "jonas-weber");
    let open = gh
        .json("pr list -R acme/rocket --json number,isDraft")
        .await;
    assert_eq!(names(&open, "number"), ["49", "44", "38", "33", "27"]);
    let merged = gh
        .json("pr list -R acme/rocket --state merged --json number")
        .await;
    assert_eq!(names(&merged, "number"), ["23", "12", "7"]);
    let (code, text, _) = gh.run("pr checks 33 -R acme/rocket").await;
    assert_eq!(code, 1, "a failed check fails the command");
    assert!(text.contains("test (stable)\tfail\t1m33s"), "{text}");
    let green = gh
        .json("pr checks 27 -R acme/rocket --json name,bucket")
        .await;
    assert_eq!(green.as_array().unwrap().len(), 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn pull_requests_are_opened_reviewed_and_merged() {
    let gh = Gh::new().await;
    let url = gh
        .ok("pr create -R acme/rocket --title Count --body text --head count-dropped-frames --base main --label bug --reviewer jonas-weber")
        .await;
    assert_eq!(url.trim(), "https://github.com/acme/rocket/pull/50");
    let pull = gh
        .json("pr view 50 -R acme/rocket --json labels,reviewRequests,state")
        .await;
    assert_eq!(names(&pull["labels"], "name"), ["bug"]);
    assert_eq!(names(&pull["reviewRequests"], "login"), ["jonas-weber"]);
    gh.ok("pr comment 27 -R acme/rocket --body nice").await;
    gh.ok("pr review 27 -R acme/rocket --approve --body go")
        .await;
    gh.ok("pr review 33 -R acme/rocket --request-changes --body fix")
        .await;
    gh.ok("pr review 33 -R acme/rocket --comment --body hm")
        .await;
    gh.ok("pr merge 27 -R acme/rocket --squash --subject Vote --body because")
        .await;
    let merged = gh
        .json("pr view 27 -R acme/rocket --json state,mergedBy,mergeCommit,latestReviews")
        .await;
    assert_eq!(
        (&merged["state"], &merged["mergedBy"]["login"]),
        (&json!("MERGED"), &json!("maya-chen"))
    );
    let (code, _, error) = gh.run("pr merge 44 -R acme/rocket --merge").await;
    assert_eq!(code, 1);
    assert!(error.contains("not mergeable"), "{error}");
    gh.ok("pr ready 38 -R acme/rocket").await;
    gh.ok("pr close 38 -R acme/rocket").await;
    gh.ok("pr reopen 38 -R acme/rocket").await;
    gh.ok("pr edit 38 -R acme/rocket --title Notch --add-label bug")
        .await;
    let edited = gh
        .json("pr view 38 -R acme/rocket --json title,isDraft,state")
        .await;
    assert_eq!(
        edited,
        json!({ "isDraft": false, "state": "OPEN", "title": "Notch" })
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn repositories_releases_runs_and_labels() {
    let gh = Gh::new().await;
    let text = gh.ok("repo view acme/rocket").await;
    assert!(
        text.contains("Reusable launch vehicle flight software") && text.contains("# rocket"),
        "{text}"
    );
    let repo = gh.json("repo view acme/rocket --json nameWithOwner,visibility,stargazerCount,licenseInfo,defaultBranchRef").await;
    assert_eq!(
        (&repo["nameWithOwner"], &repo["stargazerCount"]),
        (&json!("acme/rocket"), &json!(1284))
    );
    let (code, _, error) = gh.run("repo view acme/nope").await;
    assert_eq!(code, 1);
    assert!(
        error.contains("Could not resolve to a Repository with the name 'acme/nope'."),
        "{error}"
    );
    let releases = gh
        .json("release list -R acme/rocket --json tagName,isLatest,isPrerelease")
        .await;
    assert_eq!(
        names(&releases, "tagName"),
        ["v1.1.0-rc.1", "v1.0.0", "v0.9.0"]
    );
    assert_eq!(releases[1]["isLatest"], true);
    let runs = gh
        .json("run list -R acme/rocket --status failure --json workflowName,conclusion,headBranch")
        .await;
    assert_eq!(names(&runs, "workflowName"), ["CI", "HIL"]);
    assert_eq!(gh.ok("label list -R acme/rocket").await.lines().count(), 12);
}

#[tokio::test(flavor = "multi_thread")]
async fn gh_api_uses_rest_and_graphql() {
    let gh = Gh::new().await;
    assert_eq!(
        gh.ok("api repos/acme/rocket --jq .full_name").await.trim(),
        "acme/rocket"
    );
    let text = gh.ok("api -i user --jq .login").await;
    assert!(
        text.starts_with("HTTP/1.1 200 OK") && text.trim().ends_with("maya-chen"),
        "{text}"
    );
    assert!(text.contains("X-Ratelimit-Limit: 5000"), "{text}");
    let pages = gh
        .ok("api --paginate repos/acme/rocket/issues?state=all&per_page=20 --jq .[].number")
        .await;
    assert_eq!(pages.lines().count(), 49);
    assert_eq!(
        gh.ok("api repos/acme/rocket/issues -f title=x --jq .number")
            .await
            .trim(),
        "50"
    );
    let (code, body, error) = gh.run("api repos/acme/rocket/issues/999").await;
    assert_eq!(code, 1);
    assert!(
        body.contains("\"Not Found\"") && error.contains("HTTP 404"),
        "{body} {error}"
    );
    let query = "query($endCursor: String) { repository(owner: \"acme\", name: \"rocket\") { labels(first: 5, after: $endCursor) { nodes { name } pageInfo { hasNextPage endCursor } } } }";
    let (_, labels, error) = gh
        .args(&[
            "api",
            "graphql",
            "--paginate",
            "-f",
            &format!("query={query}"),
            "--jq",
            ".data.repository.labels.nodes[].name",
        ])
        .await;
    assert_eq!(labels.lines().count(), 12, "{error}");
    let (code, _, error) = gh.run("api graphql -f query={nope}").await;
    assert_eq!(code, 1);
    assert!(
        error.contains("Field 'nope' doesn't exist on type 'Query'"),
        "{error}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn gh_is_logged_in_and_reports_faults_as_it_does_with_github() {
    let gh = Gh::new().await;
    let text = gh.ok("auth status").await;
    assert!(
        text.contains("Logged in to github.com account maya-chen"),
        "{text}"
    );
    let view = "api repos/acme/rocket/issues/1";
    for (kind, expected) in [
        (FaultKind::Status401, "HTTP 401"),
        (FaultKind::Status403Scope, "HTTP 403"),
        (FaultKind::Status502Html, "HTTP 502"),
        (FaultKind::ResetBefore, "EOF"),
        (FaultKind::Truncated, "unexpected EOF"),
    ] {
        gh.sim.inject(Fault::always(kind.clone()));
        let (code, _, error) = gh.run(view).await;
        gh.sim.clear_faults();
        assert_eq!(code, 1, "{kind:?}");
        assert!(error.contains(expected), "{kind:?}: {error}");
    }
    gh.ok(view).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn gh_downloads_logs_diffs_and_archives() {
    let gh = Gh::new().await;
    let run = gh.sim.world(|world| {
        let repo = world.find_repo("acme", "rocket").expect("the repository");
        let mut runs = world.repo(repo).expect("the repository").runs.iter();
        let failed = runs.find(|run| run.conclusion == Some(RunConclusion::Failure));
        failed.expect("a failed run").id
    });
    let log = gh.ok(&format!("run view {run} -R acme/rocket --log")).await;
    assert!(log.contains("build\tRun tests\t"), "{log}");
    let failed = format!("run view {run} -R acme/rocket --log-failed");
    let failed = gh.ok(&failed).await;
    assert!(failed.contains("##[error]Process completed"), "{failed}");
    let diff = gh.ok("pr diff 27 -R acme/rocket").await;
    assert!(
        diff.contains("diff --git a/propulsion/src/vote.rs"),
        "{diff}"
    );
    gh.ok("run download -R acme/rocket -n Rails -D out 29679449")
        .await;
    assert!(gh.home.path().join("out/results.txt").is_file());
}

/// Runs `gh` with its own home directory, so that the machine's login and cache do not matter.
struct Gh {
    sim: Sim,
    program: PathBuf,
    home: TempDir,
    _server: Server,
}

impl Gh {
    async fn new() -> Self {
        let program = program();
        let home = tempfile::tempdir().expect("a directory");
        let socket = home.path().join("sim.sock");
        let config = format!("http_unix_socket: {}\n", socket.display());
        std::fs::write(home.path().join("config.yml"), config).expect("gh's config");
        let sim = Sim::demo();
        let server = sim.serve_unix(&socket).await.expect("listen");
        Self {
            sim,
            program,
            home,
            _server: server,
        }
    }

    /// Runs a command whose arguments contain no spaces and which must succeed. Returns its standard output.
    async fn ok(&self, command: &str) -> String {
        let (code, out, error) = self.run(command).await;
        assert_eq!(code, 0, "gh {command}: {error}");
        out
    }

    async fn json(&self, command: &str) -> Value {
        let text = self.ok(command).await;
        serde_json::from_str(&text).unwrap_or_else(|e| panic!("gh {command}: {e}: {text}"))
    }

    async fn run(&self, command: &str) -> (i32, String, String) {
        self.args(&command.split(' ').collect::<Vec<_>>()).await
    }

    /// Runs a command. Returns exit code, standard output and standard error.
    #[expect(
        clippy::disallowed_methods,
        reason = "running gh is what these tests are for"
    )]
    async fn args(&self, args: &[&str]) -> (i32, String, String) {
        let home = self.home.path();
        let output = tokio::process::Command::new(&self.program)
            .args(args)
            .env_clear()
            .env("HOME", home)
            .env("PATH", "/usr/bin:/bin")
            .env("GH_CONFIG_DIR", home)
            .env("XDG_CACHE_HOME", home.join("cache"))
            .env("XDG_STATE_HOME", home.join("state"))
            .env("GH_TOKEN", "x")
            .env("GH_PROMPT_DISABLED", "1")
            .env("GH_NO_UPDATE_NOTIFIER", "1")
            .env("NO_COLOR", "1")
            .current_dir(home)
            .stdin(Stdio::null())
            .kill_on_drop(true)
            .output()
            .await
            .expect("gh runs");
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        (
            output.status.code().unwrap_or(-1),
            text(output.stdout),
            text(output.stderr),
        )
    }
}

#[expect(clippy::disallowed_methods, reason = "says which gh to test with")]
fn program() -> PathBuf {
    let path = match std::env::var_os("CAPSTAN_GH") {
        Some(path) => PathBuf::from(path),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.tools/gh"),
    };
    assert!(
        path.is_file(),
        "the real gh is missing at {}: run `make test`, which installs it, or set CAPSTAN_GH",
        path.display()
    );
    path
}

/// Returns one field of every item of a list, as text.
fn names(list: &Value, field: &str) -> Vec<String> {
    let items = list.as_array().expect("a list").iter();
    items
        .map(|item| {
            item[field]
                .as_str()
                .map_or_else(|| item[field].to_string(), str::to_owned)
        })
        .collect()
}
