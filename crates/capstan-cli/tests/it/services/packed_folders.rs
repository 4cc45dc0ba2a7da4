//! Folders of cards through the binary: packed once, read again after a change, and never trusted if somebody else could
//! have written the cache.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

use crate::cli::harness::Place;

fn card(description: &str) -> String {
    format!(
        "capability_id: thing.view\nversion: 1.0.0\ndescription: {description}\noperation: READ\nno_graphql: a test\n\
         input_schema: {{type: object, properties: {{}}}}\noutput_schema: {{type: object, properties: {{}}}}\n\
         rest: {{method: GET, path: /thing, output: {{fields: {{}}}}}}\n"
    )
}

/// Returns the files of the cache.
fn caches(place: &Place) -> Vec<PathBuf> {
    let folder = place.path().join("home/.cache/capstan/cards");
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().path()).collect()
}

#[track_caller]
fn says(place: &Place, words: &str) {
    let ran = place.line("--cards cards explain thing.view --json");
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.stdout.contains(words), "{words}: {ran:?}");
}

#[test]
fn a_changed_file_is_read_again() {
    let place = Place::new();
    place.write("cards/thing.yaml", card("Show one."));
    says(&place, "Show one.");
    says(&place, "Show one.");
    let files = caches(&place);
    assert_eq!(files.len(), 1);
    let mode = fs::metadata(&files[0]).unwrap().permissions().mode();
    assert_eq!(mode & 0o077, 0, "{mode:o}");
    // The text has the same length, and comes within the same second.
    place.write("cards/thing.yaml", card("Show two."));
    says(&place, "Show two.");
    assert_eq!(caches(&place).len(), 1);
}

#[test]
fn diagnostics_are_shown_every_time() {
    let place = Place::new();
    place.write("cards/thing.yaml", card("Show one."));
    place.write("cards/bad.yaml", "capability_id: [\n");
    place.write("cards/twice.yaml", card("Show another."));
    let runs: Vec<_> = (0..3)
        .map(|_| place.line("--cards cards explain thing.view"))
        .collect();
    for ran in &runs {
        assert!(ran.stderr.contains("bad.yaml"), "{ran:?}");
        assert!(ran.stderr.contains("twice.yaml"), "{ran:?}");
        assert_eq!(ran.stderr, runs[0].stderr);
    }
}

/// Replaces a cache by something else, made from a good one.
type Damage = fn(&PathBuf, &[u8]);

#[test]
fn a_cache_that_others_could_write_is_replaced() {
    let place = Place::new();
    place.write("cards/thing.yaml", card("Show one."));
    says(&place, "Show one.");
    let file = caches(&place).remove(0);
    let good = fs::read(&file).unwrap();
    // Somebody else's cache has another card in it.
    place.write("cards/thing.yaml", card("Show two."));
    says(&place, "Show two.");
    let other = fs::read(&file).unwrap();
    assert_ne!(good, other);
    let cases: [(&str, Damage); 5] = [
        ("writable by others", |file, good| {
            fs::write(file, good).unwrap();
            fs::set_permissions(file, fs::Permissions::from_mode(0o666)).unwrap();
        }),
        ("empty", |file, _| fs::write(file, b"").unwrap()),
        ("cut", |file, good| {
            fs::write(file, &good[..good.len() / 2]).unwrap();
        }),
        ("noise", |file, _| fs::write(file, [0xAB; 4096]).unwrap()),
        ("old", |file, good| fs::write(file, good).unwrap()),
    ];
    for (name, damage) in cases {
        damage(&file, &good);
        let ran = place.line("--cards cards explain thing.view --json");
        assert_eq!((ran.code, &*ran.stderr), (0, ""), "{name}: {ran:?}");
        assert!(ran.stdout.contains("Show two."), "{name}: {ran:?}");
        let mode = fs::metadata(&file).unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "{name}: it is replaced");
    }
}

#[test]
fn without_a_cache_folder_everything_works() {
    let place = Place::new();
    place.write("cards/thing.yaml", card("Show one."));
    let blocked = place.write("blocked", "a file");
    let place = place.env("XDG_CACHE_HOME", blocked);
    says(&place, "Show one.");
    says(&place, "Show one.");
}
