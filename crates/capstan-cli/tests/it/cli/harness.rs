//! Runs the binary as a person or a program would: in a folder and an environment of its own,
//! into a pipe or on a terminal, with or without a GitHub to talk to.

use std::ffi::{OsStr, OsString};
use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread::JoinHandle;

use github_sim::Sim;
use serde_json::Value;
use tempfile::TempDir;

use crate::support::{TOKEN, gh_program};

pub(crate) const CAPSTAN: &str = env!("CARGO_BIN_EXE_capstan");

/// A place to run `capstan` in. Nothing of the machine is visible but its programs: no token, no
/// login, no configuration.
pub(crate) struct Place {
    folder: TempDir,
    env: Vec<(OsString, OsString)>,
}

/// What came of a run.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Place {
    pub(crate) fn new() -> Self {
        let place = Self {
            folder: tempfile::tempdir().unwrap(),
            env: Vec::new(),
        };
        // Programs by name: a `gh` that the machine may have is not among them.
        let programs = place.path().join("bin");
        std::fs::create_dir(&programs).unwrap();
        let git = program("git").expect("git is installed");
        std::os::unix::fs::symlink(git, programs.join("git")).unwrap();
        let home = place.path().join("home");
        std::fs::create_dir(&home).unwrap();
        std::fs::create_dir(place.here()).unwrap();
        place.env("HOME", home).env("PATH", programs)
    }

    /// With the real `gh`, which is not logged in.
    pub(crate) fn with_gh(self) -> Self {
        self.env("CAPSTAN_GH", gh_program())
    }

    /// With a token and an address to use it at.
    pub(crate) fn online(self, github: &Github) -> Self {
        self.env("GITHUB_API_URL", &github.url)
            .env("GITHUB_TOKEN", TOKEN)
            .env("GH_HOST", "github.com")
    }

    pub(crate) fn env(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        let (name, value) = (name.as_ref().to_owned(), value.as_ref().to_owned());
        self.env.retain(|(known, _)| *known != name);
        self.env.push((name, value));
        self
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The folder that commands run in.
    pub(crate) fn here(&self) -> PathBuf {
        self.path().join("here")
    }

    /// Writes a file into that folder.
    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let file = self.here().join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, text).unwrap();
        file
    }

    /// Into a pipe, with nothing on standard input.
    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        self.run_with(args, b"")
    }

    pub(crate) fn run_with(&self, args: &[&str], stdin: &[u8]) -> Ran {
        let mut child = self
            .command(CAPSTAN)
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut pipe = child.stdin.take().unwrap();
        std::thread::scope(|scope| {
            // One that does not read its input is not waited for.
            scope.spawn(move || pipe.write_all(stdin));
            let output = child.wait_with_output().unwrap();
            Ran {
                code: output.status.code().expect("it ends by itself"),
                stdout: String::from_utf8(output.stdout).unwrap(),
                stderr: String::from_utf8(output.stderr).unwrap(),
            }
        })
    }

    /// The words of a command line without quotes.
    pub(crate) fn line(&self, line: &str) -> Ran {
        self.run(&line.split_whitespace().collect::<Vec<_>>())
    }

    /// On a terminal of 100 columns. Gives the exit code and all that it showed, with its colours.
    pub(crate) fn raw_terminal(&self, args: &[&str]) -> (i32, String) {
        self.typing(args, "")
    }

    /// The same, with somebody who types something, which the terminal shows too.
    pub(crate) fn typing(&self, args: &[&str], typed: &str) -> (i32, String) {
        self.typing_at(100, args, typed)
    }

    /// On a terminal of some columns.
    fn typing_at(&self, columns: u16, args: &[&str], typed: &str) -> (i32, String) {
        let (mut pty, pts) = pty_process::blocking::open().unwrap();
        pty.resize(pty_process::Size::new(40, columns)).unwrap();
        let mut command = pty_process::blocking::Command::new(CAPSTAN)
            .args(args)
            .current_dir(self.here())
            .env_clear()
            .env("TERM", "xterm-256color");
        for (name, value) in &self.env {
            command = command.env(name, value);
        }
        let mut child = command.spawn(pts).unwrap();
        pty.write_all(typed.as_bytes()).unwrap();
        let mut bytes = Vec::new();
        // The terminal's end of file is an error: nobody holds its other side any more.
        let _ = pty.read_to_end(&mut bytes);
        let code = child.wait().unwrap().code().expect("it ends by itself");
        let text = String::from_utf8(bytes).unwrap();
        (code, text.replace("\r\n", "\n"))
    }

    /// On a terminal, without the colours.
    pub(crate) fn terminal(&self, line: &str) -> String {
        let (_, text) = self.raw_terminal(&line.split_whitespace().collect::<Vec<_>>());
        without_colours(&text)
    }

    /// On a terminal: what stands on it in the end, without the colours. Lines may have been written
    /// over.
    pub(crate) fn screen(&self, args: &[&str]) -> (i32, String) {
        let (code, text) = self.raw_terminal(args);
        (code, overwritten(&without_colours(&text)))
    }

    /// On a terminal of some columns: what it shows at the end, with its colours.
    pub(crate) fn coloured_screen_at(&self, columns: u16, args: &[&str]) -> (i32, String) {
        let (code, text) = self.typing_at(columns, args, "");
        let lines = text.split('\n').map(|line| line.rsplit('\r').next());
        let lines: Vec<_> = lines.map(Option::unwrap_or_default).collect();
        (code, lines.join("\n"))
    }

    /// The same on a terminal of some columns.
    pub(crate) fn screen_at(&self, columns: u16, args: &[&str]) -> (i32, String) {
        let (code, text) = self.typing_at(columns, args, "");
        (code, overwritten(&without_colours(&text)))
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "the binary is what these tests are about"
    )]
    pub(crate) fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(self.here())
            .env_clear()
            .envs(self.env.iter().map(|(name, value)| (name, value)));
        command
    }

    /// A text with this place's folder and the port of its GitHub made the same on every machine.
    pub(crate) fn anonymous(&self, text: &str) -> String {
        let text = text.replace(&*self.path().to_string_lossy(), "[folder]");
        let mut parts = text.split("127.0.0.1:");
        let mut text = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            text.push_str("127.0.0.1:[port]");
            text.push_str(part.trim_start_matches(|c: char| c.is_ascii_digit()));
        }
        text.replace(&*gh_program().to_string_lossy(), "[gh]")
    }
}

