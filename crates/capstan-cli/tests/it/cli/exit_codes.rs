//! What the exit code says: 0 ok, 1 failed, 2 wrong usage or input, 4 not allowed.

use github_sim::{Fault, FaultKind};

use super::harness::{Github, Place};

const VIEW: &str = "run issue.view -R acme/rocket issue_number=1";

#[test]
fn nought_is_ok() {
    let github = Github::demo();
    let place = Place::new().online(&github);
    for line in [
        VIEW,
        "run issue.list -R acme/rocket label=no-such-label",
        "run issue.close -R acme/rocket issue_number=1",
        "run issue.close -R acme/rocket issue_number=1",
        "run issue.close -R acme/rocket issue_number=1 --dry-run",
        "explain issue.view",
        "list",
        "search nothing-like-this",
        "doctor",
        "setup claude",
        "--help",
        "--version",
        "run --help",
    ] {
        let ran = place.line(line);
        assert_eq!((ran.code, &*ran.stderr), (0, ""), "{line}: {ran:?}");
    }
}

#[test]
fn one_is_an_operation_that_failed() {
    let github = Github::demo();
    let place = Place::new().online(&github);
    for (line, code) in [
        (
            "run issue.view -R acme/rocket issue_number=4242",
            "NOT_FOUND",
        ),
        ("run issue.view -R acme/nothing issue_number=1", "NOT_FOUND"),
        ("run issu.view", "NOT_FOUND"),
        ("explain issu.view", "NOT_FOUND"),
        (
            "run workflow.runs.list -R acme/rocket --route graphql",
            "ADAPTER_UNSUPPORTED",
        ),
    ] {
        let ran = place.line(line);
        assert_eq!(ran.code, 1, "{line}: {ran:?}");
        assert_eq!(ran.json()["error"]["code"], code, "{line}");
    }
    let faults = [
        (FaultKind::Status500, "SERVER"),
        (FaultKind::Status502Html, "SERVER"),
        (FaultKind::Html200, "SERVER"),
        (FaultKind::ResetBefore, "NETWORK"),
        (
            FaultKind::Status429 {
                retry_after: Some(60),
            },
            "RATE_LIMIT",
        ),
    ];
    for (fault, code) in faults {
        github.sim.clear_faults();
        github.sim.inject(Fault::always(fault.clone()));
        let ran = place.line(&format!("{VIEW} --route graphql --timeout-ms 1500"));
        assert_eq!(ran.code, 1, "{fault:?}: {ran:?}");
        assert_eq!(ran.json()["error"]["code"], code, "{fault:?}");
    }
    let nobody = Place::new()
        .env("GITHUB_API_URL", "http://127.0.0.1:9")
        .env("GITHUB_TOKEN", "any");
    let ran = nobody.line(&format!("{VIEW} --timeout-ms 300"));
    assert_eq!(ran.code, 1);
    assert_eq!(ran.json()["error"]["code"], "NETWORK");
}

#[test]
fn two_is_wrong_usage_or_input() {
    let github = Github::demo();
    let place = Place::new().online(&github);
    for line in [
        "",
        "fly",
        "run",
        "run issue.view --route soap",
        "run issue.view --format xml",
        "run issue.view --timeout-ms soon",
        "run issue.view -R acme",
        "run issue.view nonsense",
        "run issue.view --input nonsense",
        "run issue.view -R acme/rocket",
        "run issue.view -R acme/rocket issue_number=one",
        "run issue.view -R acme/rocket issue_number=1 --fields nothing",
        "list nothing",
        "search",
        "explain",
        "explain E999",
        "setup emacs",
        "completions tcsh",
        "sim --port 70000",
        "--config nothing.toml list",
    ] {
        let ran = place.line(line);
        assert_eq!(ran.code, 2, "{line}: {ran:?}");
        let said = format!("{}{}", ran.stdout, ran.stderr);
        assert!(!said.trim().is_empty(), "{line}");
    }
    assert_eq!(github.sim.requests(), []);
}

#[test]
fn four_is_not_logged_in_or_not_allowed() {
    let ran = Place::new().line(VIEW);
    assert_eq!(ran.code, 4);
    assert_eq!(ran.json()["error"]["code"], "AUTH");
    assert_eq!(Place::new().line("doctor").code, 4);

    let github = Github::demo();
    let place = Place::new().online(&github);
    for fault in [FaultKind::Status401, FaultKind::Status403Scope] {
        github.sim.clear_faults();
        github.sim.inject(Fault::always(fault.clone()));
        let ran = place.line(VIEW);
        assert_eq!(ran.code, 4, "{fault:?}: {ran:?}");
        assert_eq!(ran.json()["error"]["code"], "AUTH", "{fault:?}");
    }
}
