//! The messages themselves: orders go to a worker, reports come from it.

use std::time::Duration;

use capstan_core::code::{ConsoleLine, Limits, Place, Stopped};

use super::{Bytes, Frame};

/// To a worker.
#[derive(Debug)]
pub(crate) enum Order {
    Read(String),
    Run(RunOrder),
    /// Answers that belong together: the code goes on when it has all of them.
    Replies(Vec<ReplySaid>),
    /// A timer is due.
    Wake,
    /// These calls will not be answered, and nobody may wait for them any more.
    Forget(Vec<u32>),
    /// The time is over: end, and say how far it got.
    Stop,
}

#[derive(Debug)]
pub(crate) struct RunOrder {
    pub(crate) javascript: String,
    /// From its places to those of the TypeScript.
    pub(crate) source_map: String,
    /// As JSON.
    pub(crate) args: String,
    pub(crate) limits: Limits,
    /// When it is over, by the clock that both sides share.
    pub(crate) deadline: Duration,
}

#[derive(Debug)]
pub(crate) struct ReplySaid {
    pub(crate) id: u32,
    pub(crate) ok: bool,
    /// As JSON: the data, or the error.
    pub(crate) text: String,
    pub(crate) meta: Option<String>,
}

/// From a worker.
#[derive(Debug)]
pub(crate) enum Report {
    /// The first of all: which layers hold it in, as the bits of `lockdown::Layers`.
    Hello(u32),
    Read(Box<Read>),
    Waiting(Box<Waiting>),
    Ended(Box<Ended>),
}

#[derive(Debug)]
pub(crate) enum Read {
    Script {
        hash: String,
        javascript: String,
        source_map: String,
        /// All three as JSON.
        calls: String,
        parameters: String,
        mentions: String,
    },
    Refused {
        unsupported: bool,
        limit: bool,
        message: String,
        place: Option<Place>,
    },
}

/// There is nothing to compute until something happens: what the code did since it last waited, and what
/// it waits for. The worker does nothing until its next order.
#[derive(Debug, Default)]
pub(crate) struct Waiting {
    pub(crate) console: Vec<ConsoleLine>,
    pub(crate) calls: Vec<CallMade>,
    /// Calls that the code aborts.
    pub(crate) aborted: Vec<u32>,
    /// How long until the next timer.
    pub(crate) timer: Option<Duration>,
    /// The code has its result. Only writes are still waited for.
    pub(crate) settled: bool,
    /// How much the engine holds.
    pub(crate) memory_bytes: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Root {
    Capstan,
    Mcp,
    Caps,
}

#[derive(Debug)]
pub(crate) struct CallMade {
    pub(crate) id: u32,
    pub(crate) root: Root,
    /// The names after the root, with NUL between them.
    pub(crate) path: String,
    /// As JSON.
    pub(crate) input: String,
    /// In milliseconds; 0 where the code sets no limit of its own.
    pub(crate) timeout_ms: u32,
}

/// How many warnings a worker tells.
pub(crate) const MOST_WARNINGS: usize = 5;

#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) verdict: Verdict,
    pub(crate) console: Vec<ConsoleLine>,
    pub(crate) console_cut: bool,
    /// What whoever wrote the code should hear: at most `MOST_WARNINGS`, and how many more there are.
    pub(crate) warnings: Vec<String>,
    pub(crate) cpu_us: u64,
    pub(crate) memory_bytes: u64,
    /// It will not take another order.
    pub(crate) last: bool,
}

/// How a run ended, as the worker sees it.
#[derive(Debug)]
pub(crate) enum Verdict {
    /// As JSON.
    Value(String),
    /// The result cannot be said as JSON: what, and where.
    NotJson(String),
    Threw(ErrorSaid),
    Limit {
        which: Stopped,
        stack: String,
    },
    /// It waits for something that never happens.
    Stuck,
    /// The engine does not take the code, although it was read.
    Syntax {
        message: String,
        stack: String,
    },
    Broken(String),
}

/// What the code threw, as far as it can be told.
#[derive(Debug)]
pub(crate) struct ErrorSaid {
    pub(crate) name: String,
    pub(crate) message: String,
    pub(crate) stack: String,
    /// It is the error of this call.
    pub(crate) call: Option<u32>,
}

