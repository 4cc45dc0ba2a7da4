//! What the tests are made of: servers with the fake behind them, and a clock that can be moved.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};

use capstan_core::port::{BoxFuture, Clock, Failure, ToolServers};
use capstan_core::{Redactor, Secret};
use capstan_downstream::{Environment, ServerConfig, ServerName, Servers, Transport};
use serde_json::{Map, Value, json};
use tempfile::TempDir;

use crate::store::MemoryStore;

/// The name of the server in the tests that have one.
pub(crate) const FAKE: &str = "fake";

/// Long enough for a busy machine; what ends by itself does not wait for it.
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) struct Bench {
    pub(crate) servers: Servers,
    pub(crate) clock: Arc<TestClock>,
    folder: TempDir,
}

/// How a bench is made.
pub(crate) struct Setup {
    pub(crate) args: Vec<String>,
    pub(crate) env: Vec<(&'static str, &'static str)>,
    pub(crate) store: Option<Arc<MemoryStore>>,
    pub(crate) change: fn(&mut ServerConfig),
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            args: Vec::new(),
            env: Vec::new(),
            store: None,
            change: |_| {},
        }
    }
}

impl Setup {
    pub(crate) fn args(args: &[&str]) -> Self {
        let args = args.iter().map(|arg| (*arg).to_owned()).collect();
        Self {
            args,
            ..Self::default()
        }
    }

    pub(crate) fn bench(self) -> Bench {
        let folder = TempDir::new().unwrap();
        let mut args = self.args;
        args.push("--log".to_owned());
        args.push(folder.path().join("log").display().to_string());
        let transport = Transport::Stdio {
            command: env!("CARGO_BIN_EXE_fake-mcp-server").to_owned(),
            args,
            env: secrets(&self.env),
            cwd: None,
        };
        let mut config = ServerConfig::new(ServerName::parse(FAKE).unwrap(), transport);
        (self.change)(&mut config);
        let clock = Arc::new(TestClock::default());
        let store = self.store.map(|store| store as Arc<_>);
        let servers = Servers::new(
            vec![config],
            environment(),
            Arc::clone(&clock) as Arc<_>,
            store,
            Redactor::default(),
        );
        Bench {
            servers,
            clock,
            folder,
        }
    }
}

impl Bench {
    pub(crate) fn new(args: &[&str]) -> Self {
        Setup::args(args).bench()
    }

    /// What the tool answers.
    pub(crate) async fn call(&self, tool: &str, input: Value) -> Result<Value, Failure> {
        self.call_until(tool, input, soon()).await
    }

    pub(crate) async fn call_until(
        &self,
        tool: &str,
        input: Value,
        deadline: Instant,
    ) -> Result<Value, Failure> {
        let answer = self.servers.call(FAKE, tool, object(input), deadline).await;
        answer.map(|answer| answer.data)
    }

    pub(crate) async fn echo(&self, text: &str) -> Value {
        self.call("echo", json!({ "text": text })).await.unwrap()
    }

    /// The names of the tools.
    pub(crate) async fn tools(&self) -> Vec<String> {
        let tools = self.servers.tools(FAKE, soon()).await.unwrap();
        tools.into_iter().map(|tool| tool.name).collect()
    }

    /// What the fake noted, over all of its lives.
    pub(crate) fn log(&self) -> Vec<String> {
        let log = std::fs::read_to_string(self.folder.path().join("log"));
        log.unwrap_or_default().lines().map(str::to_owned).collect()
    }

    pub(crate) fn logged(&self, what: &str) -> usize {
        self.log().iter().filter(|line| *line == what).count()
    }

    /// Waits until the fake has noted something so many times.
    pub(crate) async fn until_logged(&self, what: &str, times: usize) {
        until(|| self.logged(what) >= times).await;
    }
}

/// Waits for something that nobody announces.
pub(crate) async fn until(mut happened: impl FnMut() -> bool) {
    let deadline = soon();
    while !happened() {
        assert!(Instant::now() < deadline, "it never happened");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

pub(crate) fn soon() -> Instant {
    Instant::now() + PATIENCE
}

pub(crate) fn within(millis: u64) -> Instant {
    Instant::now() + Duration::from_millis(millis)
}

pub(crate) fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(fields) => fields,
        other => panic!("{other}"),
    }
}

pub(crate) fn secrets(pairs: &[(&str, &str)]) -> Vec<(String, Secret)> {
    let pair = |(name, value): &(&str, &str)| ((*name).to_owned(), Secret::new(*value));
    pairs.iter().map(pair).collect()
}

/// The environment of the tests, with something in it that no server may see.
pub(crate) fn environment() -> Environment {
    let secret = ("UNRELATED_TOKEN".to_owned(), "must-not-be-seen".to_owned());
    Environment::new(std::env::vars().chain([secret]))
}

/// Time that stands still until it is moved.
#[derive(Debug)]
pub(crate) struct TestClock(Mutex<Instant>);

impl Default for TestClock {
    fn default() -> Self {
        Self(Mutex::new(Instant::now()))
    }
}

impl TestClock {
    pub(crate) fn advance(&self, by: Duration) {
        *self.0.lock().unwrap() += by;
    }
}

impl Clock for TestClock {
    fn now(&self) -> Instant {
        *self.0.lock().unwrap()
    }

    fn date(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_millis(1_700_000_000_000)
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'_, ()> {
        Box::pin(tokio::time::sleep(duration))
    }
}