impl Ran {
    pub(crate) fn json(&self) -> Value {
        let value = serde_json::from_str(&self.stdout);
        assert!(value.is_ok(), "not JSON: {self:?}");
        value.unwrap()
    }

    /// Everything that it said, for a snapshot.
    pub(crate) fn all(&self) -> String {
        let mut text = format!("exit {}\n", self.code);
        for (name, said) in [("stdout", &self.stdout), ("stderr", &self.stderr)] {
            if !said.is_empty() {
                text.push_str(&format!("--- {name}\n{said}"));
            }
        }
        text
    }
}

/// A simulator that serves on a port for as long as this value lives.
pub(crate) struct Github {
    pub(crate) sim: Sim,
    pub(crate) url: String,
    /// What `gh` needs to be told to talk to it.
    pub(crate) gh_config: TempDir,
    stop: Option<tokio::sync::oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Github {
    pub(crate) fn demo() -> Self {
        Self::serving(Sim::demo())
    }

    pub(crate) fn serving(sim: Sim) -> Self {
        let gh_config = tempfile::tempdir().unwrap();
        let socket = gh_config.path().join("github.sock");
        let config = format!("http_unix_socket: {}\n", socket.display());
        std::fs::write(gh_config.path().join("config.yml"), config).unwrap();
        let (stop, stopped) = tokio::sync::oneshot::channel();
        let (tell, told) = mpsc::channel();
        let served = sim.clone();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .unwrap();
            runtime.block_on(async {
                let address = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
                let http = served.serve_tcp(address).await.unwrap();
                let _unix = served.serve_unix(&socket).await.unwrap();
                tell.send(http.url()).unwrap();
                let _ = stopped.await;
            });
        });
        Self {
            sim,
            url: told.recv().unwrap(),
            gh_config,
            stop: Some(stop),
            thread: Some(thread),
        }
    }
}

