//! The messages: orders go to a worker, reports come from it.

use std::time::Duration;

use capstan_core::code::{ConsoleLine, Limits, Place, Stopped};

use super::{FrameReader, FrameWriter};

/// A message to a worker.
#[derive(Debug)]
pub(crate) enum Order {
    Read(String),
    Run(RunOrder),
    /// Answers that belong together: the code continues when it has all of them.
    Replies(Vec<Reply>),
    /// A timer is due.
    Wake,
    /// These calls will not be answered, and the code must not wait for them any more.
    Forget(Vec<u32>),
    /// The time is up: end, and report how far the code got.
    Stop,
}

#[derive(Debug)]
pub(crate) struct RunOrder {
    pub(crate) javascript: String,
    /// Maps positions in the JavaScript to those in the TypeScript.
    pub(crate) source_map: String,
    /// As JSON.
    pub(crate) args: String,
    pub(crate) limits: Limits,
    /// When the run ends, by the clock that both sides share.
    pub(crate) deadline: Duration,
}

#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) id: u32,
    pub(crate) ok: bool,
    /// JSON: the data, or the error.
    pub(crate) text: String,
    pub(crate) meta: Option<String>,
}

/// A message from a worker.
#[derive(Debug)]
pub(crate) enum Report {
    /// The first report: the layers that confine the worker, as the bits of `lockdown::Layers`.
    Hello(u32),
    Read(Box<ReadResult>),
    Waiting(Box<Waiting>),
    Ended(Box<Ended>),
}

#[derive(Debug)]
pub(crate) enum ReadResult {
    Script {
        hash: String,
        javascript: String,
        source_map: String,
        /// JSON, like the two that follow.
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

/// The code cannot continue until something happens: what it did since it last waited, and what it
/// waits for. The worker does nothing until its next order.
#[derive(Debug, Default)]
pub(crate) struct Waiting {
    pub(crate) console: Vec<ConsoleLine>,
    pub(crate) calls: Vec<OutgoingCall>,
    /// Calls that the code aborts.
    pub(crate) aborted: Vec<u32>,
    /// The time until the next timer is due.
    pub(crate) timer: Option<Duration>,
    /// Whether the code has its result. Then only writes are still waited for.
    pub(crate) settled: bool,
    /// How much memory the engine uses now.
    pub(crate) memory_bytes: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CallRoot {
    Capstan,
    Mcp,
    Caps,
}

#[derive(Debug)]
pub(crate) struct OutgoingCall {
    pub(crate) id: u32,
    pub(crate) root: CallRoot,
    /// The names after the root, with NUL between them.
    pub(crate) path: String,
    /// As JSON.
    pub(crate) input: String,
    /// In milliseconds; 0 where the code sets no limit of its own.
    pub(crate) timeout_ms: u32,
}

/// How many warnings a worker reports.
pub(crate) const MAX_WARNINGS: usize = 5;

#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) verdict: Verdict,
    pub(crate) console: Vec<ConsoleLine>,
    pub(crate) console_cut: bool,
    /// Warnings for the author of the code: at most `MAX_WARNINGS`, and one line that counts the
    /// rest.
    pub(crate) warnings: Vec<String>,
    pub(crate) cpu_us: u64,
    pub(crate) memory_bytes: u64,
    /// Whether the worker will take no other order.
    pub(crate) is_last: bool,
}

/// How a run ended, as the worker sees it.
#[derive(Debug)]
pub(crate) enum Verdict {
    /// As JSON.
    Value(String),
    /// The result cannot be written as JSON: what, and where.
    NotJson(String),
    Threw(ThrownError),
    Limit {
        which: Stopped,
        stack: String,
    },
    /// The code waits for something that never happens.
    Stuck,
    /// The engine rejects the code, although the reader accepted it.
    Syntax {
        message: String,
        stack: String,
    },
    Broken(String),
}

/// What the code threw, as far as it can be described.
#[derive(Debug)]
pub(crate) struct ThrownError {
    pub(crate) name: String,
    pub(crate) message: String,
    pub(crate) stack: String,
    /// The call whose error this is.
    pub(crate) call: Option<u32>,
}

impl Order {
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        match self {
            Order::Read(source) => {
                let mut frame = FrameWriter::new(0);
                frame.text(&source);
                frame.into_bytes()
            }
            Order::Run(run) => {
                let mut frame = FrameWriter::new(1);
                frame.text(&run.javascript).text(&run.source_map);
                frame.text(&run.args);
                write_limits(&mut frame, &run.limits);
                frame.u64(micros(run.deadline));
                frame.into_bytes()
            }
            Order::Replies(replies) => {
                let mut frame = FrameWriter::new(2);
                frame.count(replies.len());
                for reply in &replies {
                    frame.u32(reply.id).flag(reply.ok).text(&reply.text);
                    frame.optional_text(reply.meta.as_deref());
                }
                frame.into_bytes()
            }
            Order::Stop => FrameWriter::new(3).into_bytes(),
            Order::Wake => FrameWriter::new(4).into_bytes(),
            Order::Forget(calls) => {
                let mut frame = FrameWriter::new(5);
                write_numbers(&mut frame, &calls);
                frame.into_bytes()
            }
        }
    }

    pub(crate) fn parse(body: &[u8]) -> Option<Self> {
        let mut bytes = FrameReader::new(body);
        let order = match bytes.byte()? {
            0 => Order::Read(bytes.text()?),
            1 => Order::Run(RunOrder {
                javascript: bytes.text()?,
                source_map: bytes.text()?,
                args: bytes.text()?,
                limits: read_limits(&mut bytes)?,
                deadline: Duration::from_micros(bytes.u64()?),
            }),
            2 => Order::Replies(bytes.list(|bytes| {
                Some(Reply {
                    id: bytes.u32()?,
                    ok: bytes.flag()?,
                    text: bytes.text()?,
                    meta: bytes.optional_text()?,
                })
            })?),
            3 => Order::Stop,
            4 => Order::Wake,
            5 => Order::Forget(bytes.list(FrameReader::u32)?),
            _ => return None,
        };
        bytes.is_empty().then_some(order)
    }
}

impl Report {
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        match self {
            Report::Hello(layers) => {
                let mut frame = FrameWriter::new(0);
                frame.u32(layers);
                frame.into_bytes()
            }
            Report::Read(read) => {
                let mut frame = FrameWriter::new(1);
                write_read_result(&mut frame, &read);
                frame.into_bytes()
            }
            Report::Waiting(waiting) => {
                let mut frame = FrameWriter::new(2);
                write_waiting(&mut frame, &waiting);
                frame.into_bytes()
            }
            Report::Ended(ended) => {
                let mut frame = FrameWriter::new(3);
                write_verdict(&mut frame, &ended.verdict);
                write_console(&mut frame, &ended.console);
                frame.flag(ended.console_cut).count(ended.warnings.len());
                for warning in &ended.warnings {
                    frame.text(warning);
                }
                frame.u64(ended.cpu_us);
                frame.u64(ended.memory_bytes).flag(ended.is_last);
                frame.into_bytes()
            }
        }
    }