impl Order {
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        match self {
            Order::Read(source) => {
                let mut frame = Frame::new(0);
                frame.text(&source);
                frame.into_bytes()
            }
            Order::Run(run) => {
                let mut frame = Frame::new(1);
                frame.text(&run.javascript).text(&run.source_map);
                frame.text(&run.args);
                write_limits(&mut frame, &run.limits);
                frame.long(micros(run.deadline));
                frame.into_bytes()
            }
            Order::Replies(replies) => {
                let mut frame = Frame::new(2);
                frame.count(replies.len());
                for reply in &replies {
                    frame.short(reply.id).flag(reply.ok).text(&reply.text);
                    frame.maybe_text(reply.meta.as_deref());
                }
                frame.into_bytes()
            }
            Order::Stop => Frame::new(3).into_bytes(),
            Order::Wake => Frame::new(4).into_bytes(),
            Order::Forget(calls) => {
                let mut frame = Frame::new(5);
                write_numbers(&mut frame, &calls);
                frame.into_bytes()
            }
        }
    }

    pub(crate) fn parse(body: &[u8]) -> Option<Self> {
        let mut bytes = Bytes::new(body);
        let order = match bytes.byte()? {
            0 => Order::Read(bytes.text()?),
            1 => Order::Run(RunOrder {
                javascript: bytes.text()?,
                source_map: bytes.text()?,
                args: bytes.text()?,
                limits: read_limits(&mut bytes)?,
                deadline: Duration::from_micros(bytes.long()?),
            }),
            2 => Order::Replies(bytes.list(|bytes| {
                Some(ReplySaid {
                    id: bytes.short()?,
                    ok: bytes.flag()?,
                    text: bytes.text()?,
                    meta: bytes.maybe_text()?,
                })
            })?),
            3 => Order::Stop,
            4 => Order::Wake,
            5 => Order::Forget(bytes.list(Bytes::short)?),
            _ => return None,
        };
        bytes.is_empty().then_some(order)
    }
}

impl Report {
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        match self {
            Report::Hello(layers) => {
                let mut frame = Frame::new(0);
                frame.short(layers);
                frame.into_bytes()
            }
            Report::Read(read) => {
                let mut frame = Frame::new(1);
                write_read(&mut frame, &read);
                frame.into_bytes()
            }
            Report::Waiting(waiting) => {
                let mut frame = Frame::new(2);
                write_waiting(&mut frame, &waiting);
                frame.into_bytes()
            }
            Report::Ended(ended) => {
                let mut frame = Frame::new(3);
                write_verdict(&mut frame, &ended.verdict);
                write_console(&mut frame, &ended.console);
                frame.flag(ended.console_cut).count(ended.warnings.len());
                for warning in &ended.warnings {
                    frame.text(warning);
                }
                frame.long(ended.cpu_us);
                frame.long(ended.memory_bytes).flag(ended.last);
                frame.into_bytes()
            }
        }
    }

    pub(crate) fn parse(body: &[u8]) -> Option<Self> {
        let mut bytes = Bytes::new(body);
        let report = match bytes.byte()? {
            0 => Report::Hello(bytes.short()?),
            1 => Report::Read(Box::new(read_read(&mut bytes)?)),
            2 => Report::Waiting(Box::new(read_waiting(&mut bytes)?)),
            3 => Report::Ended(Box::new(Ended {
                verdict: read_verdict(&mut bytes)?,
                console: read_console(&mut bytes)?,
                console_cut: bytes.flag()?,
                warnings: bytes.list(Bytes::text)?,
                cpu_us: bytes.long()?,
                memory_bytes: bytes.long()?,
                last: bytes.flag()?,
            })),
            _ => return None,
        };
        bytes.is_empty().then_some(report)
    }
}

impl Root {
    pub(crate) fn parse(byte: u8) -> Option<Self> {
        [Root::Capstan, Root::Mcp, Root::Caps]
            .into_iter()
            .find(|root| *root as u8 == byte)
    }
}

fn write_limits(frame: &mut Frame, limits: &Limits) {
    frame.long(micros(limits.wall)).long(micros(limits.cpu));
    frame.long(limits.memory_bytes).long(limits.stack_bytes);
    frame.long(limits.output_bytes).long(limits.console_bytes);
    frame.short(limits.calls);
}

fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}

fn read_limits(bytes: &mut Bytes<'_>) -> Option<Limits> {
    Some(Limits {
        wall: Duration::from_micros(bytes.long()?),
        cpu: Duration::from_micros(bytes.long()?),
        memory_bytes: bytes.long()?,
        stack_bytes: bytes.long()?,
        output_bytes: bytes.long()?,
        console_bytes: bytes.long()?,
        calls: bytes.short()?,
    })
}

/// A timer that there is not.
const NO_TIMER: u64 = u64::MAX;

fn write_waiting(frame: &mut Frame, waiting: &Waiting) {
    write_console(frame, &waiting.console);
    frame.count(waiting.calls.len());
    for call in &waiting.calls {
        frame.short(call.id).byte(call.root as u8);
        frame.text(&call.path).text(&call.input);
        frame.short(call.timeout_ms);
    }
    write_numbers(frame, &waiting.aborted);
    frame.long(waiting.timer.map_or(NO_TIMER, micros));
    frame.flag(waiting.settled).long(waiting.memory_bytes);
}

