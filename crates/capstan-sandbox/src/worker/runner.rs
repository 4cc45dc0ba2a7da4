//! Runs code, one order after the other, each in a new engine.

use std::time::Duration;

use crate::engine::{self, Channel, PreparedEngine, Received};
use crate::wire::{Ended, Order, Report, RunOrder, Verdict};

/// How much later than the engine's own limit the alarm goes off. The engine ends most code that
/// uses too much CPU time and reports where it was; the alarm ends the rest.
const ALARM_DELAY: Duration = Duration::from_millis(100);

/// Runs code until the channel is closed, or until an engine was stopped midway.
pub(crate) fn serve(channel: &mut dyn Channel, set_alarm: fn(Option<Duration>)) {
    loop {
        let prepared = PreparedEngine::new();
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
        set_alarm(Some(order.limits.cpu + ALARM_DELAY));
        let Some(ended) = engine::run(&engine, &order, channel) else {
            return;
        };
        set_alarm(None);
        let is_last = ended.is_last;
        if engine.ran_out_of_memory() {
            // Its count of objects may be wrong, and freeing it would abort the process.
            std::mem::forget(engine);
        }
        if !channel.send(Report::Ended(Box::new(ended)).into_bytes()) || is_last {
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
            // They were sent before their run ended.
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
        is_last: true,
    }))
}
