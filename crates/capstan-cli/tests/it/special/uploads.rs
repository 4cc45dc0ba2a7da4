//! Bodies that are not JSON: files of releases, which another host takes, and Markdown as it is.

use capstan_core::Route;
use github_sim::{Fault, FaultKind, Sim};
use serde_json::{Value, json};

use crate::cli::harness::{Github, Place};
use crate::support::Bench;

/// What no text has.
const BYTES: &[u8] = &[0x1f, 0x8b, 8, 0, 0xff, 0xfe, b'\r', b'\n', 0];

/// What the simulator has of a file that was uploaded: its name, its type, its bytes.
#[derive(Debug, PartialEq)]
struct Stored(String, String, Vec<u8>);

fn stored(sim: &Sim) -> Vec<Stored> {
    sim.world(|world| {
        let assets = world
            .memory
            .assets
            .iter()
            .filter(|asset| asset.release == 1212);
        assets
            .map(|it| Stored(it.name.clone(), it.content_type.clone(), it.bytes.clone()))
            .collect()
    })
}

fn kept(name: &str, content_type: &str, bytes: &[u8]) -> Stored {
    Stored(name.to_owned(), content_type.to_owned(), bytes.to_vec())
}

fn input(more: &Value) -> Value {
    let mut input = json!({"owner": "acme", "repo": "rocket", "release_id": 1212});
    for (name, value) in more.as_object().unwrap() {
        input[name] = value.clone();
    }
    input
}

#[test]
fn the_command_line_uploads_files() {
    let github = Github::demo();
    let place = Place::new().online(&github);
    place.write("dist/app.tgz", BYTES);
    place.write("notes.md", "grün\n");
    let upload = "run release.assets.upload -R acme/rocket release_id=1212";
    let planned = place.line(&format!("{upload} content=@dist/app.tgz --dry-run"));
    let plan: Value = serde_json::from_str(&planned.stdout).unwrap();
    let request = &plan["requests"][0];
    assert_eq!(request["host"], "uploads", "{planned:?}");
    let described = json!({"media_type": "application/gzip", "bytes": BYTES.len()});
    assert_eq!(request["raw"], described);
    assert_eq!(stored(&github.sim), []);

    for line in [
        format!("{upload} content=@dist/app.tgz"),
        format!("{upload} content=@notes.md name=README label=Notes"),
        format!("{upload} content=@dist/app.tgz name=own content_type=application/x-own"),
    ] {
        let ran = place.line(&line);
        assert_eq!(ran.code, 0, "{line}: {ran:?}");
    }
    assert_eq!(
        stored(&github.sim),
        [
            kept("app.tgz", "application/gzip", BYTES),
            kept("README", "text/plain", "grün\n".as_bytes()),
            kept("own", "application/x-own", BYTES),
        ]
    );
    let piped = place.run_with(
        &format!("{upload} content=@- name=piped")
            .split(' ')
            .collect::<Vec<_>>(),
        BYTES,
    );
    assert_eq!(piped.code, 0, "{piped:?}");
    assert_eq!(stored(&github.sim)[3].2, BYTES);
    let missing = place.line(&format!("{upload} content=@nowhere"));
    assert_eq!(missing.code, 2, "{missing:?}");
    assert!(
        missing.stderr.contains("cannot read `nowhere`"),
        "{missing:?}"
    );
}

/// A model that asks for `@/etc/passwd` gets a file with these letters, and not that file.
#[tokio::test]
async fn only_the_command_line_reads_files() {
    let bench = Bench::demo().await;
    let named = format!("@{}", file!());
    for (name, content, bytes) in [
        ("named", json!(named), named.as_bytes()),
        ("coded", json!({"base64": "AP8="}), &[0, 255]),
    ] {
        let input = input(&json!({"name": name, "content": content}));
        let envelope = bench
            .run_on(Route::Rest, "release.assets.upload", &input)
            .await;
        assert!(envelope.ok, "{envelope:?}");
        assert_eq!(stored(&bench.sim).last().unwrap().2, bytes);
    }
    let github = Github::demo();
    let place = Place::new().online(&github);
    place.write("secret.txt", "opensesame");
    let line = "release.assets.upload 1212 --name here --content @secret.txt";
    let lines = place.run(&["run", "-", "-R", "acme/rocket", line]);
    let step = json!([{
        "task": "release.assets.upload",
        "input": input(&json!({"name": "there", "content": "@secret.txt"})),
    }]);
    let chain = place.run_with(&["chain", "-"], step.to_string().as_bytes());
    assert_eq!((lines.code, chain.code), (0, 0), "{lines:?} {chain:?}");
    for stored in stored(&github.sim) {
        assert_eq!(stored.2, b"@secret.txt", "{stored:?}");
    }
    assert_eq!(stored(&github.sim).len(), 2);
}

#[tokio::test]
async fn what_is_no_file_is_refused_before_anything_is_sent() {
    let bench = Bench::demo().await;
    for (more, expected) in [
        (
            json!({"content": {"base64": "?"}}),
            "`content` is not valid Base64",
        ),
        (json!({"content": 7}), "content"),
        (
            json!({"content": "x", "content_type": "text/plain\r\nx-evil: 1"}),
            "is not a media type",
        ),
    ] {
        let mut input = input(&more);
        input["name"] = json!("x");
        let envelope = bench
            .run_on(Route::Rest, "release.assets.upload", &input)
            .await;
        let message = envelope.error.unwrap().message;
        assert!(message.contains(expected), "{message}");
    }
    assert_eq!(stored(&bench.sim), []);
}

#[tokio::test]
async fn an_upload_is_never_sent_twice() {
    let sim = Sim::demo();
    let bench = Bench::with(sim, std::time::Duration::from_secs(10)).await;
    bench.sim.inject(Fault::always(FaultKind::ResetAfter));
    let input = input(&json!({"name": "once", "content": "x"}));
    let envelope = bench
        .run_on(Route::Rest, "release.assets.upload", &input)
        .await;
    assert_eq!(envelope.error.unwrap().details["outcome"], "unknown");
    let sent = bench.sim.requests().into_iter();
    assert_eq!(sent.filter(|request| request.method == "POST").count(), 1);
}

#[test]
fn markdown_is_sent_as_it_is() {
    let github = Github::demo();
    let place = Place::new().online(&github);
    place.write("readme.md", "a < b\n\n\"c\"");
    let ran = place.line("run markdown.raw.render text=@readme.md --json");
    let envelope: Value = serde_json::from_str(&ran.stdout).unwrap();
    let html = "<p>a &lt; b</p>\n<p>&quot;c&quot;</p>\n";
    assert_eq!(envelope["data"]["text"], html, "{ran:?}");
}
