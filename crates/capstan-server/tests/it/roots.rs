//! The client's roots determine the repository of calls that name none.

use capstan_core::RouteRequest;
use capstan_engine::DefaultRepository;
use capstan_server::mcp::McpOptions;
use serde_json::{Value, json};
use tokio::sync::mpsc::UnboundedReceiver;

use crate::client::{Client, modern};
use crate::fake::{self, Event, Step, issue};

/// Maps each folder to the repository of acme with the folder's name. The server's own folder is `here`, and
/// a folder called `nothing` has no repository.
fn repository_named_after_folder() -> DefaultRepository {
    DefaultRepository::from_folders(|folder| {
        let name = match folder.file_name() {
            Some(name) => name.to_str()?,
            None => "here",
        };
        (name != "nothing").then(|| ("acme".to_owned(), name.to_owned()))
    })
}

struct Session {
    client: Client,
    sent: UnboundedReceiver<Event>,
    instructions: String,
}

impl Session {
    async fn open(repository: DefaultRepository, capabilities: Value) -> Self {
        let steps = (0..9).map(|_| Step::Answer(issue(1, "Leak")));
        let (capstan, sent) = fake::engine_in(steps, repository);
        let mut client = Client::with_options(capstan, McpOptions::default());
        let opened = client
            .ask(
                &json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
                    "protocolVersion": "2025-11-25", "capabilities": capabilities,
                    "clientInfo": {"name": "test", "version": "1"}
                }}),
            )
            .await;
        client
            .send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))
            .await;
        let instructions = opened["result"]["instructions"]
            .as_str()
            .unwrap()
            .to_owned();
        Self {
            client,
            sent,
            instructions,
        }
    }

    async fn call(&mut self) {
        let call = json!({
            "jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": "execute", "arguments": {"lines": ["issue.view 1"]}}
        });
        self.client.send(&call).await;
    }

    /// Replies to the request for the roots.
    async fn reply_with_roots(&mut self, roots: &[&str]) {
        let request = self.client.receive().await;
        assert_eq!(request["method"], "roots/list", "{request}");
        let listed: Vec<_> = roots.iter().map(|uri| json!({"uri": uri})).collect();
        let reply = json!({"jsonrpc": "2.0", "id": request["id"], "result": {"roots": listed}});
        self.client.send(&reply).await;
    }

    /// Returns the text of the response to the call, and the repository that was queried.
    async fn response(&mut self) -> (String, Option<String>) {
        let response = self.client.receive().await;
        assert_eq!(response["id"], 1, "{response}");
        let text = response["result"]["content"][0]["text"].as_str().unwrap();
        let repository = match self.sent.try_recv() {
            Ok(Event::Sent(RouteRequest::Graphql(request))) => {
                Some(request.variables["name"].as_str().unwrap().to_owned())
            }
            _ => None,
        };
        (text.to_owned(), repository)
    }
}

#[tokio::test]
async fn roots_are_requested_once_and_again_after_a_change() {
    let mut session = Session::open(repository_named_after_folder(), json!({"roots": {}})).await;
    assert!(
        session
            .instructions
            .contains("your project's unless --repo"),
        "{}",
        session.instructions
    );
    session.call().await;
    session
        .reply_with_roots(&["file:///home/maya/rocket"])
        .await;
    assert_eq!(session.response().await.1.as_deref(), Some("rocket"));
    session.call().await;
    assert_eq!(session.response().await.1.as_deref(), Some("rocket"));
    session
        .client
        .send(&json!({"jsonrpc": "2.0", "method": "notifications/roots/list_changed"}))
        .await;
    session.call().await;
    session
        .reply_with_roots(&["file:///home/maya/engine%2D2/"])
        .await;
    assert_eq!(session.response().await.1.as_deref(), Some("engine-2"));
}

#[tokio::test]
async fn roots_in_several_repositories_or_in_none_select_no_repository() {
    for roots in [
        &["file:///home/maya/rocket", "file:///home/maya/engine"][..],
        &["file:///home/maya/nothing"],
        &["https://example.org/home/maya/rocket", "no address"],
    ] {
        let mut session =
            Session::open(repository_named_after_folder(), json!({"roots": {}})).await;
        session.call().await;
        session.reply_with_roots(roots).await;
        let (text, repository) = session.response().await;
        assert_eq!(repository, None, "{roots:?}");
        assert!(text.contains("--repo OWNER/NAME"), "{text}");
    }
}

#[tokio::test]
async fn without_roots_the_folder_of_the_server_is_used() {
    let mut session = Session::open(repository_named_after_folder(), json!({"roots": {}})).await;
    session.call().await;
    session.reply_with_roots(&[]).await;
    assert_eq!(session.response().await.1.as_deref(), Some("here"));
    let mut session = Session::open(repository_named_after_folder(), json!({"roots": {}})).await;
    session.call().await;
    let asked = session.client.receive().await;
    let refused =
        json!({"jsonrpc": "2.0", "id": asked["id"], "error": {"code": -32601, "message": "no"}});
    session.client.send(&refused).await;
    assert_eq!(session.response().await.1.as_deref(), Some("here"));
}

#[tokio::test(start_paused = true)]
async fn a_request_for_roots_that_times_out_is_repeated_by_the_next_call() {
    let mut session = Session::open(repository_named_after_folder(), json!({"roots": {}})).await;
    session.call().await;
    let asked = session.client.receive().await;
    assert_eq!(asked["method"], "roots/list", "{asked}");
    // The library also notifies the client that the request for roots was cancelled.
    let mut answer = session.client.receive().await;
    while answer["id"] != 1 {
        answer = session.client.receive().await;
    }
    let text = answer["result"]["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("--repo OWNER/NAME"), "{text}");
    session.call().await;
    session
        .reply_with_roots(&["file:///home/maya/rocket"])
        .await;
    assert_eq!(session.response().await.1.as_deref(), Some("rocket"));
}

#[tokio::test]
async fn roots_are_not_requested_if_unsupported_or_if_the_repository_is_fixed() {
    let mut session = Session::open(repository_named_after_folder(), json!({})).await;
    assert!(session.instructions.contains("acme/here unless --repo"));
    session.call().await;
    assert_eq!(session.response().await.1.as_deref(), Some("here"));
    let given = DefaultRepository::fixed("acme", "rocket");
    let mut session = Session::open(given, json!({"roots": {}})).await;
    assert!(session.instructions.contains("acme/rocket unless --repo"));
    session.call().await;
    assert_eq!(session.response().await.1.as_deref(), Some("rocket"));
}

#[tokio::test]
async fn roots_are_not_requested_in_the_stateless_revision() {
    let steps = [Step::Answer(issue(1, "Leak"))];
    let (capstan, _sent) = fake::engine_in(steps, repository_named_after_folder());
    let mut client = Client::with_options(capstan, McpOptions::default());
    let mut call = modern(
        1,
        "tools/call",
        json!({"name": "execute", "arguments": {"lines": ["issue.view 1"]}}),
    );
    call["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({"roots": {}});
    let answer = client.ask(&call).await;
    assert_eq!(answer["result"]["isError"], false, "{answer}");
}