fn read_waiting(bytes: &mut Bytes<'_>) -> Option<Waiting> {
    Some(Waiting {
        console: read_console(bytes)?,
        calls: bytes.list(|bytes| {
            Some(CallMade {
                id: bytes.short()?,
                root: Root::parse(bytes.byte()?)?,
                path: bytes.text()?,
                input: bytes.text()?,
                timeout_ms: bytes.short()?,
            })
        })?,
        aborted: bytes.list(Bytes::short)?,
        timer: match bytes.long()? {
            NO_TIMER => None,
            micros => Some(Duration::from_micros(micros)),
        },
        settled: bytes.flag()?,
        memory_bytes: bytes.long()?,
    })
}

fn write_numbers(frame: &mut Frame, numbers: &[u32]) {
    frame.count(numbers.len());
    for number in numbers {
        frame.short(*number);
    }
}

fn write_console(frame: &mut Frame, lines: &[ConsoleLine]) {
    frame.count(lines.len());
    for line in lines {
        frame.byte(level_byte(&line.level)).text(&line.text);
    }
}

fn read_console(bytes: &mut Bytes<'_>) -> Option<Vec<ConsoleLine>> {
    bytes.list(|bytes| {
        let level = LEVELS.get(usize::from(bytes.byte()?))?;
        Some(ConsoleLine {
            level: (*level).to_owned(),
            text: bytes.text()?,
        })
    })
}

/// What `console` can do, in the order in which the engine numbers it.
pub(crate) const LEVELS: [&str; 5] = ["log", "info", "warn", "error", "debug"];

fn level_byte(level: &str) -> u8 {
    let found = LEVELS.iter().position(|known| *known == level);
    u8::try_from(found.unwrap_or(0)).unwrap_or(0)
}

fn write_read(frame: &mut Frame, read: &Read) {
    match read {
        Read::Script {
            hash,
            javascript,
            source_map,
            calls,
            parameters,
            mentions,
        } => {
            frame.flag(true);
            for text in [hash, javascript, source_map, calls, parameters, mentions] {
                frame.text(text);
            }
        }
        Read::Refused {
            unsupported,
            limit,
            message,
            place,
        } => {
            frame.flag(false).flag(*unsupported).flag(*limit);
            frame.text(message).flag(place.is_some());
            if let Some(place) = place {
                frame.short(place.line).short(place.column);
            }
        }
    }
}

fn read_read(bytes: &mut Bytes<'_>) -> Option<Read> {
    if bytes.flag()? {
        return Some(Read::Script {
            hash: bytes.text()?,
            javascript: bytes.text()?,
            source_map: bytes.text()?,
            calls: bytes.text()?,
            parameters: bytes.text()?,
            mentions: bytes.text()?,
        });
    }
    Some(Read::Refused {
        unsupported: bytes.flag()?,
        limit: bytes.flag()?,
        message: bytes.text()?,
        place: if bytes.flag()? {
            Some(Place {
                line: bytes.short()?,
                column: bytes.short()?,
            })
        } else {
            None
        },
    })
}

fn write_verdict(frame: &mut Frame, verdict: &Verdict) {
    match verdict {
        Verdict::Value(text) => frame.byte(0).text(text),
        Verdict::NotJson(what) => frame.byte(1).text(what),
        Verdict::Threw(error) => {
            frame.byte(2).text(&error.name).text(&error.message);
            frame.text(&error.stack).flag(error.call.is_some());
            frame.short(error.call.unwrap_or_default())
        }
        Verdict::Limit { which, stack } => frame.byte(3).byte(limit_byte(*which)).text(stack),
        Verdict::Stuck => frame.byte(4),
        Verdict::Syntax { message, stack } => frame.byte(5).text(message).text(stack),
        Verdict::Broken(what) => frame.byte(6).text(what),
    };
}

fn read_verdict(bytes: &mut Bytes<'_>) -> Option<Verdict> {
    Some(match bytes.byte()? {
        0 => Verdict::Value(bytes.text()?),
        1 => Verdict::NotJson(bytes.text()?),
        2 => {
            let (name, message, stack) = (bytes.text()?, bytes.text()?, bytes.text()?);
            let (has_call, call) = (bytes.flag()?, bytes.short()?);
            Verdict::Threw(ErrorSaid {
                name,
                message,
                stack,
                call: has_call.then_some(call),
            })
        }
        3 => Verdict::Limit {
            which: *LIMITS.get(usize::from(bytes.byte()?))?,
            stack: bytes.text()?,
        },
        4 => Verdict::Stuck,
        5 => Verdict::Syntax {
            message: bytes.text()?,
            stack: bytes.text()?,
        },
        6 => Verdict::Broken(bytes.text()?),
        _ => return None,
    })
}

const LIMITS: [Stopped; 6] = [
    Stopped::Wall,
    Stopped::Cpu,
    Stopped::Memory,
    Stopped::Stack,
    Stopped::Output,
    Stopped::Calls,
];

fn limit_byte(which: Stopped) -> u8 {
    let found = LIMITS.iter().position(|known| *known == which);
    u8::try_from(found.unwrap_or(0)).unwrap_or(0)
}
