//! Too much of everything.

use capstan_core::ErrorCode;
use capstan_core::card::Operation;
use capstan_core::port::{ServerState, ToolServers as _};
use serde_json::json;

use crate::support::{Bench, FAKE, soon};

#[tokio::test]
async fn an_answer_that_is_too_large_fails_its_own_call_only() {
    let bench = Bench::new(&[]);
    let fits = bench.call("huge", json!({ "bytes": 5_000_000 })).await;
    assert_eq!(fits.unwrap().as_str().unwrap().len(), 5_000_000);
    let huge = bench.call("huge", json!({ "bytes": 9_000_000 }));
    let held = bench.call("hold", json!({ "word": "x" }));
    let release = async {
        let failure = huge.await.unwrap_err();
        bench.call("release", json!({ "word": "x" })).await.unwrap();
        failure
    };
    let (held, failure) = tokio::join!(held, release);
    assert_eq!(held.unwrap(), "released");
    assert!(failure.too_much);
    assert_eq!(failure.error.code, ErrorCode::Unknown);
    assert!(!failure.error.retryable);
    assert!(failure.error.message.contains("larger than 8 MiB"));
    assert_eq!(bench.logged("start"), 1);
}

#[tokio::test]
async fn all_pages_are_read() {
    let bench = Bench::new(&["--tools", "500", "--page", "7"]);
    let tools = bench.tools().await;
    assert!(tools.contains(&"echo".to_owned()));
    assert!(tools.contains(&"tool_499".to_owned()));
    let numbered = tools.iter().filter(|name| name.starts_with("tool_"));
    assert_eq!(numbered.count(), 500);
}

#[tokio::test]
async fn lists_end_somewhere() {
    let bench = Bench::new(&["--tools", "5000", "--page", "500"]);
    assert_eq!(bench.tools().await.len(), 2_000);
    let bench = Bench::new(&["--page", "10", "--loop"]);
    assert_eq!(bench.tools().await.len(), 23);
}

#[tokio::test]
async fn odd_tools_are_mended_or_left_out() {
    let bench = Bench::new(&["--odd"]);
    let tools = bench.servers.tools(FAKE, soon()).await.unwrap();
    let find = |name: &str| tools.iter().find(|tool| tool.name == name);
    assert_eq!(
        find("no_schema").unwrap().input_schema,
        json!({ "type": "object" })
    );
    assert_eq!(
        find("array_schema").unwrap().input_schema,
        json!({ "type": "object" })
    );
    assert_eq!(tools.iter().filter(|tool| tool.name == "echo").count(), 1);
    let echo = find("echo").unwrap();
    assert_eq!(echo.description, "Does echo.");
    assert_eq!(echo.operation, Operation::Read);
    assert!(echo.idempotent);
    assert_eq!(find("write").unwrap().operation, Operation::Write);
    assert_eq!(tools.len(), 25);
    let ServerState::Up { left_out, .. } = bench.servers.state(FAKE, soon()).await else {
        panic!("it runs");
    };
    assert_eq!(left_out.count, 4);
    assert_eq!(
        left_out.why,
        [
            "`has blanks`: its name must have 1 to 128 letters, digits and `_.:/-`",
            "`echo`: another has the same name",
            "``: it has no name",
            "``: it has no name",
        ]
    );
}
