//! With secrets in the environment, no byte of them appears in any output, whatever goes wrong.

mod reflector;

use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use github_sim::{Fault, FaultKind};
use serde_json::json;

use crate::cli::harness::{Github, Place, Ran};
use reflector::{Mirror, Reflector};

/// Has the shape of a token.
const SHAPED: &str = "ghp_Xq7LmN2vR8sT4wY6zB1cD3fG5hJ9kP0aEuVo";
/// Has not: it is known by its value only.
const PLAIN: &str = "7d1f0e5a9c3b8246e1f7a05d4c9b2836af50e7d1";
/// Known to `gh` only.
const LOGIN: &str = "c0ffee5a1e7b0a7dead10cc0badf00d5eedfab1e";

const VIEW: &str = "run issue.view -R acme/rocket issue_number=1";
const CREATE: &str = "run issue.create -R acme/rocket title=Leak";

/// A card whose answer is a text of the server's.
const ECHO: &str = r#"
capability_id: echo.read
version: 1.0.0
description: Read what the server says.
operation: READ
input_schema: {type: object, properties: {text: {type: string}}}
output_schema: {type: object, properties: {text: {type: string}}}
no_graphql: this card is about REST
rest: {method: GET, path: /echo, output: {fields: {text: text}}}
cli: {command: echo view, json_fields: [text], output: {fields: {text: text}}}
"#;

fn place() -> Place {
    let place = Place::new()
        .env("GITHUB_TOKEN", SHAPED)
        .env("GH_ENTERPRISE_TOKEN", PLAIN)
        .env("CAPSTAN_LOG", "trace");
    place.write("cards/echo.yaml", ECHO);
    place
}

/// Asserts that nothing of a secret is in a text: not itself, not a piece of it, not its base64.
#[track_caller]
fn clean_text(text: &str, what: &str) {
    for secret in [SHAPED, PLAIN, LOGIN] {
        let pieces = (0..=secret.len() - 8).map(|at| secret[at..at + 8].to_owned());
        let encoded = [STANDARD.encode(secret), URL_SAFE_NO_PAD.encode(secret)];
        // As it stands in the middle of something that was encoded as a whole.
        let shifted = (0..3).map(|skip| {
            let inner = STANDARD_NO_PAD.encode(&secret[skip..]);
            inner[..inner.len() - 2].to_owned()
        });
        for trace in pieces.chain(encoded).chain(shifted) {
            assert!(!text.contains(&trace), "{what}: {trace} is in {text}");
        }
    }
}

#[track_caller]
fn clean(ran: &Ran, what: &str) {
    clean_text(&ran.stdout, what);
    clean_text(&ran.stderr, what);
}

/// The check itself must be able to fail.
#[test]
fn the_check_sees_whole_secrets_and_pieces() {
    for text in [
        format!("a {SHAPED} b"),
        format!("a {}… b", &PLAIN[..12]),
        STANDARD.encode(LOGIN),
        STANDARD.encode(format!("x-access-token:{PLAIN}")),
    ] {
        let seen = std::panic::catch_unwind(|| clean_text(&text, "on purpose"));
        assert!(seen.is_err(), "{text}");
    }
    clean_text("nothing here", "on purpose");
}

#[test]
fn every_command_in_a_pipe_and_on_a_terminal() {
    let github = Github::demo();
    let place = place()
        .with_gh()
        .env("GITHUB_API_URL", &github.url)
        .env("GH_CONFIG_DIR", github.gh_config.path());
    for line in [
        "list",
        "search label",
        "explain issue.view",
        "doctor",
        "doctor --json",
        "completions bash",
        "setup claude",
        "setup codex --dry-run",
        VIEW,
        CREATE,
        "run issue.view -R acme/rocket issue_number=1 --trace",
        "run issue.view -R acme/rocket issue_number=1 --route rest --trace",
        "run issue.view -R acme/rocket issue_number=1 --route cli --trace",
        "run issue.list -R acme/rocket --format toon",
        "run issue.create -R acme/rocket title=x --dry-run --route cli",
        "run issue.view -R acme/rocket issue_number=4242",
        "demo",
        "--demo doctor",
    ] {
        clean(&place.line(line), line);
        let words: Vec<_> = line.split_whitespace().collect();
        clean_text(&place.raw_terminal(&words).1, line);
    }
}

