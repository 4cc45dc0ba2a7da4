//! Which files are written, and where.

use std::path::{Path, PathBuf};

use super::workshop::{DOUBLE, Workshop};
use crate::cli::harness::Place;

/// Every file below a folder, by its path within it.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.push(path.strip_prefix(folder).unwrap().to_owned());
            }
        }
    }
    found.retain(|file| !file.starts_with("bin"));
    found.sort();
    found
}

/// SQLite keeps two more beside it.
fn stores(place: &Place) -> Vec<String> {
    let named = files(place.path())
        .into_iter()
        .map(|file| file.display().to_string());
    let mut stores: Vec<_> = named
        .map(|file| {
            file.trim_end_matches("-wal")
                .trim_end_matches("-shm")
                .to_owned()
        })
        .collect();
    stores.dedup();
    stores
}

const EVERYTHING: [&str; 17] = [
    "run issue.view issue_number=1",
    "cap list",
    "cap show double",
    "cap rename double twice",
    "cap lookup twice",
    "cap export",
    "trace list",
    "trace show last",
    "trace prune --keep 1",
    "call twice",
    "list",
    "search double",
    "explain twice",
    "explain cap.list",
    "doctor",
    "setup claude",
    "completions bash",
];

#[test]
fn only_the_store_is_written() {
    let workshop = Workshop::empty();
    workshop.learn("double", "double", DOUBLE);
    for line in EVERYTHING {
        let ran = workshop.run(&line.split(' ').collect::<Vec<_>>());
        assert_eq!(ran.code, 0, "{line}: {ran:?}");
    }
    assert_eq!(
        stores(&workshop.place),
        ["home/.local/share/capstan/demo.db"]
    );
}

#[test]
fn the_place_for_data_can_be_chosen() {
    let place = Place::new();
    let data = place.path().join("data");
    let workshop = Workshop {
        place: place.env("XDG_DATA_HOME", &data),
    };
    workshop.learn("double", "double", DOUBLE);
    assert_eq!(stores(&workshop.place), ["data/capstan/demo.db"]);
    // A relative path would be another place in every folder.
    let workshop = Workshop {
        place: Place::new().env("XDG_DATA_HOME", "data"),
    };
    workshop.learn("double", "double", DOUBLE);
    assert_eq!(
        stores(&workshop.place),
        ["home/.local/share/capstan/demo.db"]
    );
}

#[test]
fn the_demo_has_a_store_of_its_own() {
    let workshop = Workshop::empty();
    workshop.learn("double", "double", DOUBLE);
    let real = workshop.place.run(&["call", "double"]);
    assert_eq!(real.json()["error"]["code"], "NOT_FOUND", "{real:?}");
    let ran = workshop.place.run(&["exec", "-e", "1", "--intent", "one"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let folder = "home/.local/share/capstan/";
    let both = ["capstan.db", "demo.db"].map(|name| format!("{folder}{name}"));
    assert_eq!(stores(&workshop.place), both);
}

#[test]
fn looking_makes_no_file() {
    let place = Place::new();
    for line in [
        "list",
        "list --kind code",
        "search count issues",
        "explain issue.view",
        "explain cap.list",
        "explain nothing-like-this",
        "cap list",
        "cap export",
        "cap show nothing",
        "trace list",
        "trace show last",
        "doctor",
        "completions zsh",
    ] {
        place.line(line);
        assert_eq!(stores(&place), Vec::<String>::new(), "{line}");
    }
}

/// `HOME` may be missing, as in a service.
#[test]
fn without_a_place_nothing_is_remembered_and_all_else_works() {
    let workshop = Workshop {
        place: Place::new().env("HOME", ""),
    };
    let ran = workshop.json(&["exec", "-e", "1 + 1", "--intent", "add"]);
    assert_eq!(ran["data"], 2);
    assert_eq!(
        workshop.json(&["run", "issue.view", "issue_number=1"])["ok"],
        true
    );
    let listed = workshop.run(&["cap", "list"]);
    assert_eq!(listed.code, 1);
    assert_eq!(listed.json()["error"]["code"], "ADAPTER_UNSUPPORTED");
    let doctor = workshop.json(&["doctor"]);
    assert!(doctor["store"]["why"].is_string(), "{doctor}");
    assert_eq!(stores(&workshop.place), Vec::<String>::new());
}
