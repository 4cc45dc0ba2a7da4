//! `capstan doctor` of what code needs.

use super::servers;
use super::workshop::Workshop;
use crate::cli::harness::{Place, timeless};

#[test]
fn in_a_pipe() {
    let workshop = Workshop::new();
    let report = workshop.json(&["doctor"]);
    assert_eq!(report["store"]["exists"], true);
    assert_eq!(report["store"]["capabilities"], 2);
    let file = report["store"]["file"].as_str().unwrap();
    assert!(
        file.ends_with("home/.local/share/capstan/demo.db"),
        "{file}"
    );
    assert_eq!(report["sandbox"]["isolation"], "process");
    assert!(report["sandbox"]["layers"].is_array());
    assert!(report["sandbox"]["missing"].is_array());
    assert!(report["sandbox"]["concurrency"].as_u64() > Some(0));
    assert_eq!(report["sandbox"]["limits"]["memory_mb"], 64);
    // As long as any other run.
    assert_eq!(report["sandbox"]["limits"]["wall_ms"], 40_000);
    assert_eq!(report["policy"]["read_only"], false);
    assert_eq!(report["scope"]["org"], "local");
    assert_eq!(report["scope"]["project"], "default");
    assert_eq!(report["routes"][0]["ready"], true);
}

#[test]
fn before_anything_is_remembered() {
    let report = Workshop::empty().json(&["doctor"]);
    assert_eq!(report["store"]["exists"], false);
    assert!(report["store"].get("capabilities").is_none(), "{report}");
    assert!(report["store"].get("why").is_none(), "{report}");
}

#[test]
fn what_the_configuration_says_is_told() {
    let _timeless = timeless();
    let place = Place::new();
    let config = "[policy]\nread_only = true\nallow = [\"issue.*\", \"cap.*\"]\ndeny = [\"pr.merge\"]\n\
        [scope]\norg = \"acme\"\nproject = \"rocket\"\nuser = \"maya\"\n\
        [sandbox]\nmemory_mb = 32\ncpu_ms = 500\noutput_kb = 8\ncalls = 5\nconcurrency = 3\n";
    place.write("other.toml", config);
    insta::assert_snapshot!(place.anonymous(&place.terminal("doctor --demo --config other.toml")));
    let report = place
        .run(&["--demo", "--config", "other.toml", "doctor"])
        .json();
    assert_eq!(report["policy"]["deny"][0], "pr.merge");
    assert_eq!(report["scope"]["user"], "maya");
    assert_eq!(report["sandbox"]["limits"]["cpu_ms"], 500);
    assert_eq!(report["sandbox"]["concurrency"], 3);
}

#[test]
fn read_only_can_be_asked_for() {
    let report = Workshop::empty().json(&["--read-only", "doctor"]);
    assert_eq!(report["policy"]["read_only"], true);
}

#[test]
fn a_store_that_cannot_be_used_is_said_to_be_so() {
    let workshop = Workshop::new();
    let file = workshop
        .place
        .path()
        .join("home/.local/share/capstan/demo.db");
    for beside in ["demo.db-wal", "demo.db-shm"] {
        let _ = std::fs::remove_file(file.with_file_name(beside));
    }
    std::fs::write(
        &file,
        "this is no database, but a text that is long enough to be one".repeat(40),
    )
    .unwrap();
    let report = workshop.json(&["doctor"]);
    let why = report["store"]["why"].as_str().unwrap();
    assert!(why.contains("demo.db"), "{why}");
    assert!(report["store"].get("capabilities").is_none());
    let screen = workshop.screen(&["doctor"]);
    assert!(screen.contains("not yet store: "), "{screen}");
    // Cards are listed all the same.
    let listed = workshop.run(&["list"]);
    assert_eq!(listed.code, 0, "{listed:?}");
    assert!(
        listed
            .stderr
            .starts_with("warning: code was not searched: "),
        "{}",
        listed.stderr
    );
}

#[test]
fn servers_are_asked_all_at_once() {
    let place = servers::place();
    let [flag, file] = &servers::flags(&place);
    let ran = place.run(&["--demo", flag, file, "doctor"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let report = ran.json();
    let of = |name: &str| {
        let servers = report["servers"].as_array().unwrap();
        servers
            .iter()
            .find(|it| it["server"] == name)
            .unwrap()
            .clone()
    };
    let weather = of("weather");
    assert_eq!(weather["up"], true, "{report}");
    assert_eq!(weather["name"], "weather-station 1");
    assert_eq!(weather["tools"], 2);
    assert_eq!(weather["left_out"]["count"], 1, "{weather}");
    let why = weather["left_out"]["why"][0].as_str().unwrap();
    assert!(why.starts_with("`has blanks`: its name must"), "{why}");
    for name in ["dead", "mute"] {
        assert_eq!(of(name)["up"], false, "{report}");
        assert!(!of(name)["why"].as_str().unwrap().is_empty());
    }
    let (_, screen) = place.screen(&["--demo", flag, file, "doctor"]);
    assert!(
        screen.contains("ready   weather server weather-station 1, 2 tools; 1 left out"),
        "{screen}"
    );
    assert!(screen.contains("not yet dead: "), "{screen}");
}
