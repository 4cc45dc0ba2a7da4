//! `capstan sim`: a GitHub for other programs.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::process::{Child, Stdio};

use serde_json::{Value, json};

use super::harness::{CAPSTAN, Place, program};

/// A running `capstan sim` and what it said first.
struct Running {
    child: Child,
    said: Value,
}

fn start(place: &Place, args: &[&str]) -> Running {
    let mut child = place
        .command(CAPSTAN)
        .arg("sim")
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    stdout.read_line(&mut line).unwrap();
    let said = serde_json::from_str(&line).unwrap();
    Running { child, said }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// One request over plain HTTP; the answer as it came.
fn ask(url: &str, request: &str, body: &str) -> String {
    let address = url.strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(address).unwrap();
    let length = body.len();
    write!(stream, "{request} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn other_programs_use_it_break_it_and_stop_it() {
    let place = Place::new();
    let socket = place.path().join("github.sock");
    let mut sim = start(
        &place,
        &["--port", "0", "--socket", socket.to_str().unwrap()],
    );
    let url = sim.said["url"].as_str().unwrap().to_owned();
    let expected = json!({"url": url, "graphql_url": format!("{url}/graphql"), "socket": socket});
    assert_eq!(sim.said, expected);

    let client = Place::new()
        .env("GITHUB_API_URL", &url)
        .env("GITHUB_TOKEN", "any");
    let view = "run issue.view -R acme/rocket issue_number=1 --route graphql --timeout-ms 10000";
    assert_eq!(client.line(view).code, 0);
    let fault = ask(
        &url,
        "POST /_sim/faults",
        r#"{"kind":"status_401","times":null}"#,
    );
    assert!(fault.starts_with("HTTP/1.1 2"), "{fault}");
    assert_eq!(client.line(view).code, 4);
    ask(&url, "DELETE /_sim/faults", "");
    assert_eq!(client.line(view).code, 0);

    // The real gh, over the socket.
    let config = place.write(
        "gh/config.yml",
        format!("http_unix_socket: {}\n", socket.display()),
    );
    let gh = Place::new()
        .with_gh()
        .env("GITHUB_TOKEN", "any")
        .env("GH_CONFIG_DIR", config.parent().unwrap());
    let ran = gh.line("run issue.view -R acme/rocket issue_number=1 --route cli");
    assert_eq!(ran.code, 0, "{ran:?}");

    let Some(kill) = program("kill") else { return };
    let pid = sim.child.id().to_string();
    let asked = place
        .command(kill.to_str().unwrap())
        .args(["-INT", &pid])
        .status();
    assert!(asked.unwrap().success());
    assert_eq!(sim.child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_port_or_a_socket_that_is_taken_is_said() {
    let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let place = Place::new();
    let ran = place.run(&["sim", "--port", &port]);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(
        ran.stderr
            .starts_with(&format!("error: cannot listen at port {port}: ")),
        "{ran:?}"
    );

    let file = place.write("taken", "");
    let ran = place.run(&["sim", "--socket", file.to_str().unwrap()]);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(
        ran.stderr.contains("cannot listen at the socket"),
        "{ran:?}"
    );
    assert_eq!(std::fs::read(file).unwrap(), b"", "what was there stays");
}
