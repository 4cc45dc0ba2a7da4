//! An engine with services, and cards to call them.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};

use capstan_catalog::{Catalog, load_text};
use capstan_core::expr::Expr;
use capstan_core::port::{BoxFuture, Clock, RouteAdapter};
use capstan_core::{ChainRequest, ChainStep, Redactor, Secret, ServiceName, Source, TaskRequest};
use capstan_engine::{Capstan, DefaultRepository, Services, Settings};
use capstan_github::{Endpoint, GithubHost, HttpClient, RestAdapter, TokenSource};
use capstan_service::{
    CredentialPlace, CredentialSource, ErrorShape, Paging, ServiceClient, ServiceGraphql,
    ServiceRest, ServiceSettings, Variable,
};
use serde_json::{Map, Value, json};

use crate::server::Server;

pub(crate) const GITHUB_TOKEN: &str = "github-token-3f9a8c7d6e";
pub(crate) const SECRET: &str = "service-secret-5b4a3c2d1e";

/// Cards of the service `gitlab`, and one of GitHub.
const CARDS: [&str; 6] = [
    "capability_id: gitlab.project.view
version: 1.0.0
service: gitlab
description: Show a project.
operation: READ
input_schema: {type: object, properties: {id: {type: integer}}, required: [id], additionalProperties: false}
output_schema: {type: object, properties: {name: {type: string}}}
rest: {method: GET, path: '/projects/{id}'}
",
    "capability_id: gitlab.project.create
version: 1.0.0
service: gitlab
description: Create a project.
operation: WRITE
input_schema: {type: object, properties: {name: {type: string}}, required: [name], additionalProperties: false}
output_schema: {type: object, properties: {id: {type: integer}}}
rest: {method: POST, path: /projects, body: {name: '{name}'}}
",
    "capability_id: gitlab.projects.list
version: 1.0.0
service: gitlab
description: List projects.
operation: READ
input_schema:
  type: object
  properties: {first: {type: integer, minimum: 1, maximum: 100, default: 2}, after: {type: string}}
output_schema: {type: object, properties: {rows: {type: array, items: {type: object, properties: {id: {type: integer}}}}}}
list: {field: rows, empty: no projects}
rest:
  method: GET
  path: /projects
  query: {per_page: '{$page.size}'}
  output: {fields: {rows: {each: 'items | default(.)', fields: {id: id}}}}
  pagination: {style: links}
",
    "capability_id: gitlab.file.view
version: 1.0.0
service: gitlab
description: Show the file of a repository.
operation: READ
input_schema: {type: object, properties: {owner: {type: string}, repo: {type: string}}, required: [owner, repo]}
output_schema: {type: object, properties: {name: {type: string}}}
rest: {method: GET, path: '/files/{owner}/{repo}'}
",
    "capability_id: gitlab.thing.view
version: 1.0.0
service: gitlab
description: Show a thing.
operation: READ
input_schema: {type: object, properties: {id: {type: string}}, required: [id]}
output_schema: {type: object, properties: {name: {type: string}}, required: [name]}
graphql: {operation: Thing, output: {root: thing, fields: {name: name}}}
",
    "capability_id: gitlab.thing.rename
version: 1.0.0
service: gitlab
description: Rename a thing.
operation: WRITE
input_schema: {type: object, properties: {id: {type: string}, name: {type: string}}, required: [id, name]}
output_schema: {type: object, properties: {name: {type: string}}, required: [name]}
graphql: {operation: Rename, output: {root: renameThing.thing, fields: {name: name}}}
",
];

const DOCUMENT: &str = "
query Thing($id: ID!) { thing(id: $id) { name } }
mutation Rename($id: ID!, $name: String!) { renameThing(id: $id, name: $name) { thing { name } } }
";

const GITHUB_CARD: &str = "capability_id: hub.user.view
version: 1.0.0
description: Show the user.
operation: READ
no_graphql: It is a test.
input_schema: {type: object, properties: {}}
output_schema: {type: object, properties: {login: {type: string}}}
rest: {method: GET, path: /user}
";

/// A clock that records sleeps and skips them.
#[derive(Default)]
pub(crate) struct SkippingClock {
    skipped_ms: AtomicU64,
    sleeps: Mutex<Vec<Duration>>,
}

impl SkippingClock {
    /// Lets time pass.
    pub(crate) fn skip(&self, duration: Duration) {
        let passed = u64::try_from(duration.as_millis()).unwrap();
        self.skipped_ms.fetch_add(passed, Ordering::SeqCst);
    }

    pub(crate) fn sleeps(&self) -> Vec<Duration> {
        self.sleeps.lock().unwrap().clone()
    }
}

impl Clock for SkippingClock {
    fn now(&self) -> Instant {
        Instant::now() + Duration::from_millis(self.skipped_ms.load(Ordering::SeqCst))
    }

