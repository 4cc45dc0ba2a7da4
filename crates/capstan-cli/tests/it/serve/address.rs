//! Where it listens, for whom, and what it says when it cannot.

use std::net::{Ipv4Addr, TcpListener};

use super::server::Server;
use crate::cli::harness::Place;

const TOKEN: &str = "a-token-that-callers-show";

#[test]
fn a_port_that_is_taken_is_said() {
    let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let ran = Place::new().run(&["serve", "--addr", &address]);
    assert_eq!((ran.code, &*ran.stdout), (2, ""), "{ran:?}");
    let said = format!("cannot listen on {address}");
    assert!(ran.stderr.contains(&said), "{ran:?}");
    assert!(ran.stderr.contains("--addr"), "{ran:?}");
}

#[test]
fn addresses_are_read_strictly() {
    let place = Place::new();
    for address in ["7717", "localhost", "example.org:80", "127.0.0.1:99999", ""] {
        let ran = place.run(&["serve", "--addr", address]);
        assert_eq!(ran.code, 2, "{ran:?}");
        assert!(ran.stderr.contains("such as 127.0.0.1:7717"), "{ran:?}");
    }
}

#[test]
fn other_machines_need_a_token() {
    let place = Place::new();
    let ran = place.run(&["serve", "--addr", "0.0.0.0:0"]);
    assert_eq!((ran.code, &*ran.stdout), (2, ""), "{ran:?}");
    assert_eq!(
        ran.stderr,
        "error: 0.0.0.0 is reachable from other machines, so a token is required: use --token-file, or set CAPSTAN_TOKEN\n"
    );
    for (text, what) in [
        ("short", "at least 16 characters"),
        ("", "at least 16 characters"),
        ("two words two words two words", "without spaces"),
        (
            "many-lines-many-lines\nmany-lines-many-lines",
            "on one line",
        ),
    ] {
        let file = place.write("token", text);
        let ran = place.run(&[
            "serve",
            "--addr",
            "0.0.0.0:0",
            "--token-file",
            file.to_str().unwrap(),
        ]);
        assert_eq!(ran.code, 2, "{ran:?}");
        assert!(ran.stderr.contains(what), "{ran:?}");
        assert!(text.is_empty() || !ran.stderr.contains(text), "{ran:?}");
    }
    let ran = place.run(&["serve", "--addr", "0.0.0.0:0", "--token-file", "nowhere"]);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(
        ran.stderr.contains("cannot read the token file `nowhere`"),
        "{ran:?}"
    );
}

#[test]
fn a_token_comes_from_a_file_or_from_the_environment() {
    let place = Place::new();
    place.write("token", format!("{TOKEN}\n"));
    let by_file = Server::start_with(&place, &[], &["--token-file", "token"]);
    let named = Place::new().env("CAPSTAN_TOKEN", TOKEN);
    let by_name = Server::start(&named, &[]);
    let good = format!("Bearer {TOKEN}");
    for server in [by_file, by_name] {
        assert_eq!(server.get("/api/capabilities").status, 401);
        assert_eq!(server.get("/health").status, 200);
        let headers = [("Authorization", &*good)];
        let reply = server.ask("GET /api/capabilities", &headers, "");
        assert_eq!(reply.status, 200, "{reply:?}");
        // It is never told, whoever asks.
        let reply = server.ask(&format!("GET /{TOKEN}"), &headers, "");
        assert_eq!(reply.status, 404);
        assert!(!reply.body.contains(TOKEN), "{reply:?}");
    }
}

#[test]
fn logs_have_no_secrets() {
    let place = Place::new()
        .env("CAPSTAN_LOG", "debug")
        .env("CAPSTAN_TOKEN", TOKEN);
    let server = Server::start(&place, &[]);
    let good = format!("Bearer {TOKEN}");
    for (request, authorization) in [
        (format!("GET /{TOKEN}"), &*good),
        (format!("GET /api/search?q={TOKEN}"), &*good),
        ("GET /health".to_owned(), "Bearer not-the-one-you-look-for"),
        ("GET /".to_owned(), "Bearer not-the-one-you-look-for"),
    ] {
        server.ask(&request, &[("Authorization", authorization)], "");
    }
    let logged = server.stop_and_read(&place);
    assert!(logged.contains("GET /health 200"), "{logged}");
    assert!(logged.contains("GET / 401"), "{logged}");
    assert!(logged.contains("GET /[redacted] 404"), "{logged}");
    assert!(!logged.contains(TOKEN), "{logged}");
    assert!(!logged.contains("not-the-one"), "{logged}");
}

#[test]
fn names_of_hosts_are_read_strictly() {
    let place = Place::new();
    for host in [
        "",
        "http://capstan.example",
        "*.example",
        "capstan.example/",
        "two words",
        "capstan.example:port",
        ":7717",
        "[::1",
    ] {
        let ran = place.run(&["serve", "--addr", "127.0.0.1:0", "--allow-host", host]);
        assert_eq!((ran.code, &*ran.stdout), (2, ""), "{host}: {ran:?}");
        assert!(ran.stderr.contains("host:port"), "{host}: {ran:?}");
    }
    let hosts = ["capstan.example", "other.example:8080", "[::1]:99"];
    let args = hosts.iter().flat_map(|host| ["--allow-host", *host]);
    let server = Server::start_with(&place, &[], &args.collect::<Vec<_>>());
    assert_eq!(server.get("/health").status, 200);
}
