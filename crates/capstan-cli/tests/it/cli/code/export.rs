//! Capabilities as files.

use std::path::PathBuf;

use super::workshop::{DOUBLE, REPORT, Workshop};

fn files(workshop: &Workshop) -> Vec<PathBuf> {
    let folder = std::fs::read_dir(workshop.place.here()).unwrap();
    folder.map(|entry| entry.unwrap().path()).collect()
}

#[test]
fn what_is_exported_can_be_imported() {
    let workshop = Workshop::new();
    workshop.json(&["cap", "alias", "report", "issues"]);
    let exported = workshop.run(&["cap", "export"]);
    assert_eq!((exported.code, &*exported.stderr), (0, ""));
    let document = exported.json();
    assert_eq!(document["version"], 1);
    assert_eq!(document["capabilities"][0]["code"], DOUBLE);
    assert_eq!(document["capabilities"][1]["code"], REPORT);
    // A terminal shows the same document.
    let (_, shown) = workshop.place.raw_terminal(&["--demo", "cap", "export"]);
    let shown: serde_json::Value = serde_json::from_str(&shown).unwrap();
    assert_eq!(shown, document);

    let elsewhere = Workshop::empty();
    elsewhere.place.write("all.json", &exported.stdout);
    let imported = elsewhere.json(&["cap", "import", "all.json"]);
    assert_eq!(
        imported["data"]["capabilities"][1]["known"], false,
        "{imported}"
    );
    let again = elsewhere.place.run_with(
        &["--demo", "cap", "import", "-"],
        exported.stdout.as_bytes(),
    );
    assert_eq!(
        again.json()["data"]["capabilities"][1]["known"],
        true,
        "{again:?}"
    );
    assert_eq!(elsewhere.run(&["cap", "export"]).json(), document);
    assert_eq!(elsewhere.json(&["call", "double", "n=5"])["data"], 10);
    let found = elsewhere.json(&["cap", "lookup", "issues"]);
    assert_eq!(found["data"]["name"], "report");
}

#[test]
fn a_part_can_be_exported() {
    let workshop = Workshop::new();
    let document = workshop.run(&["cap", "export", "dou*"]).json();
    assert_eq!(document["capabilities"].as_array().unwrap().len(), 1);
    let nothing = workshop.run(&["cap", "export", "nothing"]).json();
    assert_eq!(nothing["capabilities"].as_array().unwrap().len(), 0);
}

#[test]
fn a_file_is_written_whole_and_not_over_another() {
    let workshop = Workshop::new();
    let written = workshop.json(&["cap", "export", "-o", "all.json"]);
    assert_eq!(written["data"]["file"], "all.json");
    assert_eq!(written["data"]["capabilities"], 2);
    let file = workshop.place.here().join("all.json");
    let first = std::fs::read_to_string(&file).unwrap();

    workshop.json(&["cap", "delete", "double"]);
    let refused = workshop.run(&["cap", "export", "-o", "all.json"]);
    assert_eq!(refused.code, 2);
    assert!(
        refused
            .stderr
            .contains("`all.json` exists: use --force to replace it"),
        "{refused:?}"
    );
    assert_eq!(std::fs::read_to_string(&file).unwrap(), first);

    workshop.json(&["cap", "export", "-o", "all.json", "--force"]);
    assert_ne!(std::fs::read_to_string(&file).unwrap(), first);
    assert_eq!(files(&workshop), [file]);

    let nowhere = workshop.run(&["cap", "export", "-o", "no/such/folder/all.json"]);
    assert_eq!(nowhere.code, 2);
    assert!(
        nowhere
            .stderr
            .contains("cannot write `no/such/folder/all.json`"),
        "{nowhere:?}"
    );
}

#[test]
fn what_is_no_export_is_refused() {
    let workshop = Workshop::empty();
    for (text, exit, said) in [
        ("", 2, "is not JSON"),
        ("nonsense", 2, "is not JSON"),
        ("[]", 2, "is not an export"),
        ("{}", 2, "capabilities"),
        (r#"{"version": 2, "capabilities": []}"#, 2, "VALIDATION"),
        (
            r#"{"capabilities": [{"name": "x", "intent": "x", "code": "("}]}"#,
            2,
            "capabilities.0",
        ),
        (
            r#"{"capabilities": [{"name": "no good", "intent": "x", "code": "1"}]}"#,
            2,
            "Invalid capability name",
        ),
    ] {
        let ran = workshop
            .place
            .run_with(&["--demo", "cap", "import", "-"], text.as_bytes());
        assert_eq!(ran.code, exit, "{text}: {ran:?}");
        let all = format!("{}{}", ran.stdout, ran.stderr);
        assert!(all.contains(said), "{text}: {all}");
    }
    assert_eq!(
        workshop.run(&["cap", "export"]).json()["capabilities"]
            .as_array()
            .unwrap()
            .len(),
        0
    );
}