#[test]
fn every_fault_on_reads_and_writes() {
    let github = Github::demo();
    let place = place()
        .with_gh()
        .env("GITHUB_API_URL", &github.url)
        .env("GH_CONFIG_DIR", github.gh_config.path());
    let graphql_error = FaultKind::GraphqlError {
        error_type: "FORBIDDEN".to_owned(),
        message: format!("token {SHAPED} or {PLAIN} may not"),
        path: None,
    };
    for fault in [
        FaultKind::HangBefore,
        FaultKind::HangAfter,
        FaultKind::ResetBefore,
        FaultKind::ResetAfter,
        FaultKind::Status401,
        FaultKind::Status403Scope,
        FaultKind::Status403Secondary {
            retry_after: Some(1),
        },
        FaultKind::Status429 { retry_after: None },
        FaultKind::Status500,
        FaultKind::Status502Html,
        FaultKind::Status503,
        FaultKind::Truncated,
        FaultKind::PartialError { field: None },
        FaultKind::PrimaryLimit { reset_in: 60 },
        FaultKind::Html200,
        FaultKind::DataString,
        FaultKind::Huge { bytes: 12 << 20 },
        FaultKind::NotJson,
        graphql_error,
    ] {
        github.sim.clear_faults();
        github.sim.inject(Fault::always(fault.clone()));
        for line in [VIEW, CREATE] {
            for route in ["graphql", "rest", "cli"] {
                let line = format!("{line} --route {route} --trace --timeout-ms 400");
                clean(&place.line(&line), &format!("{fault:?}: {line}"));
            }
        }
    }
}

/// A server that sends back every header it got, in every place where a client might show it.
#[test]
fn a_server_that_echoes_the_authorization_header() {
    for mirror in Mirror::ALL {
        let server = Reflector::start(mirror, 0);
        let place = place().env("GITHUB_API_URL", &server.url);
        for line in [
            "run issue.view -R acme/rocket issue_number=1 --route graphql --trace --timeout-ms 400",
            "run issue.view -R acme/rocket issue_number=1 --route rest --trace --timeout-ms 400",
            "run issue.create -R acme/rocket title=x --route rest --trace",
            "run issue.close -R acme/rocket issue_number=1 --route graphql --trace",
            "--cards cards run echo.read --trace --full --timeout-ms 400",
            "--cards cards run echo.read --format toon --timeout-ms 400",
        ] {
            let ran = place.line(line);
            clean(&ran, &format!("{mirror:?}: {line}"));
            let words: Vec<_> = line.split_whitespace().collect();
            clean_text(&place.raw_terminal(&words).1, line);
        }
        assert!(
            server.saw(SHAPED),
            "{mirror:?}: the token was sent, and came back"
        );
    }
}

/// Long texts are cut. A secret in the middle of the cut must not survive by half.
#[test]
fn a_secret_where_a_text_is_cut() {
    for (mirror, longest) in [(Mirror::Data, 2000), (Mirror::Message, 600)] {
        for before in [5, 12, 20, 31, 39, 44] {
            let server = Reflector::start(mirror, longest - before);
            for token in [SHAPED, PLAIN] {
                let place = place()
                    .env("GITHUB_API_URL", &server.url)
                    .env("GITHUB_TOKEN", token);
                let ran = place.line("--cards cards run echo.read --timeout-ms 1500");
                assert!(server.saw(token), "{mirror:?}");
                assert!(ran.stdout.contains('…'), "{mirror:?}: {}", ran.stdout);
                clean(&ran, &format!("{mirror:?}, cut after {before}"));
            }
        }
    }
}

/// The login that `gh` keeps is no variable; it is known only once it was asked for.
#[test]
fn the_login_of_gh() {
    for mirror in Mirror::ALL {
        let server = Reflector::start(mirror, 0);
        let place = Place::new()
            .env("GITHUB_API_URL", &server.url)
            .env("CAPSTAN_LOG", "trace");
        place.write("cards/echo.yaml", ECHO);
        let script = format!(
            "#!/bin/sh\n[ \"$1 $2\" = 'auth token' ] && echo {LOGIN} && exit 0\nset >&2; echo '{{\"text\":\"token {LOGIN}\"}}'; exit $FAKE\n"
        );
        let gh = executable(&place, script);
        for exit in ["0", "1", "4"] {
            let place = Place::new()
                .env("GITHUB_API_URL", &server.url)
                .env("GH_HOST", "github.com")
                .env("FAKE", exit)
                .env("CAPSTAN_GH", &gh);
            place.write("cards/echo.yaml", ECHO);
            for line in [
                "doctor",
                "run issue.view -R acme/rocket issue_number=1 --route graphql --trace --timeout-ms 300",
                "run issue.view -R acme/rocket issue_number=1 --route rest --trace --timeout-ms 300",
                "--cards cards run echo.read --timeout-ms 300",
                "--cards cards run echo.read --route cli",
            ] {
                clean(&place.line(line), &format!("{mirror:?}: {line}"));
            }
        }
        assert!(server.saw(LOGIN), "{mirror:?}");
    }
}

