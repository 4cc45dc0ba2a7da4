//! An engine with a fake outside world, which answers when the test says so, in any order.

use std::collections::BTreeMap;
use std::fs;
use std::future::Future;
use std::path::PathBuf;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};
use std::time::{Duration, Instant, SystemTime};

use capstan_core::card::Operation;
use capstan_core::code::{
    CodeHash, Mentions, Script, ScriptEnd, ScriptError, ScriptErrorKind, ScriptUsage, Stopped,
};
use capstan_core::port::{
    Answer, BoxFuture, Clock, Failure, Isolation, Preflight, RouteAdapter, Sandbox, SandboxState,
    ScriptRun, ServerState, Tool, ToolAnswer, ToolServers,
};
use capstan_core::{
    ErrorCode, Options, Outcome, Redactor, ResultEnvelope, ResultError, Route, RouteRequest,
    TaskRequest,
};
use capstan_engine::{Capstan, Services, Settings};
use capstan_skill::SkillFolders;
use futures_channel::oneshot;
use serde_json::{Map, Value, json};

use super::leaves::{LEAVES, Leaf, catalog};
use super::model::Call;

/// What happened to a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Event {
    Began(Call),
    Ended(Call),
    Failed(Call),
    /// The engine no longer waits for it.
    Dropped(Call),
}

/// The calls that fail, by their paths.
pub(super) type PlannedFailures = BTreeMap<String, PlannedFailure>;

/// How a call fails.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlannedFailure {
    pub(super) outcome: Outcome,
    /// `None`: it always fails, for a lasting reason. Otherwise it times out so many times.
    pub(super) times: Option<usize>,
}

#[derive(Default)]
struct World {
    under_way: Mutex<Vec<PendingCall>>,
    log: Mutex<Vec<Event>>,
    failing: Mutex<PlannedFailures>,
}

/// The output of a call, or how it fails.
type CallResult = Result<Map<String, Value>, PlannedFailure>;

struct PendingCall {
    /// `None` for a pause.
    call: Option<(Call, CallResult)>,
    answer: oneshot::Sender<CallResult>,
}

/// An engine with skills, and its fake outside world.
pub(super) struct Bench {
    world: Arc<World>,
    pub(super) capstan: Capstan,
    file: PathBuf,
}

impl Bench {
    pub(super) fn new(name: &str, skills: &str) -> Self {
        let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.yaml"));
        fs::write(&file, skills).unwrap();
        let world = Arc::new(World::default());
        let services = Services {
            sandbox: Some(Arc::new(OutsideWorld(Arc::clone(&world)))),
            tools: Some(Arc::new(OutsideWorld(Arc::clone(&world)))),
            skills: Some(Arc::new(SkillFolders::new(vec![file.clone()]))),
            ..Services::default()
        };
        let clock = FrozenClock(Instant::now(), Arc::clone(&world));
        let capstan = Capstan::new(
            catalog(),
            vec![Arc::new(OutsideWorld(Arc::clone(&world)))],
            Arc::new(clock),
            Redactor::default(),
            Settings::default(),
            services,
        );
        Self {
            world,
            capstan,
            file,
        }
    }

    /// Runs a skill with answers in a random order: one at a time, or several at once.
    pub(super) fn run(
        &self,
        skill: &str,
        input: &Map<String, Value>,
        failing: &PlannedFailures,
        chances: &mut fastrand::Rng,
        one_by_one: bool,
    ) -> (ResultEnvelope, Vec<Event>) {
        self.world.log.lock().unwrap().clear();
        self.world.failing.lock().unwrap().clone_from(failing);
        let request = TaskRequest {
            capability: skill.to_owned(),
            input: input.clone(),
            options: Options {
                full: true,
                ..Options::default()
            },
            intent: None,
        };
        let envelope = {
            let mut future = pin!(self.capstan.execute_task(&request));
            loop {
                if let Poll::Ready(envelope) = poll(future.as_mut()) {
                    break envelope;
                }
                let is_waiting = self.world.is_waiting();
                assert!(is_waiting, "nothing is under way, and it is not over");
                let most = if one_by_one { 1 } else { 3 };
                for _ in 0..chances.usize(1..=most) {
                    self.world.answer_one(chances);
                }
            }
        };
        let left = std::mem::take(&mut *self.world.under_way.lock().unwrap());
        assert!(left.iter().all(|it| it.answer.is_canceled()));
        (
            envelope,
            std::mem::take(&mut *self.world.log.lock().unwrap()),
        )
    }