    pub(crate) fn parse(body: &[u8]) -> Option<Self> {
        let mut bytes = FrameReader::new(body);
        let report = match bytes.byte()? {
            0 => Report::Hello(bytes.u32()?),
            1 => Report::Read(Box::new(read_read_result(&mut bytes)?)),
            2 => Report::Waiting(Box::new(read_waiting(&mut bytes)?)),
            3 => Report::Ended(Box::new(Ended {
                verdict: read_verdict(&mut bytes)?,
                console: read_console(&mut bytes)?,
                console_cut: bytes.flag()?,
                warnings: bytes.list(FrameReader::text)?,
                cpu_us: bytes.u64()?,
                memory_bytes: bytes.u64()?,
                is_last: bytes.flag()?,
            })),
            _ => return None,
        };
        bytes.is_empty().then_some(report)
    }
}

impl CallRoot {
    pub(crate) fn parse(byte: u8) -> Option<Self> {
        [CallRoot::Capstan, CallRoot::Mcp, CallRoot::Caps]
            .into_iter()
            .find(|root| *root as u8 == byte)
    }
}

fn write_limits(frame: &mut FrameWriter, limits: &Limits) {
    frame.u64(micros(limits.wall)).u64(micros(limits.cpu));
    frame.u64(limits.memory_bytes).u64(limits.stack_bytes);
    frame.u64(limits.output_bytes).u64(limits.console_bytes);
    frame.u32(limits.calls);
}

fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}

fn read_limits(bytes: &mut FrameReader<'_>) -> Option<Limits> {
    Some(Limits {
        wall: Duration::from_micros(bytes.u64()?),
        cpu: Duration::from_micros(bytes.u64()?),
        memory_bytes: bytes.u64()?,
        stack_bytes: bytes.u64()?,
        output_bytes: bytes.u64()?,
        console_bytes: bytes.u64()?,
        calls: bytes.u32()?,
    })
}

/// Encodes that there is no timer.
const NO_TIMER: u64 = u64::MAX;

