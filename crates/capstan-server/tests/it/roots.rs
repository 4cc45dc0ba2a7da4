//! The folders of the client tell which repository is meant when a call names none.

use capstan_core::RouteRequest;
use capstan_engine::DefaultRepository;
use capstan_server::mcp::McpOptions;
use serde_json::{Value, json};
use tokio::sync::mpsc::UnboundedReceiver;

use crate::client::{Client, modern};
use crate::fake::{self, Event, Step, issue};

/// Every folder is a repository of acme that has the folder's name; the server's own is `here`.
fn named_like_the_folder() -> DefaultRepository {
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
        let mut client = Client::with(capstan, McpOptions::default());
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

    /// Answers the question for the folders.
    async fn tell(&mut self, roots: &[&str]) {
        let asked = self.client.receive().await;
        assert_eq!(asked["method"], "roots/list", "{asked}");
        let roots: Vec<_> = roots.iter().map(|uri| json!({"uri": uri})).collect();
        let told = json!({"jsonrpc": "2.0", "id": asked["id"], "result": {"roots": roots}});
        self.client.send(&told).await;
    }

    /// The text of the answer to the call, and the repository that was asked for.
    async fn answered(&mut self) -> (String, Option<String>) {
        let answer = self.client.receive().await;
        assert_eq!(answer["id"], 1, "{answer}");
        let text = answer["result"]["content"][0]["text"].as_str().unwrap();
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
async fn a_client_with_roots_is_asked_once_and_again_when_they_change() {
    let mut session = Session::open(named_like_the_folder(), json!({"roots": {}})).await;
    assert!(
        session
            .instructions
            .contains("your project's unless --repo"),
        "{}",
        session.instructions
    );
    session.call().await;
    session.tell(&["file:///home/maya/rocket"]).await;
    assert_eq!(session.answered().await.1.as_deref(), Some("rocket"));
    session.call().await;
    assert_eq!(session.answered().await.1.as_deref(), Some("rocket"));
    session
        .client
        .send(&json!({"jsonrpc": "2.0", "method": "notifications/roots/list_changed"}))
        .await;
    session.call().await;
    session.tell(&["file:///home/maya/engine%2D2/"]).await;
    assert_eq!(session.answered().await.1.as_deref(), Some("engine-2"));
}

#[tokio::test]
async fn folders_of_several_repositories_or_of_none_mean_no_repository() {
    for roots in [
        &["file:///home/maya/rocket", "file:///home/maya/engine"][..],
        &["file:///home/maya/nothing"],
        &["https://example.org/home/maya/rocket", "no address"],
    ] {
        let mut session = Session::open(named_like_the_folder(), json!({"roots": {}})).await;
        session.call().await;
        session.tell(roots).await;
        let (text, repository) = session.answered().await;
        assert_eq!(repository, None, "{roots:?}");
        assert!(text.contains("--repo OWNER/NAME"), "{text}");
    }
}

#[tokio::test]
async fn without_roots_it_is_the_folder_of_the_server() {
    let mut session = Session::open(named_like_the_folder(), json!({"roots": {}})).await;
    session.call().await;
    session.tell(&[]).await;
    assert_eq!(session.answered().await.1.as_deref(), Some("here"));
    let mut session = Session::open(named_like_the_folder(), json!({"roots": {}})).await;
    session.call().await;
    let asked = session.client.receive().await;
    let refused =
        json!({"jsonrpc": "2.0", "id": asked["id"], "error": {"code": -32601, "message": "no"}});
    session.client.send(&refused).await;
    assert_eq!(session.answered().await.1.as_deref(), Some("here"));
}

#[tokio::test(start_paused = true)]
async fn a_client_that_does_not_answer_is_asked_again_and_nothing_is_guessed() {
    let mut session = Session::open(named_like_the_folder(), json!({"roots": {}})).await;
    session.call().await;
    let asked = session.client.receive().await;
    assert_eq!(asked["method"], "roots/list", "{asked}");
    // The library tells the client that it does not wait any longer.
    let mut answer = session.client.receive().await;
    while answer["id"] != 1 {
        answer = session.client.receive().await;
    }
    let text = answer["result"]["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("--repo OWNER/NAME"), "{text}");
    session.call().await;
    session.tell(&["file:///home/maya/rocket"]).await;
    assert_eq!(session.answered().await.1.as_deref(), Some("rocket"));
}

#[tokio::test]
async fn nobody_is_asked_without_roots_or_with_a_given_repository() {
    let mut session = Session::open(named_like_the_folder(), json!({})).await;
    assert!(session.instructions.contains("acme/here unless --repo"));
    session.call().await;
    assert_eq!(session.answered().await.1.as_deref(), Some("here"));
    let given = DefaultRepository::fixed("acme", "rocket");
    let mut session = Session::open(given, json!({"roots": {}})).await;
    assert!(session.instructions.contains("acme/rocket unless --repo"));
    session.call().await;
    assert_eq!(session.answered().await.1.as_deref(), Some("rocket"));
}

#[tokio::test]
async fn the_stateless_revision_is_not_asked() {
    let steps = [Step::Answer(issue(1, "Leak"))];
    let (capstan, _sent) = fake::engine_in(steps, named_like_the_folder());
    let mut client = Client::with(capstan, McpOptions::default());
    let mut call = modern(
        1,
        "tools/call",
        json!({"name": "execute", "arguments": {"lines": ["issue.view 1"]}}),
    );
    call["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({"roots": {}});
    let answer = client.ask(&call).await;
    assert_eq!(answer["result"]["isError"], false, "{answer}");
}
