//! A reader who tries a page: every command in order, on a machine where nothing was done before.

use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Read as _};
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

use crate::cli::harness::{overwritten, without_colours};
use crate::support::{gh_program, workspace};

/// The columns of the reader's terminal.
const COLUMNS: u16 = 150;

/// Commands that serve until they are stopped.
const SERVERS: [&str; 2] = ["capstan serve", "capstan sim"];
/// Commands that build the project, and what such a build is tested with.
const BUILDS: [&str; 3] = ["make ", "cargo ", "UPDATE_DOCS="];

/// Addresses that pages name for other machines, and those of this one.
const ON_LOOPBACK: [(&str, &str); 2] = [
    ("0.0.0.0", "127.0.0.1"),
    ("http://capstan.example.org", "http://localhost"),
];

/// A shell in a folder of its own, with what a checkout has. Servers run until it is dropped.
pub(super) struct Session {
    folder: TempDir,
    /// The functions and variables that earlier commands defined.
    defined: String,
    servers: Vec<Child>,
    /// The ports and files that pages name, and those that are used instead: ports that are free, files of its own.
    own: Vec<(&'static str, String)>,
}

/// What a command printed, and whether it succeeded.
#[derive(Debug)]
pub(super) struct Printed {
    pub(super) text: String,
    pub(super) succeeded: bool,
    /// What it said on its error output, if that was separate.
    pub(super) complaints: String,
}

impl Session {
    pub(super) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for name in ["examples", "skills", "cards"] {
            copy(
                &workspace().join(name),
                &folder.path().join("here").join(name),
            );
        }
        let inside = |name: &str| folder.path().join(name).display().to_string();
        let own = vec![
            ("8123", free_port()),
            ("7717", free_port()),
            ("/tmp/github.sock", inside("github.sock")),
            ("/tmp/sim-gh", inside("sim-gh")),
        ];
        Self {
            folder,
            defined: String::new(),
            servers: Vec::new(),
            own,
        }
    }

    /// Runs a script without a terminal; it stops at the first command that fails. Servers in it are started and left
    /// running, what builds the project is left out.
    pub(super) fn script(&mut self, script: &str) -> Printed {
        if is_function(script) {
            self.defined.push_str(script);
            return Printed {
                text: String::new(),
                succeeded: true,
                complaints: String::new(),
            };
        }
        let mut commands = String::new();
        let mut printed = String::new();
        for line in script.lines() {
            if BUILDS.iter().any(|start| line.starts_with(start)) {
                continue;
            }
            if SERVERS.iter().any(|start| line.starts_with(start)) {
                // What was typed before it comes before it.
                let before = self.strictly(&std::mem::take(&mut commands));
                if !before.succeeded {
                    return before;
                }
                printed.push_str(&before.text);
                self.serve(line);
                continue;
            }
            commands.push_str(line);
            commands.push('\n');
            if line.starts_with("export ") {
                self.defined.push_str(line);
                self.defined.push('\n');
            }
        }
        let last = self.strictly(&commands);
        Printed {
            text: printed + &last.text,
            ..last
        }
    }

    /// Runs commands up to the first that fails.
    pub(super) fn strictly(&self, commands: &str) -> Printed {
        self.pipe(&format!("set -e\n{commands}"))
    }

    /// Runs commands whose output goes into a pipe.
    pub(super) fn pipe(&self, commands: &str) -> Printed {
        let output = self.shell(commands).output().unwrap();
        let complaints = String::from_utf8(output.stderr).unwrap();
        Printed {
            text: self.as_on_the_page(&String::from_utf8(output.stdout).unwrap()),
            succeeded: output.status.success(),
            complaints,
        }
    }

