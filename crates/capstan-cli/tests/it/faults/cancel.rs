//! Dropping a run stops the work: the connection ends, and `gh` is gone.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::Duration;

use capstan_core::{Options, Route, TaskRequest};
use tokio::io::{AsyncRead, AsyncReadExt as _, BufReader};
use tokio::net::{TcpListener, UnixListener};
use tokio::time::timeout;

use super::cell::Target;
use crate::support::{Bench, Listening, Setup, gh_program};

/// Far more than it takes, far less than a request may take.
const SOON: Duration = Duration::from_secs(20);

#[tokio::test]
async fn dropping_a_run_ends_its_connection() {
    for route in [Route::Graphql, Route::Rest] {
        for target in [Target::View, Target::Create] {
            let bench = silent_bench(None).await;
            let listener = TcpListener::bind(bench.addresses.address).await.unwrap();
            let arrival = async {
                let (mut stream, _) = listener.accept().await.unwrap();
                read_head(&mut stream).await;
                stream
            };
            let stream = interrupt(&bench, route, target, arrival).await;
            assert_gone(stream).await;
            let again = timeout(Duration::ZERO, listener.accept()).await;
            assert!(again.is_err(), "{route}: it connected again");
        }
    }
}

#[tokio::test]
async fn dropping_a_run_kills_gh() {
    for target in [Target::View, Target::Create] {
        let folder = tempfile::tempdir().unwrap();
        let pid_file = folder.path().join("pid");
        let program = folder.path().join("gh");
        let script = format!(
            "#!/bin/sh\necho $$ > '{}'\nexec '{}' \"$@\"\n",
            pid_file.display(),
            gh_program().canonicalize().unwrap().display(),
        );
        std::fs::write(&program, script).unwrap();
        std::fs::set_permissions(&program, Permissions::from_mode(0o755)).unwrap();

        let bench = silent_bench(Some(&program)).await;
        let listener = UnixListener::bind(&bench.addresses.socket).unwrap();
        let arrival = async {
            let (mut stream, _) = listener.accept().await.unwrap();
            read_head(&mut stream).await;
            stream
        };
        let stream = interrupt(&bench, Route::Cli, target, arrival).await;
        assert_gone(stream).await;
        let pid = std::fs::read_to_string(&pid_file).unwrap();
        let process = Path::new("/proc").join(pid.trim());
        let gone = async {
            while process.exists() {
                tokio::task::yield_now().await;
            }
        };
        timeout(SOON, gone).await.expect("gh is still there");
    }
}

/// A bench whose GitHub is played by the test: it takes requests and does not answer.
async fn silent_bench(gh: Option<&Path>) -> Bench {
    let mut setup = Setup {
        listening: Listening::Nowhere,
        ..Setup::default()
    };
    setup.settings.request_timeout = Duration::from_secs(600);
    setup.settings.run_timeout = Duration::from_secs(600);
    if let Some(gh) = gh {
        setup.gh = Some(gh.to_owned());
    }
    Bench::set_up(setup).await
}

/// Starts a run, waits until its request has arrived, and drops the run.
async fn interrupt<S>(
    bench: &Bench,
    route: Route,
    target: Target,
    arrival: impl Future<Output = S>,
) -> S {
    let (capability, input) = target.call();
    let request = TaskRequest {
        capability: capability.to_owned(),
        input: input.as_object().cloned().unwrap(),
        options: Options {
            route: Some(route),
            ..Options::default()
        },
        intent: None,
    };
    tokio::select! {
        envelope = bench.capstan.execute_task(&request) => {
            unreachable!("{route}: nobody answered, and yet there is {envelope:?}")
        }
        stream = timeout(SOON, arrival) => stream.expect("the request arrives"),
    }
}

async fn read_head(stream: &mut (impl AsyncRead + Unpin)) {
    let mut head = Vec::new();
    while !head.windows(4).any(|four| four == b"\r\n\r\n") {
        let read = stream.read_buf(&mut head).await.unwrap();
        assert_ne!(read, 0, "it left before it asked");
    }
}

/// Fails unless the other side goes away.
async fn assert_gone(stream: impl AsyncRead + Unpin) {
    let mut rest = Vec::new();
    let mut stream = BufReader::new(stream);
    // A reset says the same as an end.
    let _ = timeout(SOON, stream.read_to_end(&mut rest))
        .await
        .expect("the connection ends");
}
