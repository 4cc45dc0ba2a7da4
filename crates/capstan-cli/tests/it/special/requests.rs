//! Requests that are built in an unusual way: a body on DELETE, a read by POST, slashes in a value of the path.

use capstan_core::{Options, Route};
use capstan_engine::{Policy, Settings};
use github_sim::{Fault, FaultKind};
use serde_json::{Value, json};

use crate::support::{Bench, Setup};

#[tokio::test]
async fn a_body_on_delete_arrives() {
    let accounts = json!({"account_urls": ["https://social.acme.test/@maya"]});
    for route in [Route::Rest, Route::Cli] {
        let bench = Bench::demo().await;
        let envelope = bench
            .run_on(route, "me.social_accounts.delete", &accounts)
            .await;
        assert!(envelope.ok, "{route}: {envelope:?}");
    }
    // The simulator refuses the same request without a body.
    let bench = Bench::demo().await;
    let bare = json!({"method": "DELETE", "path": "/user/social_accounts"});
    let refused = bench.run("github.rest", &bare, Options::default()).await;
    assert_eq!(refused.error.unwrap().details["status"], 422);
    // It really changes what the simulator models.
    let at = json!({"owner": "acme", "repo": "rocket", "pr_number": 49});
    let mut ask = at.clone();
    ask["reviewers"] = json!(["akira-mori"]);
    for (capability, is_there) in [
        ("pr.reviews.request", true),
        ("pr.reviews.unrequest", false),
    ] {
        let envelope = bench.run_on(Route::Rest, capability, &ask).await;
        assert!(envelope.ok, "{envelope:?}");
        let asked = bench
            .run_on(Route::Rest, "pr.requested_reviewers.view", &at)
            .await;
        let text = asked.data.unwrap().to_string();
        assert_eq!(text.contains("akira-mori"), is_there, "{text}");
    }
}

#[tokio::test]
async fn a_read_by_post_is_a_read() {
    let markdown = json!({"text": "# Title", "mode": "gfm"});
    let settings = Settings {
        policy: Policy {
            read_only: true,
            ..Policy::default()
        },
        ..Settings::default()
    };
    for route in [Route::Rest, Route::Cli] {
        let setup = Setup {
            settings: settings.clone(),
            ..Setup::default()
        };
        let bench = Bench::set_up(setup).await;
        // Like every read, it is sent again after a failure that tells nothing.
        bench.sim.inject(Fault::once(FaultKind::Status502Html));
        let envelope = bench.run_on(route, "markdown.render", &markdown).await;
        assert!(envelope.ok, "{route}: {envelope:?}");
        assert!(
            envelope.data.unwrap()["text"]
                .as_str()
                .unwrap()
                .contains("<p>")
        );
        assert_eq!(bench.sim.requests().len(), 2, "{route}");
    }
}

#[tokio::test]
async fn slashes_of_a_value_stay_and_nothing_else_does() {
    let bench = Bench::demo().await;
    let file = |path: &str| json!({"owner": "acme", "repo": "rocket", "path": path});
    for (path, sent) in [
        ("docs/a b/ü.md", "docs/a%20b/%C3%BC.md"),
        ("a?b#c/d", "a%3Fb%23c/d"),
        ("a/../../../user", "a/%2E%2E/%2E%2E/%2E%2E/user"),
        ("./x", "%2E/x"),
        ("a%2fb", "a%252fb"),
    ] {
        bench.sim.clear_requests();
        bench
            .run_on(Route::Rest, "repo.contents.view", &file(path))
            .await;
        let seen = bench.sim.requests();
        let seen: Vec<&str> = seen.iter().map(|it| it.path.as_str()).collect();
        assert!(
            seen.is_empty() || seen == [format!("/repos/acme/rocket/contents/{sent}")],
            "{path}: {seen:?}"
        );
    }
    let branch: Value = json!({"owner": "acme", "repo": "rocket", "ref": "tags/v1.0.0"});
    bench.sim.clear_requests();
    bench.run_on(Route::Rest, "git.ref.view", &branch).await;
    assert_eq!(
        bench.sim.requests()[0].path,
        "/repos/acme/rocket/git/ref/tags/v1.0.0"
    );
}
