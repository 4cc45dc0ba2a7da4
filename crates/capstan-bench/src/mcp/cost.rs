//! Measures several servers in turns, so that noise of the machine affects all of them.

use std::time::{Duration, Instant};

use serde::Serialize;

use super::cpu::cpu_time;
use super::server::{Server, ServerCommand, ServerError};

/// The cost of one call to a server.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CallCost {
    pub server: String,
    pub calls: u32,
    /// Processor time of the server per call: the median over all rounds, in microseconds.
    pub cpu_us: f64,
    /// The figures of the fastest and of the slowest round.
    pub cpu_us_range: (f64, f64),
    /// Time until the response: the median of the rounds' means, in microseconds.
    pub latency_us: f64,
}

/// Calls before the measurement, which open connections and fill caches.
const WARM_UP: u32 = 100;

/// Makes `calls` calls in each of `rounds` rounds, one server after the other in every round.
pub fn measure(
    commands: &[ServerCommand],
    rounds: u32,
    calls: u32,
) -> Result<Vec<CallCost>, ServerError> {
    let mut servers = Vec::new();
    for command in commands {
        let mut server = Server::start(command)?;
        for _ in 0..WARM_UP {
            server.call()?;
        }
        servers.push((server, Rounds::default()));
    }
    for _ in 0..rounds {
        for (server, measured) in &mut servers {
            measured.add(server, calls)?;
        }
    }
    let costs = commands
        .iter()
        .zip(servers)
        .map(|(command, (_, measured))| measured.cost(&command.name, rounds * calls));
    Ok(costs.collect())
}

/// The figures of one server, one per round, in microseconds per call.
#[derive(Default)]
struct Rounds {
    cpu: Vec<f64>,
    latency: Vec<f64>,
}

impl Rounds {
    fn add(&mut self, server: &mut Server, calls: u32) -> Result<(), ServerError> {
        let cpu_before = cpu_time(server.process()).unwrap_or_default();
        let started = Instant::now();
        for _ in 0..calls {
            server.call()?;
        }
        let latency = started.elapsed();
        let cpu = cpu_time(server.process()).unwrap_or_default();
        self.cpu
            .push(per_call(cpu.saturating_sub(cpu_before), calls));
        self.latency.push(per_call(latency, calls));
        Ok(())
    }

    fn cost(mut self, server: &str, calls: u32) -> CallCost {
        self.cpu.sort_by(f64::total_cmp);
        self.latency.sort_by(f64::total_cmp);
        let lowest = self.cpu.first().copied().unwrap_or_default();
        let highest = self.cpu.last().copied().unwrap_or_default();
        CallCost {
            server: server.to_owned(),
            calls,
            cpu_us: median(&self.cpu),
            cpu_us_range: (lowest, highest),
            latency_us: median(&self.latency),
        }
    }
}

fn per_call(time: Duration, calls: u32) -> f64 {
    time.as_secs_f64() * 1e6 / f64::from(calls.max(1))
}

/// Returns the middle of sorted values; 0 if there are none.
fn median(sorted: &[f64]) -> f64 {
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}