    /// Runs commands on a terminal.
    pub(super) fn terminal(&self, commands: &str) -> Printed {
        let (mut pty, pts) = pty_process::blocking::open().unwrap();
        pty.resize(pty_process::Size::new(40, COLUMNS)).unwrap();
        let mut command = pty_process::blocking::Command::new("sh")
            .args(["-c", &self.prepared(commands)])
            .current_dir(self.here())
            .env_clear()
            .env("TERM", "xterm-256color");
        for (name, value) in self.environment() {
            command = command.env(name, value);
        }
        let mut child = command.spawn(pts).unwrap();
        let mut bytes = Vec::new();
        // The terminal's end of file is an error: nobody holds its other side any more.
        let _ = pty.read_to_end(&mut bytes);
        let text = String::from_utf8(bytes).unwrap().replace("\r\n", "\n");
        Printed {
            text: self.as_on_the_page(&overwritten(&without_colours(&text))),
            succeeded: child.wait().unwrap().success(),
            complaints: String::new(),
        }
    }

    /// Starts a server and waits for its first line, which says where it listens.
    fn serve(&mut self, command: &str) {
        let command = command.split(" #").next().unwrap_or_default().trim();
        let is_anywhere = command.contains("--addr") || command.contains("--port");
        let port = if is_anywhere {
            ""
        } else {
            " --addr 127.0.0.1:0"
        };
        let mut server = self
            .shell(&format!("exec {command}{port}"))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = String::new();
        let mut output = BufReader::new(server.stdout.take().unwrap());
        output.read_line(&mut said).unwrap();
        let serves = !said.is_empty();
        if !serves {
            let _ = server.stderr.take().unwrap().read_to_string(&mut said);
        }
        assert!(serves, "`{command}` does not serve: {said}");
        // Its pipe has to stay open.
        server.stdout = Some(output.into_inner());
        self.servers.push(server);
    }

    #[expect(clippy::disallowed_methods, reason = "people type into a shell")]
    fn shell(&self, commands: &str) -> Command {
        let mut shell = Command::new("sh");
        shell
            .args(["-c", &self.prepared(commands)])
            .current_dir(self.here())
            .env_clear()
            .envs(self.environment())
            .stdin(Stdio::null());
        shell
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "the shell finds programs where this machine has them"
    )]
    fn environment(&self) -> Vec<(&'static str, String)> {
        let home = self.folder.path().join("home");
        let (capstan, gh) = (Path::new(env!("CARGO_BIN_EXE_capstan")), gh_program());
        let path = std::env::var("PATH").unwrap_or_default();
        let folder = |program: &Path| program.parent().unwrap().display().to_string();
        vec![
            ("HOME", home.display().to_string()),
            (
                "PATH",
                format!("{}:{}:{path}", folder(capstan), folder(&gh)),
            ),
            ("CAPSTAN_GH", gh.display().to_string()),
        ]
    }

    fn here(&self) -> PathBuf {
        self.folder.path().join("here")
    }

    fn prepared(&self, commands: &str) -> String {
        let mut script = format!("{}\n{commands}", self.defined);
        for (named, used) in &self.own {
            script = script.replace(named, used);
        }
        for (named, used) in ON_LOOPBACK {
            script = script.replace(named, used);
        }
        script
    }

    fn as_on_the_page(&self, printed: &str) -> String {
        let mut printed = printed.to_owned();
        for (named, used) in &self.own {
            printed = printed.replace(used, named);
        }
        printed
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        for server in &mut self.servers {
            let _ = server.kill();
            let _ = server.wait();
        }
    }
}

/// Whether a script only defines a function of the shell.
fn is_function(script: &str) -> bool {
    script
        .lines()
        .next()
        .is_some_and(|line| line.ends_with("() {"))
}

fn free_port() -> String {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    listener.local_addr().unwrap().port().to_string()
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

impl Printed {
    /// Ends its last line, as a page has to.
    pub(super) fn with_last_line_ended(mut self) -> Self {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
        self
    }

    /// Everything that helps to see why a command failed.
    pub(super) fn all(&self) -> String {
        let mut all = self.text.clone();
        if !self.complaints.is_empty() {
            let _ = write!(all, "--- error output\n{}", self.complaints);
        }
        all
    }
}
