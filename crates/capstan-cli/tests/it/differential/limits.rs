//! What the real `gh` cannot show as it is. If one of these fails, `gh` has learnt something, and
//! the state belongs into the tables.

use capstan_core::Route;
use github_sim::Sim;
use serde_json::{Value, json};

use super::seeds::open_issue;
use crate::support::Bench;

/// `gh` writes control characters as `^X` in all that it reads, and takes text that looks like
/// the escape of one for the character itself.
#[tokio::test]
async fn gh_writes_control_characters_its_own_way() {
    let rows = [
        ("escape: \u{1b}[31m", "escape: ^[[31m"),
        ("bell: \u{7}", "bell: ^G"),
        ("text: \\u001b[31m", "text: \\^[[31m"),
        ("tab, lines: \t\r\n", "tab, lines: \t\r\n"),
    ];
    for (body, shown_by_gh) in rows {
        let sim = Sim::demo();
        sim.world(|world| body.clone_into(&mut open_issue(world).body));
        let bench = Bench::with(sim, std::time::Duration::from_secs(10)).await;
        let mut shown = Vec::new();
        for route in Route::GITHUB {
            let input = json!({"owner": "acme", "repo": "rocket", "issue_number": 50});
            let envelope = bench.run_on(route, "issue.view", &input).await;
            let data = envelope.data.unwrap_or_default();
            shown.push((route, data["body"].clone()));
        }
        let expected = [
            (Route::Graphql, Value::from(body)),
            (Route::Rest, body.into()),
            (Route::Cli, shown_by_gh.into()),
        ];
        assert_eq!(shown, expected);
    }
}