fn write_waiting(frame: &mut FrameWriter, waiting: &Waiting) {
    write_console(frame, &waiting.console);
    frame.count(waiting.calls.len());
    for call in &waiting.calls {
        frame.u32(call.id).byte(call.root as u8);
        frame.text(&call.path).text(&call.input);
        frame.u32(call.timeout_ms);
    }
    write_numbers(frame, &waiting.aborted);
    frame.u64(waiting.timer.map_or(NO_TIMER, micros));
    frame.flag(waiting.settled).u64(waiting.memory_bytes);
}

fn read_waiting(bytes: &mut FrameReader<'_>) -> Option<Waiting> {
    Some(Waiting {
        console: read_console(bytes)?,
        calls: bytes.list(|bytes| {
            Some(OutgoingCall {
                id: bytes.u32()?,
                root: CallRoot::parse(bytes.byte()?)?,
                path: bytes.text()?,
                input: bytes.text()?,
                timeout_ms: bytes.u32()?,
            })
        })?,
        aborted: bytes.list(FrameReader::u32)?,
        timer: match bytes.u64()? {
            NO_TIMER => None,
            micros => Some(Duration::from_micros(micros)),
        },
        settled: bytes.flag()?,
        memory_bytes: bytes.u64()?,
    })
}

fn write_numbers(frame: &mut FrameWriter, numbers: &[u32]) {
    frame.count(numbers.len());
    for number in numbers {
        frame.u32(*number);
    }
}

fn write_console(frame: &mut FrameWriter, lines: &[ConsoleLine]) {
    frame.count(lines.len());
    for line in lines {
        frame.byte(level_byte(&line.level)).text(&line.text);
    }
}

fn read_console(bytes: &mut FrameReader<'_>) -> Option<Vec<ConsoleLine>> {
    bytes.list(|bytes| {
        let level = LEVELS.get(usize::from(bytes.byte()?))?;
        Some(ConsoleLine {
            level: (*level).to_owned(),
            text: bytes.text()?,
        })
    })
}

/// The methods of `console`, in the order in which the engine numbers them.
pub(crate) const LEVELS: [&str; 5] = ["log", "info", "warn", "error", "debug"];

fn level_byte(level: &str) -> u8 {
    let found = LEVELS.iter().position(|known| *known == level);
    u8::try_from(found.unwrap_or(0)).unwrap_or(0)
}

fn write_read_result(frame: &mut FrameWriter, read: &ReadResult) {
    match read {
        ReadResult::Script {
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
        ReadResult::Refused {
            unsupported,
            limit,
            message,
            place,
        } => {
            frame.flag(false).flag(*unsupported).flag(*limit);
            frame.text(message).flag(place.is_some());
            if let Some(place) = place {
                frame.u32(place.line).u32(place.column);
            }
        }
    }
}

fn read_read_result(bytes: &mut FrameReader<'_>) -> Option<ReadResult> {
    if bytes.flag()? {
        return Some(ReadResult::Script {
            hash: bytes.text()?,
            javascript: bytes.text()?,
            source_map: bytes.text()?,
            calls: bytes.text()?,
            parameters: bytes.text()?,
            mentions: bytes.text()?,
        });
    }
    Some(ReadResult::Refused {
        unsupported: bytes.flag()?,
        limit: bytes.flag()?,
        message: bytes.text()?,
        place: if bytes.flag()? {
            Some(Place {
                line: bytes.u32()?,
                column: bytes.u32()?,
            })
        } else {
            None
        },
    })
}

fn write_verdict(frame: &mut FrameWriter, verdict: &Verdict) {
    match verdict {
        Verdict::Value(text) => frame.byte(0).text(text),
        Verdict::NotJson(what) => frame.byte(1).text(what),
        Verdict::Threw(error) => {
            frame.byte(2).text(&error.name).text(&error.message);
            frame.text(&error.stack).flag(error.call.is_some());
            frame.u32(error.call.unwrap_or_default())
        }
        Verdict::Limit { which, stack } => frame.byte(3).byte(limit_byte(*which)).text(stack),
        Verdict::Stuck => frame.byte(4),
        Verdict::Syntax { message, stack } => frame.byte(5).text(message).text(stack),
        Verdict::Broken(what) => frame.byte(6).text(what),
    };
}

fn read_verdict(bytes: &mut FrameReader<'_>) -> Option<Verdict> {
    Some(match bytes.byte()? {
        0 => Verdict::Value(bytes.text()?),
        1 => Verdict::NotJson(bytes.text()?),
        2 => {
            let (name, message, stack) = (bytes.text()?, bytes.text()?, bytes.text()?);
            let (has_call, call) = (bytes.flag()?, bytes.u32()?);
            Verdict::Threw(ThrownError {
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