    /// Runs a future that must not wait.
    pub(super) fn at_once<T>(&self, future: impl Future<Output = T>) -> T {
        match poll(pin!(future)) {
            Poll::Ready(value) => value,
            Poll::Pending => panic!("it waits"),
        }
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        fs::remove_file(&self.file).ok();
    }
}

/// Polls a future until it waits for the outside world.
fn poll<F: Future>(mut future: Pin<&mut F>) -> Poll<F::Output> {
    let woken = Arc::new(Woken::default());
    let waker = Waker::from(Arc::clone(&woken));
    loop {
        let polled = future.as_mut().poll(&mut Context::from_waker(&waker));
        if polled.is_ready() || !woken.0.swap(false, Ordering::Relaxed) {
            return polled;
        }
    }
}

#[derive(Default)]
struct Woken(AtomicBool);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl World {
    fn is_waiting(&self) -> bool {
        let under_way = self.under_way.lock().unwrap();
        under_way.iter().any(|it| !it.answer.is_canceled())
    }

    /// Answers one of the pending calls.
    fn answer_one(&self, chances: &mut fastrand::Rng) {
        let mut under_way = self.under_way.lock().unwrap();
        under_way.retain(|it| !it.answer.is_canceled());
        if under_way.is_empty() {
            return;
        }
        let chosen = chances.usize(..under_way.len());
        let chosen = under_way.swap_remove(chosen);
        let Some((call, result)) = chosen.call else {
            chosen.answer.send(Ok(Map::new())).ok();
            return;
        };
        let event = match result {
            Ok(_) => Event::Ended(call),
            Err(_) => Event::Failed(call),
        };
        self.log.lock().unwrap().push(event);
        chosen.answer.send(result).ok();
    }

    async fn call(&self, leaf: &'static Leaf, input: Map<String, Value>) -> CallResult {
        let call = Call::new(leaf.id, &input);
        let fails = {
            let failing = self.failing.lock().unwrap();
            let fails = call.path.as_ref().and_then(|path| failing.get(path));
            let before = self.log.lock().unwrap();
            let before = before
                .iter()
                .filter(|it| **it == Event::Began(call.clone()));
            let before = before.count();
            let is_over = |fails: &&PlannedFailure| fails.times.is_none_or(|times| before < times);
            fails.filter(is_over).copied()
        };
        let result = match fails {
            Some(fails) => Err(fails),
            None => Ok(leaf.give(&input)),
        };
        let (answer, waiting) = oneshot::channel();
        self.log.lock().unwrap().push(Event::Began(call.clone()));
        self.under_way.lock().unwrap().push(PendingCall {
            call: Some((call.clone(), result)),
            answer,
        });
        let mut watch = DropWatch(self, Some(call));
        let result = waiting.await.unwrap();
        watch.1 = None;
        result
    }
}

/// Logs a call that is dropped before its answer.
struct DropWatch<'a>(&'a World, Option<Call>);

impl Drop for DropWatch<'_> {
    fn drop(&mut self) {
        if let Some(call) = self.1.take() {
            self.0.log.lock().unwrap().push(Event::Dropped(call));
        }
    }
}

/// All ports of the engine to the outside world.
struct OutsideWorld(Arc<World>);

fn leaf(id: &str) -> &'static Leaf {
    LEAVES.iter().find(|leaf| leaf.id == id).unwrap()
}

fn failure(fails: PlannedFailure) -> Failure {
    let code = match fails.times {
        None => ErrorCode::Conflict,
        Some(_) => ErrorCode::Timeout,
    };
    let error = ResultError::new(code, "it was to fail");
    Failure::new(error, fails.outcome)
}

impl RouteAdapter for OutsideWorld {
    fn route(&self) -> Route {
        Route::Rest
    }