/// A `gh` that prints its whole environment, where the token is.
#[test]
fn a_gh_that_prints_its_environment() {
    for (what, script) in [
        ("errors", "/usr/bin/env >&2; exit 1"),
        ("not logged in", "/usr/bin/env >&2; exit 4"),
        ("output", "/usr/bin/env; exit 0"),
        ("both", "/usr/bin/env; /usr/bin/env >&2; exit 1"),
        ("one line", "echo \"gh: $GH_TOKEN (HTTP 404)\" >&2; exit 1"),
        (
            "GraphQL",
            "echo \"GraphQL: $GH_TOKEN is bad (repository)\" >&2; exit 1",
        ),
        (
            "JSON",
            "printf '{\"text\":\"%s\"}' \"$GH_TOKEN$GH_ENTERPRISE_TOKEN\"",
        ),
        (
            "head",
            "printf 'HTTP/2.0 422 X\\nX-Token: %s\\r\\n\\r\\n{\"message\":\"%s\"}' \"$GH_TOKEN\" \"$GH_TOKEN\"; exit 1",
        ),
        (
            "request id",
            "printf 'HTTP/2.0 500 X\\nX-Github-Request-Id: %s\\r\\nX-Oauth-Scopes: %s\\r\\n\\r\\n{}' \"$GH_TOKEN\" \"$GH_TOKEN\"; exit 1",
        ),
        ("version", "echo gh version \"$GH_TOKEN\"; exit 0"),
    ] {
        let place = place();
        let gh = executable(&place, format!("#!/bin/sh\n{script}\n"));
        let place = place.env("CAPSTAN_GH", gh);
        for line in [
            "doctor",
            "run issue.view -R acme/rocket issue_number=1 --route cli --trace --timeout-ms 400",
            "run issue.close -R acme/rocket issue_number=1 --route cli --trace --timeout-ms 400",
            "run issue.create -R acme/rocket title=x --route cli --trace",
            "--cards cards run echo.read --route cli --trace --timeout-ms 400",
        ] {
            clean(&place.line(line), &format!("{what}: {line}"));
        }
    }
}

/// What a person types by mistake is not repeated.
#[test]
fn secrets_on_the_command_line_and_in_files() {
    let github = Github::demo();
    for secret in [SHAPED, PLAIN] {
        let place = place().env("GITHUB_API_URL", &github.url);
        let word = format!("title={secret}");
        let json = format!("{{\"{secret}\":\"{secret}\"}}");
        let toml = place.write("bad.toml", format!("host = {secret}\n"));
        let toml = toml.to_str().unwrap();
        place.write(
            &format!("bad/{secret}.yaml"),
            format!("capability_id: {secret}\n{secret}: {secret}\n"),
        );
        for args in [
            &[secret][..],
            &["run", secret],
            &["explain", secret],
            &["list", secret],
            &["search", secret],
            &["run", "issue.view", secret],
            &["run", "issue.view", "-R", secret],
            &["run", "issue.view", "--route", secret],
            &[
                "run",
                "issue.view",
                "--fields",
                secret,
                "-R",
                "acme/rocket",
                "issue_number=1",
            ],
            &["run", "issue.view", "--input", secret],
            &["run", "issue.view", "--input", &json],
            &["run", "issue.view", "-R", "acme/rocket", &word],
            &[
                "run",
                "issue.view",
                "-R",
                &format!("acme/{secret}"),
                "issue_number=1",
            ],
            &[
                "run",
                "issue.create",
                "-R",
                "acme/rocket",
                &word,
                "--dry-run",
            ],
            &["run", "issue.create", "-R", "acme/rocket", &word],
            &["--config", toml, "list"],
            &["--config", secret, "list"],
            &["--cards", secret, "list"],
            &["--cards", "bad", "list"],
            &["setup", "claude", "--path", secret, "--dry-run"],
            &["sim", "--socket", &format!("/no/such/{secret}")],
            &["completions", secret],
        ] {
            clean(&place.run(args), &format!("{args:?}"));
            clean_text(&place.raw_terminal(args).1, &format!("{args:?}"));
        }
        for (name, value) in [
            ("GITHUB_API_URL", format!("https://{secret}@api.github.com")),
            (
                "GITHUB_API_URL",
                format!("https://x:{secret}@api.github.com"),
            ),
            (
                "GITHUB_API_URL",
                format!("https://api.github.com?t={secret}"),
            ),
            ("GITHUB_GRAPHQL_URL", format!("http://{secret}.example")),
            ("GH_HOST", format!("{secret}@x")),
            ("GH_HOST", format!("{secret}/x")),
            ("CAPSTAN_LOG", format!("{secret}=[")),
            ("CAPSTAN_GH", format!("/no/such/{secret}")),
        ] {
            let place = self::place().env(name, value);
            for line in ["doctor", VIEW, "mcp"] {
                clean(&place.line(&format!("{line} ")), &format!("{name}: {line}"));
            }
        }
    }
}

