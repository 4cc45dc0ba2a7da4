//! Which GitHub is talked to, and with which token.

use std::os::unix::fs::PermissionsExt as _;

use super::harness::{Github, Place};

const VIEW: &str = "run issue.view -R acme/rocket issue_number=1";

#[test]
fn the_two_addresses_are_honoured_each_for_its_api() {
    let (rest, graphql) = (Github::demo(), Github::demo());
    let place = Place::new()
        .online(&rest)
        .env("GITHUB_GRAPHQL_URL", format!("{}/graphql", graphql.url));
    assert_eq!(place.line(&format!("{VIEW} --route graphql")).code, 0);
    assert_eq!(
        (rest.sim.requests().len(), graphql.sim.requests().len()),
        (0, 1)
    );
    assert_eq!(place.line(&format!("{VIEW} --route rest")).code, 0);
    assert_eq!(
        (rest.sim.requests().len(), graphql.sim.requests().len()),
        (1, 1)
    );
}

#[test]
fn graphql_is_beside_the_rest_address_unless_said_otherwise() {
    let github = Github::demo();
    for (api, path) in [
        (github.url.clone(), "/graphql"),
        (format!("{}/", github.url), "/graphql"),
        (format!("{}/api/v3", github.url), "/api/graphql"),
        (format!("{}/api/v3/", github.url), "/api/graphql"),
    ] {
        github.sim.clear_requests();
        let place = Place::new().online(&github).env("GITHUB_API_URL", &api);
        let ran = place.line(&format!("{VIEW} --route graphql"));
        assert_eq!(ran.code, 0, "{api}: {ran:?}");
        assert_eq!(github.sim.requests()[0].path, path, "{api}");
        let ran = place.line(&format!("{VIEW} --route rest"));
        assert_eq!(ran.code, 0, "{api}: {ran:?}");
        let seen = github.sim.requests();
        assert!(
            seen[1].path.ends_with("/repos/acme/rocket/issues/1"),
            "{seen:?}"
        );
    }
}

#[test]
fn a_host_has_its_documented_addresses() {
    for (host, api) in [
        ("github.com", "https://api.github.com/"),
        ("octo.ghe.com", "https://api.octo.ghe.com/"),
        ("git.example.org", "https://git.example.org/api/v3"),
    ] {
        let doctor = Place::new().env("GH_HOST", host).run(&["doctor"]).json();
        assert_eq!(
            (&doctor["host"], &doctor["api_url"]),
            (&host.into(), &api.into())
        );
    }
}

#[test]
fn a_token_leaves_this_machine_encrypted_or_not_at_all() {
    for (name, address) in [
        ("GITHUB_API_URL", "http://api.github.com"),
        ("GITHUB_API_URL", "http://10.0.0.1:8080"),
        ("GITHUB_API_URL", "http://localhost.evil.example"),
        ("GITHUB_GRAPHQL_URL", "http://api.github.com/graphql"),
    ] {
        let place = Place::new().env("GITHUB_TOKEN", "any").env(name, address);
        for line in [VIEW, "doctor", "mcp"] {
            let ran = place.line(line);
            assert_eq!(
                (ran.code, &*ran.stdout),
                (2, ""),
                "{address} {line}: {ran:?}"
            );
            assert!(
                ran.stderr.contains("unencrypted: use https"),
                "{}",
                ran.stderr
            );
        }
    }
}

#[test]
fn wrong_addresses_are_refused_without_repeating_passwords() {
    let mut said = String::new();
    for (name, address) in [
        ("GITHUB_API_URL", "nonsense"),
        ("GITHUB_API_URL", "ftp://example.org"),
        ("GITHUB_API_URL", "https://me:sesame@example.org"),
        ("GITHUB_API_URL", "https://example.org?token=sesame"),
        ("GH_HOST", "not a host"),
        ("GH_HOST", "example.org/path"),
        ("GH_HOST", "me:sesame@example.org"),
    ] {
        let ran = Place::new().env(name, address).line(VIEW);
        assert_eq!(ran.code, 2, "{address}: {ran:?}");
        said.push_str(&ran.stderr);
    }
    insta::assert_snapshot!(said);
}