    fn preflight(&self) -> BoxFuture<'_, Preflight> {
        Box::pin(async { Preflight::Ready })
    }

    fn send<'a>(
        &'a self,
        request: &'a RouteRequest,
        _: Instant,
    ) -> BoxFuture<'a, Result<Answer, Failure>> {
        Box::pin(async move {
            let RouteRequest::Rest(request) = request else {
                panic!("{request:?}");
            };
            let (path, query) = request.path.split_once('?').unwrap_or((&request.path, ""));
            let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
            let input = pairs.map(|(name, value)| {
                let plain = percent_encoding::percent_decode_str(value);
                (name.to_owned(), json!(plain.decode_utf8().unwrap()))
            });
            let leaf = leaf(path.trim_start_matches('/'));
            match self.0.call(leaf, input.collect()).await {
                Ok(output) => Ok(Answer::of(Value::Object(output))),
                Err(fails) => Err(failure(fails)),
            }
        })
    }
}

impl ToolServers for OutsideWorld {
    fn names(&self) -> Vec<String> {
        vec!["box".to_owned()]
    }

    fn tools<'a>(&'a self, _: &'a str, _: Instant) -> BoxFuture<'a, Result<Vec<Tool>, Failure>> {
        let tool = |leaf: &Leaf| Tool {
            name: leaf.id.to_owned(),
            description: String::new(),
            input_schema: json!({"type": "object"}),
            output_schema: None,
            operation: Operation::Write,
            idempotent: false,
        };
        Box::pin(async move { Ok(LEAVES.iter().map(tool).collect()) })
    }

    fn call<'a>(
        &'a self,
        _: &'a str,
        tool: &'a str,
        input: Map<String, Value>,
        _: Instant,
    ) -> BoxFuture<'a, Result<ToolAnswer, Failure>> {
        Box::pin(async move {
            match self.0.call(leaf(tool), input).await {
                Ok(output) => Ok(ToolAnswer {
                    data: Value::Object(output),
                }),
                Err(fails) => Err(failure(fails)),
            }
        })
    }

    fn state<'a>(&'a self, _: &'a str, _: Instant) -> BoxFuture<'a, ServerState> {
        Box::pin(async { ServerState::Down("nobody asks".to_owned()) })
    }

    fn stop(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {})
    }
}

impl Sandbox for OutsideWorld {
    /// Takes the id of a leaf as code.
    fn read<'a>(&'a self, source: &'a str) -> BoxFuture<'a, Result<Arc<Script>, ScriptError>> {
        let script = Script {
            hash: CodeHash::from_bytes([0; 32]),
            javascript: source.to_owned(),
            source_map: String::new(),
            calls: Vec::new(),
            parameters: json!({}),
            mentions: Mentions::default(),
        };
        Box::pin(async { Ok(Arc::new(script)) })
    }

    fn run<'a>(&'a self, run: ScriptRun<'a>) -> BoxFuture<'a, ScriptEnd> {
        Box::pin(async move {
            let result = self.0.call(leaf(&run.script.javascript), run.args.clone());
            let thrown = |fails: PlannedFailure| ScriptError {
                kind: match fails.times {
                    None => ScriptErrorKind::Thrown {
                        name: "Error".to_owned(),
                    },
                    Some(_) => ScriptErrorKind::Limit(Stopped::Cpu),
                },
                message: "it was to fail".to_owned(),
                place: None,
                stack: Vec::new(),
            };
            ScriptEnd {
                result: result.await.map(Value::Object).map_err(thrown),
                console: Vec::new(),
                console_cut: false,
                warnings: Vec::new(),
                usage: ScriptUsage::default(),
                dropped: Vec::new(),
            }
        })
    }

    fn state(&self) -> SandboxState {
        SandboxState {
            isolation: Isolation::Thread,
            layers: Vec::new(),
            missing: Vec::new(),
            limits: Settings::default().limits,
            concurrency: 1,
            most_runs: 1,
            patience: Duration::ZERO,
        }
    }
}

/// A clock that stands still. A short pause ends when the test says so, a long one never.
struct FrozenClock(Instant, Arc<World>);

const SHORT: Duration = Duration::from_secs(5);

impl Clock for FrozenClock {
    fn now(&self) -> Instant {
        self.0
    }

    fn date(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            if duration > SHORT {
                return std::future::pending().await;
            }
            let (answer, waiting) = oneshot::channel();
            let pause = PendingCall { call: None, answer };
            self.1.under_way.lock().unwrap().push(pause);
            waiting.await.ok();
        })
    }
}
