//! What holds a worker in, layer by layer: a process locks itself down and tries to break out.
#![cfg(target_os = "linux")]

use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Output, Stdio};

#[derive(Debug, PartialEq, Eq)]
enum Came {
    /// It could do it.
    Through,
    Refused(i32),
    Killed,
    /// This kernel does not have the layer.
    Unavailable,
}

use Came::{Killed, Refused, Through, Unavailable};

const EVERYTHING: &[&str] = &[
    "read-file",
    "read-environment",
    "read-memory",
    "list-folder",
    "write-file",
    "make-folder",
    "remove-file",
    "connect-tcp",
    "listen-tcp",
    "udp",
    "connect-abstract",
    "start-thread",
    "fork",
    "execute",
    "signal-parent",
    "trace-parent",
    "read-parent",
    "map-executable",
    "make-executable",
    "much-memory",
    "more-limits",
    "write-elsewhere",
    "memory-file",
    "new-namespace",
    "io-uring",
    "bpf",
];

#[test]
fn nothing_comes_through_all_layers() {
    let world = World::new();
    assert_eq!(world.attempt("everything", "compute"), Through);
    for attempt in EVERYTHING {
        let came = world.attempt("everything", attempt);
        assert!(matches!(came, Refused(_) | Killed), "{attempt}: {came:?}");
    }
}

/// The attempts are ones that succeed where nothing holds them back: else they would prove nothing.
#[test]
fn the_attempts_are_real() {
    let world = World::new();
    for attempt in EVERYTHING {
        // These need rights, a kernel, or a parent that not everybody has.
        let needs_more = [
            "trace-parent",
            "read-parent",
            "more-limits",
            "write-elsewhere",
            "new-namespace",
            "io-uring",
            "bpf",
            "much-memory",
        ];
        if !needs_more.contains(attempt) {
            assert_eq!(world.attempt("nothing", attempt), Through, "{attempt}");
        }
    }
}

#[test]
fn each_layer_holds_by_itself() {
    const EACCES: Came = Refused(libc::EACCES);
    const EPERM: Came = Refused(libc::EPERM);
    let world = World::new();
    for (layers, attempt, expected) in [
        ("landlock", "read-file", EACCES),
        ("landlock", "list-folder", EACCES),
        ("landlock", "write-file", EACCES),
        ("landlock", "make-folder", EACCES),
        ("landlock", "remove-file", EACCES),
        ("landlock", "execute", EACCES),
        ("landlock", "connect-tcp", EACCES),
        ("landlock", "listen-tcp", EACCES),
        ("landlock", "connect-abstract", EPERM),
        ("landlock", "signal-parent", EPERM),
        ("landlock", "compute", Through),
        ("limits", "read-file", Refused(libc::EMFILE)),
        ("limits", "udp", Refused(libc::EMFILE)),
        ("limits", "memory-file", Refused(libc::EMFILE)),
        ("limits", "much-memory", Refused(libc::ENOMEM)),
        ("limits", "compute", Through),
        ("seccomp", "read-file", EPERM),
        ("seccomp", "list-folder", EPERM),
        ("seccomp", "write-file", EPERM),
        ("seccomp", "make-folder", EPERM),
        ("seccomp", "remove-file", EPERM),
        ("seccomp", "map-executable", EPERM),
        ("seccomp", "make-executable", EPERM),
        ("seccomp", "more-limits", EPERM),
        ("seccomp", "write-elsewhere", EPERM),
        ("seccomp", "become-root", EPERM),
        ("seccomp", "connect-tcp", Killed),
        ("seccomp", "listen-tcp", Killed),
        ("seccomp", "udp", Killed),
        ("seccomp", "connect-abstract", Killed),
        ("seccomp", "start-thread", Killed),
        ("seccomp", "fork", Killed),
        ("seccomp", "execute", Killed),
        ("seccomp", "signal-parent", Killed),
        ("seccomp", "trace-parent", Killed),
        ("seccomp", "read-parent", Killed),
        ("seccomp", "memory-file", Killed),
        ("seccomp", "new-namespace", Killed),
        ("seccomp", "io-uring", Killed),
        ("seccomp", "bpf", Killed),
        ("seccomp", "compute", Through),
        ("process", "compute", Through),
    ] {
        let came = world.attempt(layers, attempt);
        assert!(
            came == expected || came == Unavailable,
            "{layers} {attempt}: {came:?}, not {expected:?}"
        );
    }
}

/// What there is outside to be reached.
struct World {
    folder: std::path::PathBuf,
    tcp: std::net::TcpListener,
    abstract_name: String,
    _abstract: UnixListener,
}

impl World {
    fn new() -> Self {
        static COUNT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
        let count = COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let name = format!("capstan-sandbox-{}-{count}", std::process::id());
        let folder = std::env::temp_dir().join(&name);
        std::fs::create_dir(&folder).unwrap();
        let address = SocketAddr::from_abstract_name(&name).unwrap();
        Self {
            folder,
            tcp: std::net::TcpListener::bind("127.0.0.1:0").unwrap(),
            _abstract: UnixListener::bind_addr(&address).unwrap(),
            abstract_name: name,
        }
    }

    fn attempt(&self, layers: &str, attempt: &str) -> Came {
        let target = self.folder.join(attempt);
        let argument = match attempt {
            "connect-tcp" => self.tcp.local_addr().unwrap().to_string(),
            "connect-abstract" => self.abstract_name.clone(),
            "remove-file" => {
                std::fs::write(&target, "x").unwrap();
                target.display().to_string()
            }
            _ => target.display().to_string(),
        };
        let output = probe(&[layers, attempt, &argument]);
        if output.status.signal() == Some(libc::SIGSYS) {
            return Killed;
        }
        let said = String::from_utf8(output.stdout).unwrap();
        match said.trim().split_once(' ') {
            Some(("refused", number)) => Refused(number.parse().unwrap()),
            None if said.trim() == "unavailable" => Unavailable,
            // A program that was executed in its place says nothing.
            None if said.trim() == "done" || attempt == "execute" => Through,
            _ => panic!("{layers} {attempt}: {said:?} {:?}", output.status),
        }
    }
}

impl Drop for World {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

#[expect(clippy::disallowed_methods, reason = "a test starts what it tests")]
fn probe(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_capstan-sandbox-probe"))
        .args(arguments)
        .env_clear()
        .stdin(Stdio::null())
        .output()
        .unwrap()
}
