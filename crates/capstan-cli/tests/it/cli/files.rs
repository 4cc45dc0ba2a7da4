//! Which files are touched, and how much is.

use std::collections::BTreeSet;
use std::process::Stdio;

use super::harness::{CAPSTAN, Place, program};

/// `list` answers from the binary: apart from what the loader and the runtime need, it only looks
/// whether there is a configuration.
#[test]
fn list_reads_no_file_outside_the_binary() {
    let Some(strace) = program("strace") else {
        eprintln!("skipped: strace is not installed, so nobody watches");
        return;
    };
    let place = Place::new();
    let log = place.path().join("strace.log");
    let status = place
        .command(strace.to_str().unwrap())
        .args(["-f", "-e", "trace=%file", "-o", log.to_str().unwrap()])
        .args([CAPSTAN, "list"])
        .stdout(Stdio::null())
        .status()
        .unwrap();
    assert!(status.success());
    let log = std::fs::read_to_string(log).unwrap();
    let touched: BTreeSet<_> = log.lines().filter_map(path_of).collect();
    let config = place.path().join("home/.config/capstan/config.toml");
    for probed in ["capstan.toml", config.to_str().unwrap()] {
        assert!(touched.contains(&(probed, false)), "{touched:?}");
    }
    let system = ["/lib", "/usr/lib", "/etc/ld.so", "/proc/", "/sys/fs/cgroup"];
    let others: Vec<_> = touched
        .iter()
        .filter(|(path, exists)| {
            *exists && *path != CAPSTAN && !system.iter().any(|place| path.starts_with(place))
        })
        .collect();
    assert!(others.is_empty(), "{others:?}");
}

/// The path in a line of strace, and whether there is something.
fn path_of(line: &str) -> Option<(&str, bool)> {
    // An empty path asks about a file that is open already.
    let path = line.split('"').nth(1).filter(|path| !path.is_empty())?;
    Some((path, !line.contains(" = -1 ")))
}
