//! A secret in a file of steps is not repeated, wherever it stands.

use serde_json::json;

use super::steps::{step, view};
use crate::cli::harness::{Github, Place};
use crate::support::TOKEN;

/// Not of the shape of a token: it is known by its value only.
const PLAIN: &str = "7d1f0e5a9c3b8246e1f7a05d4c9b2836af50e7d1";

#[test]
fn no_secret_of_a_file_is_printed() {
    let github = Github::demo();
    let place = Place::new()
        .online(&github)
        .env("GH_ENTERPRISE_TOKEN", PLAIN);
    for secret in [TOKEN, PLAIN] {
        // A name starts with a letter.
        let name = format!("a{secret}");
        let chains = [
            json!([{"task": secret}]),
            json!([{"task": "repo.view", "as": secret}, view(1)]),
            json!([{"task": "repo.view", "as": name, "input": {"owner": "acme", "repo": "rocket"}}, view(1)]),
            json!([
                view(1),
                step(
                    "issue.close",
                    json!({"issue_number": format!("${name}.data.number")})
                )
            ]),
            json!([
                step(
                    "issue.comments.create",
                    json!({"issue_number": 1, "body": secret})
                ),
                view(4242)
            ]),
            json!([step("issue.view", json!({"issue_number": secret})), view(1)]),
            json!([
                step("issue.view", json!({"issue_number": 1, secret: 1})),
                view(1)
            ]),
            json!([{"task": "repo.view", "input": {"owner": secret, "repo": secret}}]),
            json!([{"task": "repo.view", secret: secret}]),
            json!([{"task": "repo.view", "options": {"route": secret}}]),
            json!([{"task": "repo.view", "options": {secret: 1}}]),
            json!([{"task": "repo.view", "options": {"fields": [secret]}}]),
            json!({"steps": [view(1)], secret: secret}),
            json!([secret]),
            json!(secret),
        ];
        for chain in chains {
            let file = format!("{secret}.json");
            place.write(&file, chain.to_string());
            for args in [
                &["--trace"][..],
                &["--format", "toon"],
                &["--dry-run"],
                &["--dry-run", "--json"],
            ] {
                let args = [&["chain", file.as_str()], args].concat();
                let ran = place.run(&args);
                let said = ran.all() + &place.raw_terminal(&args).1;
                assert!(!said.contains(&secret[4..20]), "{chain} {args:?}: {said}");
            }
        }
        place.write("bad.json", format!("[{{\"task\": {secret}}}]"));
        let ran = place.line("chain bad.json");
        assert!(!ran.all().contains(&secret[4..20]), "{ran:?}");
        let missing = place.run(&["chain", &format!("no/{secret}")]);
        assert!(!missing.all().contains(&secret[4..20]), "{missing:?}");
    }
}
