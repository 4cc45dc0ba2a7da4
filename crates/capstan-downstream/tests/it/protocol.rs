//! Both living revisions of the protocol.

use capstan_core::port::{ServerState, ToolServers as _};
use serde_json::json;

use crate::support::{Bench, FAKE, soon};

#[tokio::test]
async fn a_server_of_the_newer_revision_alone_is_understood() {
    let bench = Bench::new(&["--modern"]);
    assert_eq!(bench.echo("hello").await, "hello");
    let state = bench.servers.state(FAKE, soon()).await;
    assert!(
        matches!(state, ServerState::Up { tools: 23, .. }),
        "{state:?}"
    );
    // It is found out once.
    bench.call("die", json!({})).await.unwrap_err();
    assert_eq!(bench.echo("again").await, "again");
    assert_eq!(bench.logged("initialize"), 1);
    assert_eq!(bench.logged("server/discover"), 2);
    assert_eq!(bench.logged("start"), 3);
}

#[tokio::test]
async fn hands_are_shaken_once_and_in_order() {
    let bench = Bench::new(&[]);
    bench.echo("hello").await;
    let log = bench.log();
    assert_eq!(
        log[..4],
        [
            "start",
            "initialize",
            "offered {}",
            "notifications/initialized"
        ]
    );
    assert_eq!(bench.logged("initialize"), 1);
}