/// Which variable a host's token comes from, and what `gh` is given.
#[test]
fn tokens_belong_to_their_hosts() {
    for (host, variables, source, given) in [
        (
            "github.com",
            &["GITHUB_TOKEN"][..],
            "GITHUB_TOKEN",
            "GH_TOKEN=GITHUB_TOKEN-value",
        ),
        (
            "github.com",
            &["GH_TOKEN", "GITHUB_TOKEN"],
            "GH_TOKEN",
            "GH_TOKEN=GH_TOKEN-value",
        ),
        (
            "git.example.org",
            &["GITHUB_TOKEN", "GH_ENTERPRISE_TOKEN"],
            "GH_ENTERPRISE_TOKEN",
            "GH_ENTERPRISE_TOKEN=GH_ENTERPRISE_TOKEN-value",
        ),
        (
            "octo.ghe.com",
            &["GITHUB_TOKEN", "GH_ENTERPRISE_TOKEN"],
            "GITHUB_TOKEN",
            "GH_TOKEN=GITHUB_TOKEN-value",
        ),
    ] {
        let mut place = Place::new().env("GH_HOST", host);
        let seen = place.path().join("seen");
        let script = format!("#!/bin/sh\n/usr/bin/env >'{}'\nexit 1\n", seen.display());
        let gh = place.write("gh", script);
        std::fs::set_permissions(&gh, std::fs::Permissions::from_mode(0o755)).unwrap();
        place = place.env("CAPSTAN_GH", gh);
        for name in variables {
            place = place.env(name, format!("{name}-value"));
        }
        let doctor = place.run(&["doctor"]).json();
        assert_eq!(doctor["token"], format!("the variable {source}"), "{host}");
        place.line(&format!("{VIEW} --route cli"));
        let seen = std::fs::read_to_string(&seen).unwrap();
        let lines: Vec<_> = seen.lines().collect();
        assert!(lines.contains(&given), "{host}: {seen}");
        assert!(lines.contains(&&*format!("GH_HOST={host}")), "{seen}");
    }
}

/// Every spelling of a host, with every token in the environment: `gh` is shown the tokens of that
/// host and no others, and the other routes use the same one.
#[test]
fn no_spelling_of_a_host_brings_it_the_token_of_another() {
    const ALL: [&str; 4] = [
        "GH_TOKEN",
        "GITHUB_TOKEN",
        "GH_ENTERPRISE_TOKEN",
        "GITHUB_ENTERPRISE_TOKEN",
    ];
    for (host, spellings, source) in [
        (
            "github.com",
            &[
                "github.com",
                "GitHub.com",
                " github.com",
                "GITHUB.COM ",
                "github.com.",
                "github.com:443",
                "https://github.com",
                "HTTPS://GitHub.com/",
                "api.github.com",
                "www.GitHub.com",
            ][..],
            "GH_TOKEN",
        ),
        (
            "octo.ghe.com",
            &["octo.ghe.com", "Octo.GHE.com.", " api.octo.ghe.com"],
            "GH_TOKEN",
        ),
        (
            "git.example.org",
            &[
                "git.example.org",
                " Git.Example.org. ",
                "git.example.org:443",
            ],
            "GH_ENTERPRISE_TOKEN",
        ),
        (
            "github.com.example.org",
            &["GitHub.com.example.org"],
            "GH_ENTERPRISE_TOKEN",
        ),
    ] {
        for spelling in spellings {
            let mut place = Place::new().env("GH_HOST", spelling);
            let seen = place.path().join("seen");
            let script = format!("#!/bin/sh\n/usr/bin/env >'{}'\nexit 1\n", seen.display());
            let gh = place.write("gh", script);
            std::fs::set_permissions(&gh, std::fs::Permissions::from_mode(0o755)).unwrap();
            place = place.env("CAPSTAN_GH", gh);
            for name in ALL {
                place = place.env(name, format!("{name}-value"));
            }
            let doctor = place.run(&["doctor", "--offline"]).json();
            assert_eq!(doctor["host"], host, "{spelling:?}");
            assert_eq!(
                doctor["token"],
                format!("the variable {source}"),
                "{spelling:?}"
            );
            place.line(&format!("{VIEW} --route cli"));
            let seen = std::fs::read_to_string(&seen).unwrap();
            let lines: Vec<_> = seen.lines().collect();
            assert!(
                lines.contains(&&*format!("GH_HOST={host}")),
                "{spelling:?}: {seen}"
            );
            for name in ALL {
                let is_own = name.contains("ENTERPRISE") == source.contains("ENTERPRISE");
                let is_shown = seen.contains(&format!("{name}-value"));
                assert_eq!(is_shown, is_own, "{spelling:?} {name}: {seen}");
            }
        }
    }
}