impl Drop for Github {
    fn drop(&mut self) {
        drop(self.stop.take());
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

/// Leaves out of snapshots what differs from run to run and from machine to machine, for as long as
/// the value lives: dates, times, ids, and what holds the sandbox in.
pub(crate) fn timeless() -> impl Drop {
    let mut settings = without_hashes();
    for (found, shown) in [
        (r"\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?Z?", "[date]"),
        (r"\b01[0-9a-z]{14}\b", "[trace]"),
        (r" *━+ *", "  [bar]  "),
        (r"TOOK +", "TOOK  "),
        (r" *\b(\d+(\.\d+)? ms|\d+\.\d s)\b( {2,})?", " [time]  "),
        (r"mean_latency_ms [0-9.]+", "mean_latency_ms [n]"),
        (
            r#""(total_ms|adapter_ms|mean_latency_ms|duration_us|started_us|started_at|ms)":[0-9.]+"#,
            r#""$1":[n]"#,
        ),
        (r"\d+ at once", "[n] at once"),
        // Two routes share a budget, and nobody knows which asks first.
        (r"\d+ of 5000 left", "[n] of 5000 left"),
        (r#""remaining":\d+"#, r#""remaining":[n]"#),
        (r" {8}missing [^\n]*(\n {17}[^\n]*)*\n", ""),
        (r"layers   [^\n]*(\n {17}[^\n]*)*", "layers   […]"),
        (r#""layers":\[[^\]]*\]"#, r#""layers":[…]"#),
        (r#""missing":\[[^\]]*\]"#, r#""missing":[…]"#),
        (r#""concurrency":\d+"#, r#""concurrency":[n]"#),
        (r" +\n", "\n"),
    ] {
        settings.add_filter(found, shown);
    }
    settings.bind_to_scope()
}

/// Leaves out of snapshots what depends on how code is hashed.
pub(crate) fn hashless() -> impl Drop {
    without_hashes().bind_to_scope()
}

fn without_hashes() -> insta::Settings {
    let mut settings = insta::Settings::clone_current();
    for (found, shown) in [
        (
            r"\b(exec|unnamed)_[0-9a-f]{8}(\.[0-9a-f]{4})?",
            "${1}_[hash]",
        ),
        (r"\b[0-9a-f]{64}\b", "[hash]"),
    ] {
        settings.add_filter(found, shown);
    }
    settings
}

/// A program of the machine.
#[expect(
    clippy::disallowed_methods,
    reason = "tests find programs where the machine has them"
)]
pub(crate) fn program(name: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    capstan_github::find_program(name, &folders)
}

pub(crate) fn without_colours(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (codes, rest) = part.split_once('m').unwrap_or(("?", part));
        let is_colour = codes.bytes().all(|b| b.is_ascii_digit() || b == b';');
        assert!(is_colour, "something else than a colour: {part:?}");
        plain.push_str(rest);
    }
    plain
}

/// A text as a terminal shows it that knows what a carriage return does.
pub(crate) fn overwritten(text: &str) -> String {
    let lines = text.split('\n').map(|line| {
        let mut shown: Vec<char> = Vec::new();
        let mut column = 0;
        for c in line.chars() {
            if c == '\r' {
                column = 0;
                continue;
            }
            shown.resize(shown.len().max(column + 1), ' ');
            shown[column] = c;
            column += 1;
        }
        shown.into_iter().collect::<String>().trim_end().to_owned()
    });
    lines.collect::<Vec<_>>().join("\n")
}