    fn date(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000)
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'_, ()> {
        self.sleeps.lock().unwrap().push(duration);
        self.skip(duration + Duration::from_millis(1));
        Box::pin(tokio::task::yield_now())
    }
}

/// An engine, and what it shares with its adapters.
pub(crate) struct Bench {
    pub(crate) capstan: Capstan,
    pub(crate) clock: Arc<SkippingClock>,
}

/// Returns the settings of a service with a secret in `Authorization`.
pub(crate) fn service(name: &str, server: &Server) -> ServiceSettings {
    ServiceSettings {
        name: ServiceName::parse(name).unwrap(),
        base_url: Some(format!("{}/api/v4", server.url()).parse().unwrap()),
        graphql_url: Some(format!("{}/graphql", server.url()).parse().unwrap()),
        headers: http::HeaderMap::new(),
        credential: CredentialSource::Variable(variable("GITLAB_TOKEN", SECRET)),
        place: bearer(),
        paging: Paging::Links,
        errors: ErrorShape::default(),
    }
}

pub(crate) fn variable(name: &str, value: &str) -> Variable {
    Variable {
        name: name.to_owned(),
        value: (!value.is_empty()).then(|| Secret::new(value)),
    }
}

pub(crate) fn bearer() -> CredentialPlace {
    CredentialPlace::Header {
        name: http::header::AUTHORIZATION,
        scheme: Some("Bearer".to_owned()),
    }
}

pub(crate) fn expr(text: &str) -> Expr {
    Expr::parse(text).unwrap()
}

impl Bench {
    pub(crate) fn new(services: impl IntoIterator<Item = ServiceSettings>) -> Self {
        Self::beside(None, services)
    }

    /// Returns an engine that can call GitHub, too.
    pub(crate) fn beside(
        github: Option<&Server>,
        services: impl IntoIterator<Item = ServiceSettings>,
    ) -> Self {
        let services: Vec<_> = services.into_iter().collect();
        let clock = Arc::new(SkippingClock::default());
        let own = Secret::new(GITHUB_TOKEN);
        let secrets = services.iter().flat_map(ServiceSettings::secrets);
        let redactor = Redactor::new(secrets.chain([own.clone()]));
        let mut adapters: Vec<Arc<dyn RouteAdapter>> = Vec::new();
        if let Some(github) = github {
            let (url, host) = (github.url(), GithubHost::github_com());
            let endpoint = Endpoint::from_urls(&url, &url, &host).unwrap();
            let client = HttpClient::new(endpoint, TokenSource::from_token(own));
            adapters.push(Arc::new(RestAdapter::new(Arc::new(client))));
        }
        for settings in services {
            let clock: Arc<dyn Clock> = clock.clone();
            let client = Arc::new(ServiceClient::new(settings, clock, redactor.clone()));
            adapters.push(Arc::new(ServiceGraphql::new(Arc::clone(&client))));
            adapters.push(Arc::new(ServiceRest::new(client)));
        }
        let settings = Settings {
            repository: DefaultRepository::fixed("acme", "rocket"),
            ..Settings::default()
        };
        let capstan = Capstan::new(
            catalog(),
            adapters,
            clock.clone(),
            redactor,
            settings,
            Services::default(),
        );
        Self { capstan, clock }
    }

    /// Runs one capability and returns its envelope.
    pub(crate) async fn run(&self, capability: &str, input: Value) -> Value {
        let envelope = self.capstan.execute_task(&task(capability, input)).await;
        serde_json::to_value(envelope).unwrap()
    }

    /// Runs a chain and returns its envelope.
    pub(crate) async fn chain(&self, steps: impl IntoIterator<Item = (&str, Value)>) -> Value {
        let steps = steps.into_iter().map(|(capability, input)| ChainStep {
            request: task(capability, input),
            ..ChainStep::default()
        });
        let request = ChainRequest {
            steps: steps.collect(),
            ..ChainRequest::default()
        };
        serde_json::to_value(self.capstan.execute_tasks(&request).await).unwrap()
    }
}

pub(crate) fn task(capability: &str, input: Value) -> TaskRequest {
    TaskRequest {
        capability: capability.to_owned(),
        input: match input {
            Value::Object(input) => input,
            _ => Map::new(),
        },
        ..TaskRequest::default()
    }
}

fn catalog() -> Catalog {
    let mut catalog = Catalog::default();
    let load = |text: &str| {
        let document = Source::new("card.graphql", DOCUMENT);
        load_text(&Source::new("card.yaml", text), |_| Ok(document)).unwrap()
    };
    // The same cards for another service.
    let other = CARDS.map(|card| card.replace("gitlab", "shop"));
    for card in CARDS.iter().map(|it| (*it).to_owned()).chain(other) {
        catalog.insert(load(&card));
    }
    catalog.insert(load(GITHUB_CARD));
    catalog
}

/// The usual answer to a request for a project.
pub(crate) fn project(name: &str) -> Value {
    json!({"id": 7, "name": name})
}