/// Where two variables name two GitHubs, nobody can say whose the token is.
#[test]
fn addresses_and_hosts_that_disagree_are_refused() {
    for variables in [
        &[
            ("GH_HOST", "git.example.org"),
            ("GITHUB_API_URL", "https://api.github.com"),
        ][..],
        &[
            ("GH_HOST", "github.com"),
            ("GITHUB_API_URL", "https://git.example.org/api/v3"),
        ],
        &[
            ("GH_HOST", " GitHub.com"),
            ("GITHUB_GRAPHQL_URL", "https://git.example.org/api/graphql"),
        ],
        &[
            ("GITHUB_API_URL", "https://api.github.com"),
            ("GITHUB_GRAPHQL_URL", "https://git.example.org/api/graphql"),
        ],
        &[
            ("GITHUB_API_URL", " HTTPS://git.example.org/api/v3"),
            ("GITHUB_GRAPHQL_URL", "https://api.github.com/graphql"),
        ],
        &[
            ("GH_HOST", "octo.ghe.com"),
            ("GITHUB_API_URL", "https://api.hubot.ghe.com"),
        ],
        &[("GH_HOST", "github.com:8443")],
        &[("GH_HOST", "ghe.com")],
        &[("GH_HOST", "\u{ff47}ithub.com")],
    ] {
        let mut place = Place::new();
        for name in ["GITHUB_TOKEN", "GH_ENTERPRISE_TOKEN"] {
            place = place.env(name, "any");
        }
        for (name, value) in variables {
            place = place.env(name, value);
        }
        let ran = place.line(VIEW);
        assert_eq!((ran.code, &*ran.stdout), (2, ""), "{variables:?}: {ran:?}");
        let said = &ran.stderr;
        assert!(said.contains("is invalid"), "{variables:?}: {said}");
    }
    // One address says which GitHub it is, in any spelling.
    for (name, address) in [
        ("GITHUB_API_URL", " HTTPS://Git.Example.org/api/v3"),
        ("GITHUB_GRAPHQL_URL", "https://git.example.org./api/graphql"),
    ] {
        let place = Place::new()
            .env("GH_TOKEN", "of github.com")
            .env("GH_ENTERPRISE_TOKEN", "of the server")
            .env(name, address);
        let doctor = place.run(&["doctor", "--offline"]).json();
        assert_eq!(doctor["host"], "git.example.org", "{address}");
        assert_eq!(
            doctor["token"], "the variable GH_ENTERPRISE_TOKEN",
            "{address}"
        );
    }
    // Only `GITHUB_TOKEN` goes with such an address; `GH_TOKEN` is GitHub.com's.
    let place = Place::new()
        .env("GH_TOKEN", "of github.com")
        .env("GITHUB_API_URL", "https://git.example.org/api/v3");
    assert_eq!(
        place.run(&["doctor", "--offline"]).json()["token"],
        "nowhere"
    );
}