/// Suggestions quote the words of an intent.
#[test]
fn secrets_in_intents() {
    for secret in [SHAPED, PLAIN] {
        let intents = [
            format!("close issue 3 of acme/rocket but do not touch {secret}"),
            format!("do not {secret}"),
            format!("create an issue \"{secret}\" in acme/rocket"),
            format!("create an issue in acme/{secret}"),
            format!("{secret} {secret}"),
            format!("add the label {secret} to issue 3 of acme/rocket"),
            format!("list issues of acme/rocket without {secret} unless {secret}"),
        ];
        let mut messages = String::new();
        for intent in &intents {
            for args in [
                &["suggest", intent][..],
                &["suggest", intent, "--json"],
                &["search", intent, "--json"],
            ] {
                clean(&place().run(args), &format!("{args:?}"));
            }
            for (tool, arguments) in [
                ("execute", json!({"intent": intent})),
                (
                    "execute",
                    json!({"intent": intent, "input": {"title": secret, secret: secret}}),
                ),
                ("search", json!({"intent": intent})),
            ] {
                let params = json!({"name": tool, "arguments": arguments});
                let id = messages.lines().count();
                let call =
                    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params});
                messages.push_str(&format!("{call}\n"));
            }
        }
        let ran = place().run_with(&["mcp"], messages.as_bytes());
        assert_eq!(ran.stdout.lines().count(), messages.lines().count());
        clean(&ran, "mcp");
    }
}

#[test]
fn mcp_over_standard_input_and_output() {
    let server = Reflector::start(Mirror::Message, 0);
    let place = place().env("GITHUB_API_URL", &server.url);
    let gh = executable(
        &place,
        "#!/bin/sh\n/usr/bin/env; /usr/bin/env >&2; exit 1\n".to_owned(),
    );
    let place = place.env("CAPSTAN_GH", gh);
    let call = |id: u32, name: &str, arguments: serde_json::Value| {
        json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": name, "arguments": arguments}}).to_string()
    };
    let view = json!({"owner": "acme", "repo": "rocket", "issue_number": 1});
    let options = |route: &str| json!({"route": route, "trace": true, "timeout_ms": 300});
    let mut input = Vec::new();
    let initialize = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": PLAIN, "version": SHAPED}}});
    writeln!(
        input,
        "{initialize}\n{}",
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"})
    )
    .unwrap();
    let lines = [
        call(1, "execute", json!({"capability": SHAPED, "input": {}})),
        call(
            2,
            "execute",
            json!({"capability": "issue.view", "input": {PLAIN: SHAPED}}),
        ),
        call(
            3,
            "execute",
            json!({"capability": "issue.view", "input": view, "options": options("graphql")}),
        ),
        call(
            4,
            "execute",
            json!({"capability": "issue.view", "input": view, "options": options("rest")}),
        ),
        call(
            5,
            "execute",
            json!({"capability": "issue.view", "input": view, "options": options("cli")}),
        ),
        call(
            6,
            "execute",
            json!({"capability": "echo.read", "input": {"text": PLAIN}}),
        ),
        call(7, "explain", json!({"capability": PLAIN})),
        call(8, "search", json!({"intent": format!("find {SHAPED}")})),
        call(9, SHAPED, json!({})),
        call(
            10,
            "execute",
            json!({"capability": "issue.view", "input": view, "options": {PLAIN: 1}}),
        ),
        json!({"jsonrpc": "2.0", "id": 11, "method": SHAPED}).to_string(),
        format!("{{ {PLAIN} "),
    ];
    for line in &lines {
        writeln!(input, "{line}").unwrap();
    }
    let ran = place.run_with(&["--cards", "cards", "mcp"], &input);
    assert_eq!(ran.code, 0, "{ran:?}");
    let answered: Vec<_> = (1..=11)
        .filter(|id| {
            ran.stdout.contains(&format!("\"id\":{id},"))
                || ran.stdout.contains(&format!("\"id\":{id}}}"))
        })
        .collect();
    assert_eq!(answered, (1..=11).collect::<Vec<_>>(), "{}", ran.stdout);
    clean(&ran, "mcp");
}

fn executable(place: &Place, script: String) -> PathBuf {
    let file = place.write("fake-gh", script);
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
    file
}
