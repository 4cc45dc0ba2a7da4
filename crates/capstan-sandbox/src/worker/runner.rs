//! Runs code, one order after the other, each in an engine of its own.

use std::time::Duration;

use crate::engine::{self, Channel, Prepared, Received};
use crate::wire::{Ended, Order, Report, RunOrder, Verdict};

/// The engine itself ends most code that uses too much of the processor, and says where it was; the
/// alarm is for the rest.
const BEFORE_THE_ALARM: Duration = Duration::from_millis(100);

/// Runs whatever comes until nothing comes any more, or until an engine was stopped midway.
pub(crate) fn serve(channel: &mut dyn Channel, alarm: fn(Option<Duration>)) {
    loop {
        let prepared = Prepared::new();
        let Some(order) = next_order(channel) else {
            return;
        };
        let engine = match prepared {
            Ok(engine) => engine,
            Err(error) => {
                channel.send(broken(&error.to_string()).into_bytes());
                return;
            }
        };
        alarm(Some(order.limits.cpu + BEFORE_THE_ALARM));
        let Some(ended) = engine::run(&engine, &order, channel) else {
            return;
        };
        alarm(None);
        let last = ended.last;
        if engine.ran_out_of_memory() {
            // It may have lost count of what it holds, and would end the process over it.
            std::mem::forget(engine);
        }
        if !channel.send(Report::Ended(Box::new(ended)).into_bytes()) || last {
            return;
        }
    }
}

fn next_order(channel: &mut dyn Channel) -> Option<RunOrder> {
    loop {
        let Received::Frame(body) = channel.receive() else {
            return None;
        };
        match Order::parse(&body)? {
            Order::Run(order) => return Some(order),
            // They were on their way when the run that they belong to ended.
            Order::Stop | Order::Replies(_) | Order::Wake | Order::Forget(_) => {}
            Order::Read(_) => return None,
        }
    }
}

fn broken(what: &str) -> Report {
    Report::Ended(Box::new(Ended {
        verdict: Verdict::Broken(what.to_owned()),
        console: Vec::new(),
        console_cut: false,
        warnings: Vec::new(),
        cpu_us: 0,
        memory_bytes: 0,
        last: true,
    }))
}