/// A token of github.com is not given to another host, unless that host's address comes with it,
/// as in GitHub Actions on an Enterprise server.
#[test]
fn a_token_goes_to_no_other_host() {
    let place = Place::new()
        .env("GITHUB_TOKEN", "any")
        .env("GH_HOST", "git.example.org");
    assert_eq!(place.run(&["doctor"]).json()["token"], "nowhere");

    let address = "https://git.example.org/api/v3";
    let actions = Place::new()
        .env("GITHUB_TOKEN", "any")
        .env("GITHUB_API_URL", address);
    let doctor = actions.run(&["doctor"]).json();
    assert_eq!(doctor["token"], "the variable GITHUB_TOKEN");
    assert_eq!(doctor["host"], "git.example.org");
    assert_eq!(doctor["graphql_url"], "https://git.example.org/api/graphql");

    let usual = Place::new().env("GITHUB_API_URL", "https://api.github.com");
    assert_eq!(usual.run(&["doctor"]).json()["host"], "github.com");
}

/// A refused write must not land on another GitHub because gh knows one, and gh's login must not be
/// sent to an address that it was not made for.
#[test]
fn gh_is_not_used_for_a_github_that_it_does_not_know() {
    let place = Place::new();
    let called = place.path().join("called");
    let script = format!(
        "#!/bin/sh\necho \"$@\" >>'{}'\necho ghs_login\n",
        called.display()
    );
    let gh = place.write("gh", script);
    std::fs::set_permissions(&gh, std::fs::Permissions::from_mode(0o755)).unwrap();
    // Nothing listens on port 1.
    let place = place
        .env("CAPSTAN_GH", gh)
        .env("GITHUB_API_URL", "http://127.0.0.1:1");
    let write = "run issue.comments.create -R acme/rocket issue_number=1 body=hi";
    let ran = place.line(write);
    assert_eq!(ran.json()["error"]["code"], "AUTH", "{ran:?}");
    let place = place.env("GITHUB_TOKEN", "any");
    let ran = place.line(write);
    assert_eq!(ran.json()["error"]["code"], "NETWORK", "{ran:?}");
    assert_eq!(ran.json()["error"]["details"]["outcome"], "not_applied");
    assert!(!called.exists(), "{:?}", std::fs::read_to_string(&called));
}

/// gh reads `HOST/OWNER/REPO` and whole addresses: an owner must not choose where the token goes,
/// nor become a flag.
#[test]
fn an_owner_is_no_host_and_no_flag() {
    let place = Place::new().env("GITHUB_TOKEN", "any");
    let called = place.path().join("called");
    let gh = place.write(
        "gh",
        format!("#!/bin/sh\necho \"$@\" >>'{}'\n", called.display()),
    );
    std::fs::set_permissions(&gh, std::fs::Permissions::from_mode(0o755)).unwrap();
    place.write(
        "cards/loose.yaml",
        r#"
capability_id: loose.view
version: 1.0.0
description: A card that does not say what an owner is.
operation: READ
input_schema: {type: object, required: [owner, repo], properties: {owner: {type: string}, repo: {type: string}}}
output_schema: {type: object, properties: {name: {type: string}}}
no_graphql: this card is about gh
cli: {command: repo view, args: ["{owner}/{repo}"], json_fields: [name], output: {fields: {name: name}}}
"#,
    );
    let place = place.env("CAPSTAN_GH", gh);
    for owner in [
        "evil.example/acme",
        "https://evil.example/acme",
        "-b",
        "a b",
        "a:b",
    ] {
        for card in ["repo.view", "loose.view"] {
            let word = format!("owner={owner}");
            let line = [
                "--cards",
                "cards",
                "run",
                card,
                &word,
                "repo=rocket",
                "--route",
                "cli",
            ];
            let ran = place.run(&line);
            assert_eq!(ran.code, 2, "{card} {owner}: {ran:?}");
            assert_eq!(ran.json()["error"]["code"], "VALIDATION", "{card} {owner}");
        }
    }
    assert!(!called.exists(), "{:?}", std::fs::read_to_string(&called));
}
