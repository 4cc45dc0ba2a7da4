//! A running `capstan serve`, and a client that writes and reads bytes.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Stdio};

use serde_json::{Value, json};

use crate::cli::harness::{CAPSTAN, Place, program};

pub(crate) struct Server {
    child: Child,
    /// `127.0.0.1:PORT`
    pub(crate) address: String,
}

/// A whole answer.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    /// Their names are in small letters.
    headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Server {
    /// On any port that is free, with flags of all commands.
    pub(crate) fn start(place: &Place, global: &[&str]) -> Self {
        Self::start_with(place, global, &[])
    }

    pub(crate) fn start_with(place: &Place, global: &[&str], args: &[&str]) -> Self {
        let mut child = place
            .command(CAPSTAN)
            .args(global)
            .args(["serve", "--addr", "127.0.0.1:0"])
            .args(args)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        stdout.read_line(&mut line).unwrap();
        let said: Value = serde_json::from_str(&line).unwrap();
        let url = said["url"].as_str().unwrap();
        let address = url.strip_prefix("http://").unwrap().to_owned();
        Self { child, address }
    }

    pub(crate) fn ask(&self, request: &str, headers: &[(&str, &str)], body: &str) -> Reply {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let (host, length) = (&self.address, body.len());
        let mut head = format!("{request} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n");
        if !body.is_empty() {
            head.push_str(&format!("Content-Length: {length}\r\n"));
        }
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        stream
            .write_all(format!("{head}\r\n{body}").as_bytes())
            .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let mut lines = head.split("\r\n");
        let status = lines.next().unwrap().split(' ').nth(1).unwrap();
        let headers = lines.map(|line| {
            let (name, value) = line.split_once(':').unwrap();
            (name.to_lowercase(), value.trim().to_owned())
        });
        Reply {
            status: status.parse().unwrap(),
            headers: headers.collect(),
            body: body.to_owned(),
        }
    }

    pub(crate) fn get(&self, path: &str) -> Reply {
        self.ask(&format!("GET {path}"), &[], "")
    }

    /// What is answered where nothing goes wrong.
    #[track_caller]
    pub(crate) fn json(&self, path: &str) -> Value {
        let reply = self.get(path);
        assert_eq!(reply.status, 200, "{path}: {reply:?}");
        reply.json()
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Reply {
        let kind = [("Content-Type", "application/json")];
        self.ask(&format!("POST {path}"), &kind, &body.to_string())
    }

    pub(crate) fn relate(&self, from: &str, to: &str, kind: &str) -> Reply {
        let path = format!("/api/capabilities/{from}/dependencies");
        let body = json!({"to_capability_id": to, "edge_type": kind});
        self.post(&path, &body)
    }

    /// Sends it a signal. What it exits with.
    pub(crate) fn stop(mut self, place: &Place, signal: &str) -> Option<i32> {
        self.send(place, signal);
        self.child.wait().unwrap().code()
    }

    /// Asks it to stop. What it wrote on standard error until then.
    pub(crate) fn stop_and_read(mut self, place: &Place) -> String {
        self.send(place, "-TERM");
        let mut said = String::new();
        let mut stderr = self.child.stderr.take().unwrap();
        stderr.read_to_string(&mut said).unwrap();
        said
    }

    pub(crate) fn send(&self, place: &Place, signal: &str) {
        let kill = program("kill").expect("this machine can send signals");
        let pid = self.child.id().to_string();
        let mut command = place.command(kill.to_str().unwrap());
        assert!(command.args([signal, &pid]).status().unwrap().success());
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Reply {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        let value = serde_json::from_str(&self.body);
        assert!(value.is_ok(), "not JSON: {self:?}");
        value.unwrap()
    }
}
