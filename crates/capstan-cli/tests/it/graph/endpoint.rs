//! Search by the vectors of an endpoint that fails, recovers, and changes its mind.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use serde_json::{Value, json};

use crate::cli::harness::Place;

/// How long its vectors are; 0 is nonsense instead of vectors.
struct Endpoint {
    url: String,
    length: Arc<AtomicUsize>,
    asked: Arc<AtomicUsize>,
}

impl Endpoint {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let (length, asked) = (Arc::default(), Arc::default());
        let endpoint = Self {
            url,
            length: Arc::clone(&length),
            asked: Arc::clone(&asked),
        };
        thread::spawn(move || {
            for stream in listener.incoming() {
                asked.fetch_add(1, Ordering::SeqCst);
                answer(stream.unwrap(), length.load(Ordering::SeqCst));
            }
        });
        endpoint
    }

    fn asked(&self) -> usize {
        self.asked.swap(0, Ordering::SeqCst)
    }
}

fn answer(mut stream: TcpStream, length: usize) {
    let mut read = Vec::new();
    let body = loop {
        let mut some = [0; 65_536];
        let count = stream.read(&mut some).unwrap();
        read.extend(&some[..count]);
        let text = String::from_utf8_lossy(&read).into_owned();
        let Some((head, body)) = text.split_once("\r\n\r\n") else {
            continue;
        };
        let is_length = |line: &&str| line.to_lowercase().starts_with("content-length:");
        let expected = head.lines().find(is_length).unwrap();
        let expected: usize = expected.split(':').nth(1).unwrap().trim().parse().unwrap();
        if body.len() >= expected {
            break body.to_owned();
        }
    };
    let request: Value = serde_json::from_str(&body).unwrap();
    let vectors = request["input"].as_array().unwrap().iter();
    let vectors = vectors.map(|text| vector(text.as_str().unwrap(), length));
    let rows = vectors.enumerate();
    let rows: Vec<_> = rows
        .map(|(index, vector)| json!({"index": index, "embedding": vector}))
        .collect();
    let body = match length {
        0 => "nonsense".to_owned(),
        _ => json!({"data": rows}).to_string(),
    };
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    stream
        .write_all(format!("{head}{body}").as_bytes())
        .unwrap();
}

/// Texts with a word in common are near each other.
fn vector(text: &str, length: usize) -> Vec<f64> {
    let mut vector = vec![0.01; length];
    for word in text.to_lowercase().split_whitespace() {
        let sum: usize = word.bytes().map(usize::from).sum();
        if let Some(number) = vector.get_mut(sum % length.max(1)) {
            *number += 1.0;
        }
    }
    vector
}

/// Vectors cost something: they are kept also where nothing is remembered yet, and when something is.
#[test]
fn vectors_are_kept_without_a_store() {
    let place = Place::new();
    let endpoint = Endpoint::start();
    endpoint.length.store(32, Ordering::SeqCst);
    let config = format!("[search]\nendpoint = \"{}\"\nmodel = \"m\"\n", endpoint.url);
    let config = place.write("search.toml", config);
    let with = ["--demo", "--config", config.to_str().unwrap(), "--json"];
    let run = |more: &[&str]| {
        let ran = place.run(&[&with[..], more].concat());
        assert_eq!(ran.code, 0, "{ran:?}");
        endpoint.asked()
    };
    assert!(run(&["search", "close an issue"]) > 10);
    assert_eq!(run(&["search", "close an issue"]), 1);
    run(&["exec", "-e", "return 1", "--intent", "say one"]);
    // The first time with a store, the code is new.
    run(&["search", "say one"]);
    assert_eq!(run(&["search", "say one"]), 1);
}

/// Without the key, everything works but what needs it.
#[test]
fn a_key_that_is_not_set_stops_nothing_else() {
    let place = Place::new();
    let config = "[search]\nendpoint = \"http://127.0.0.1:9/v1\"\nmodel = \"m\"\nkey_variable = \"NO_SUCH_KEY\"\n";
    let config = place.write("search.toml", config);
    let with = ["--demo", "--config", config.to_str().unwrap()];
    let run = |more: &[&str]| {
        let ran = place.run(&[&with[..], more].concat());
        assert_eq!(ran.code, 0, "{ran:?}");
        ran
    };
    run(&["run", "issue.view", "-R", "acme/rocket", "issue_number=1"]);
    let found = run(&["search", "close an issue"]);
    assert!(found.stdout.contains("issue.close"), "{found:?}");
    assert!(found.stderr.contains("NO_SUCH_KEY"), "{found:?}");
    let doctor = run(&["doctor", "--json"]);
    let report: Value = serde_json::from_str(&doctor.stdout).unwrap();
    assert_eq!(report["search"]["ready"], false, "{report}");
}

#[test]
fn what_an_endpoint_could_not_do_is_done_later() {
    let place = Place::new();
    let endpoint = Endpoint::start();
    let config = format!("[search]\nendpoint = \"{}\"\nmodel = \"m\"\n", endpoint.url);
    let config = place.write("search.toml", config);
    let config = config.to_str().unwrap();
    let kept = place.run(&["--demo", "exec", "-e", "return 1", "--intent", "say one"]);
    assert_eq!(kept.code, 0, "{kept:?}");
    let search = || {
        let found = place.run(&[
            "--demo",
            "--config",
            config,
            "--json",
            "search",
            "close an issue",
        ]);
        let is_near = found.stdout.contains("meaning");
        (is_near, found.stderr.contains("not by meaning"))
    };
    // It is asked once, not once for each group of capabilities; what it did not do is not kept as done.
    assert_eq!(search(), (false, true));
    assert_eq!(endpoint.asked(), 1);
    endpoint.length.store(32, Ordering::SeqCst);
    assert_eq!(search(), (true, false));
    assert!(endpoint.asked() > 10);
    // Now only the query is new.
    assert_eq!(search(), (true, false));
    assert_eq!(endpoint.asked(), 1);
    // Vectors of another length are those of another model: everything is asked for anew, once.
    endpoint.length.store(64, Ordering::SeqCst);
    assert_eq!(search(), (true, false));
    assert!(endpoint.asked() > 10);
    assert_eq!(search(), (true, false));
    assert_eq!(endpoint.asked(), 1);
}
