//! A simulator and an engine that talks to it over HTTP, with a record of everything that was sent.

use std::sync::Arc;
use std::time::Duration;

use capstan_catalog::Catalog;
use capstan_core::card::Card;
use capstan_core::port::{Clock, RouteAdapter};
use capstan_core::{
    ChainRequest, ChainResultEnvelope, ChainStep, Redactor, ResultEnvelope, Route, Secret,
    TaskRequest,
};
use capstan_engine::{Capstan, ChunkLimits, Services, Settings};
use capstan_github::{Endpoint, GithubHost, GraphqlAdapter, HttpClient, RestAdapter, TokenSource};
use github_sim::world::World;
use github_sim::{SeenRequest, Server, Sim};
use tokio::time::timeout;

use super::sent::Sent;
use crate::support::{QuickClock, TOKEN};

/// Nothing here takes nearly this long, unless it never ends.
const ON_TIME: Duration = Duration::from_secs(120);

/// A GitHub, and a way to it.
pub(super) struct Bench {
    pub(super) sim: Sim,
    pub(super) capstan: Capstan,
    pub(super) clock: Arc<QuickClock>,
    pub(super) sent: Sent,
    adapters: Vec<Arc<dyn RouteAdapter>>,
    cards: Vec<Card>,
    settings: Settings,
    _server: Server,
}

/// What a bench is made of: the demo, without cards of one's own, unless said otherwise.
pub(super) struct Setup {
    pub(super) sim: Sim,
    pub(super) cards: Vec<Card>,
    pub(super) settings: Settings,
    /// Where GraphQL is said to be.
    pub(super) graphql_path: &'static str,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            sim: Sim::demo(),
            cards: Vec::new(),
            settings: Settings {
                request_timeout: Duration::from_secs(30),
                ..Settings::default()
            },
            graphql_path: "/graphql",
        }
    }
}

impl Setup {
    /// Where nothing can go another way.
    pub(super) fn graphql_only(cards: Vec<Card>) -> Self {
        let mut setup = Self {
            cards,
            ..Self::default()
        };
        setup.settings.routes = vec![Route::Graphql];
        setup
    }
}

impl Bench {
    pub(super) async fn demo() -> Self {
        Self::set_up(Setup::default()).await
    }

    pub(super) async fn with_cards(cards: Vec<Card>) -> Self {
        let setup = Setup::default();
        Self::set_up(Setup { cards, ..setup }).await
    }

    pub(super) async fn with_limits(chunks: ChunkLimits) -> Self {
        let mut setup = Setup::default();
        setup.settings.chunks = chunks;
        Self::set_up(setup).await
    }

    pub(super) async fn set_up(setup: Setup) -> Self {
        let server = setup.sim.serve_tcp(([127, 0, 0, 1], 0).into()).await;
        let server = server.unwrap();
        let url = server.url();
        let graphql_url = format!("{url}{}", setup.graphql_path);
        let endpoint = Endpoint::from_urls(&url, &graphql_url, &GithubHost::github_com());
        let token = TokenSource::from_token(Secret::new(TOKEN));
        let client = Arc::new(HttpClient::new(endpoint.unwrap(), token));
        let clock = Arc::new(QuickClock::default());
        let sent = Sent::new(&clock);
        let adapters = vec![
            sent.watch(GraphqlAdapter::new(Arc::clone(&client))),
            sent.watch(RestAdapter::new(client)),
        ];
        let capstan = engine(&adapters, &clock, &setup.cards, &setup.settings);
        Self {
            sim: setup.sim,
            capstan,
            clock,
            sent,
            adapters,
            cards: setup.cards,
            settings: setup.settings,
            _server: server,
        }
    }

    /// Puts another world in place, with an engine that remembers nothing.
    pub(super) fn begin_anew(&mut self, world: &World, chunks: ChunkLimits) {
        self.sim.world(|present| present.clone_from(world));
        self.sim.clear_requests();
        self.sim.clear_faults();
        self.sent.clear();
        self.settings.chunks = chunks;
        self.capstan = engine(&self.adapters, &self.clock, &self.cards, &self.settings);
    }

    pub(super) async fn run(&self, steps: &[ChainStep]) -> ChainResultEnvelope {
        let request = ChainRequest {
            steps: steps.to_vec(),
            ..ChainRequest::default()
        };
        let running = self.capstan.execute_tasks(&request);
        timeout(ON_TIME, running).await.expect("the chain ends")
    }

    /// One step by itself, on the route that chains take where they can.
    pub(super) async fn run_alone(&self, step: &ChainStep) -> ResultEnvelope {
        let mut request: TaskRequest = step.request.clone();
        let card = self.capstan.catalog().get(&request.capability).unwrap();
        request.options.route = Some(Route::Graphql).filter(|route| card.has_route(*route));
        let running = self.capstan.execute_task(&request);
        timeout(ON_TIME, running).await.expect("the run ends")
    }

    /// Forgets the requests so far.
    pub(super) fn clear(&self) {
        self.sim.clear_requests();
        self.sent.clear();
    }

    /// How many requests the simulator saw: reads and writes.
    pub(super) fn counts(&self) -> (usize, usize) {
        let seen = self.sim.requests();
        let writes = seen.iter().filter(|request| is_write(request)).count();
        (seen.len() - writes, writes)
    }

    pub(super) fn writes(&self) -> Vec<SeenRequest> {
        let seen = self.sim.requests();
        seen.into_iter().filter(is_write).collect()
    }
}

pub(super) fn is_write(request: &SeenRequest) -> bool {
    request.operation == github_sim::Operation::Write
}

fn engine(
    adapters: &[Arc<dyn RouteAdapter>],
    clock: &Arc<QuickClock>,
    cards: &[Card],
    settings: &Settings,
) -> Capstan {
    let mut catalog = Catalog::new(&capstan_cards::CARDS);
    cards.iter().for_each(|card| catalog.insert(card.clone()));
    Capstan::new(
        catalog,
        adapters.to_vec(),
        Arc::clone(clock) as Arc<dyn Clock>,
        Redactor::new([Secret::new(TOKEN)]),
        settings.clone(),
        Services::default(),
    )
}
