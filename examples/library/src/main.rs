//! Embeds Capstan in a program: one read, then a chain whose second step uses what the first one found.
//!
//! It runs against the simulator, so it needs no token and no network:
//! `cargo run --package capstan-library-example`. For GitHub itself, use `Endpoint::for_host` and a real token.

mod clock;

use std::sync::Arc;

use serde_json::{Map, Value, json};

use capstan_catalog::Catalog;
use capstan_core::port::RouteAdapter;
use capstan_core::{ChainRequest, ChainStep, Redactor, Secret, TaskRequest};
use capstan_engine::{Capstan, Services, Settings};
use capstan_github::{Endpoint, GithubHost, GraphqlAdapter, HttpClient, RestAdapter, TokenSource};
use github_sim::Sim;

use clock::TokioClock;

#[tokio::main(flavor = "current_thread")]
#[expect(clippy::print_stdout, reason = "an example shows its results")]
async fn main() -> anyhow::Result<()> {
    let server = Sim::demo().serve_tcp(([127, 0, 0, 1], 0).into()).await?;
    let capstan = engine(&server.url(), Secret::new("any token will do"))?;

    // One capability by its id. Whatever happens, the answer is an envelope.
    let view = task(
        "issue.view",
        json!({"owner": "acme", "repo": "rocket", "issue_number": 1}),
    );
    let envelope = capstan.execute_task(&view).await;
    println!("{}", serde_json::to_string_pretty(&envelope)?);

    // Several in as few requests as possible. `$bugs.data…` is what the first step found.
    let chain = ChainRequest {
        steps: vec![
            step(
                "bugs",
                task(
                    "issue.list",
                    json!({"owner": "acme", "repo": "rocket", "first": 1}),
                ),
            ),
            step(
                "comment",
                task(
                    "issue.comment",
                    json!({
                        "owner": "acme",
                        "repo": "rocket",
                        "issue_number": "$bugs.data.issues[0].number",
                        "body": "Looking into it.",
                    }),
                ),
            ),
        ],
        ..ChainRequest::default()
    };
    let envelope = capstan.execute_tasks(&chain).await;
    println!("{}", serde_json::to_string_pretty(&envelope)?);

    // What is missing is found by intent.
    let wanted = capstan_engine::SearchRequest {
        intent: Some("merge a pull request".to_owned()),
        ..capstan_engine::SearchRequest::default()
    };
    let (hits, _) = capstan.discovery().search(&wanted).await;
    for hit in hits.iter().take(3) {
        println!("{}: {}", hit.id, hit.description);
    }
    Ok(())
}

/// Makes an engine with the built-in cards that reaches GitHub by GraphQL and REST. Without a store it remembers
/// nothing, and without a sandbox it runs no code.
fn engine(url: &str, token: Secret) -> anyhow::Result<Capstan> {
    let graphql = format!("{url}/graphql");
    let endpoint = Endpoint::from_urls(url, &graphql, &GithubHost::github_com())?;
    let redactor = Redactor::new([token.clone()]);
    let client = Arc::new(HttpClient::new(endpoint, TokenSource::from_token(token)));
    let adapters: Vec<Arc<dyn RouteAdapter>> = vec![
        Arc::new(GraphqlAdapter::new(Arc::clone(&client))),
        Arc::new(RestAdapter::new(client)),
    ];
    Ok(Capstan::new(
        Catalog::new(&capstan_cards::CARDS),
        adapters,
        Arc::new(TokioClock),
        redactor,
        Settings::default(),
        Services::default(),
    ))
}

fn task(capability: &str, input: Value) -> TaskRequest {
    let input = match input {
        Value::Object(fields) => fields,
        _ => Map::new(),
    };
    TaskRequest {
        capability: capability.to_owned(),
        input,
        ..TaskRequest::default()
    }
}

fn step(name: &str, request: TaskRequest) -> ChainStep {
    ChainStep {
        name: Some(name.to_owned()),
        request,
        ..ChainStep::default()
    }
}
