//! Tools are known without their server.

use std::sync::Arc;
use std::time::Duration;

use capstan_core::port::{LeftOut, ServerState, ToolServers as _};
use capstan_downstream::Transport;
use serde_json::json;

use crate::store::MemoryStore;
use crate::support::{Bench, FAKE, Setup, soon};

fn remembering(store: &Arc<MemoryStore>, args: &[&str]) -> Bench {
    let mut setup = Setup::args(args);
    setup.store = Some(Arc::clone(store));
    // The log's place would be another one each time.
    setup.change = |config| {
        if let Transport::Stdio { args, .. } = &mut config.transport {
            args.truncate(args.len() - 2);
        }
    };
    setup.bench()
}

#[tokio::test]
async fn the_tools_of_a_server_that_does_not_run_come_from_the_store() {
    let store = Arc::new(MemoryStore::default());
    let first = remembering(&store, &["--tools", "3"]);
    let listed = first.servers.tools(FAKE, soon()).await.unwrap();
    assert_eq!(store.lists(), 1);
    drop(first);
    let second = remembering(&store, &["--tools", "3"]);
    assert_eq!(second.servers.tools(FAKE, soon()).await.unwrap(), listed);
    let state = format!("{:?}", second.servers);
    assert!(
        state.contains("lifecycle: Down"),
        "nothing was started: {state}"
    );
    // Another configuration is another server.
    let third = remembering(&store, &["--tools", "4"]);
    assert_eq!(third.tools().await.len(), listed.len() + 1);
    assert_eq!(store.lists(), 2);
}

#[tokio::test]
async fn a_server_that_has_other_tools_than_before_is_asked_again() {
    let bench = Bench::new(&[]);
    let before = bench.tools().await;
    bench
        .call("add_tool", json!({ "name": "brand_new" }))
        .await
        .unwrap();
    let deadline = soon();
    while bench.tools().await.len() == before.len() {
        assert!(std::time::Instant::now() < deadline, "it was never listed");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert!(bench.tools().await.contains(&"brand_new".to_owned()));
    assert_eq!(bench.logged("start"), 1);
}

#[tokio::test]
async fn a_server_that_runs_says_so() {
    let bench = Bench::new(&[]);
    let state = bench.servers.state(FAKE, soon()).await;
    let up = ServerState::Up {
        name: "fake 1.2.3".to_owned(),
        tools: 23,
        left_out: LeftOut::default(),
    };
    assert_eq!(state, up);
    bench.servers.stop().await;
    assert_eq!(bench.logged("end"), 1);
    assert_eq!(bench.servers.state(FAKE, soon()).await, up);
    let unknown = bench.servers.state("nope", soon()).await;
    assert!(matches!(unknown, ServerState::Down(_)), "{unknown:?}");
}
