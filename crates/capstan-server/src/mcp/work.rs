//! Runs a capability for a client that may lose patience: it is told how long the work takes, and
//! its cancellation stops the work.

use std::future::Future;
use std::pin::{Pin, pin};
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::{Peer, RequestContext};
use tokio::time::{Instant, MissedTickBehavior, interval_at};

use capstan_core::{ResultEnvelope, TaskRequest};
use capstan_engine::Capstan;

/// Work that is done sooner is not reported on.
const PERIOD: Duration = Duration::from_secs(2);

/// The envelope, or nothing when the client cancelled: then the work was dropped, which stops it.
pub(super) async fn run(
    capstan: &Capstan,
    request: &TaskRequest,
    context: &RequestContext<RoleServer>,
) -> Option<ResultEnvelope> {
    let token = context.meta.get_progress_token();
    let started = Instant::now();
    let mut ticks = interval_at(started + PERIOD, PERIOD);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut work = pin!(capstan.execute_task(request));
    let mut report: Option<Pin<Box<dyn Future<Output = ()> + Send>>> = None;
    loop {
        tokio::select! {
            biased;
            () = context.ct.cancelled() => return None,
            envelope = &mut work => {
                // A report after the answer would be about nothing.
                if let Some(report) = report {
                    report.await;
                }
                return Some(envelope);
            }
            () = pending(&mut report), if report.is_some() => report = None,
            _ = ticks.tick(), if token.is_some() && report.is_none() => {
                report = token.clone().map(|token| {
                    let sent = send(context.peer.clone(), token, &request.capability, started.elapsed());
                    Box::pin(sent) as Pin<Box<dyn Future<Output = ()> + Send>>
                });
            }
        }
    }
}

async fn pending(report: &mut Option<Pin<Box<dyn Future<Output = ()> + Send>>>) {
    if let Some(report) = report {
        report.await;
    }
}

fn send(
    peer: Peer<RoleServer>,
    token: ProgressToken,
    capability: &str,
    elapsed: Duration,
) -> impl Future<Output = ()> + Send + use<> {
    let message = format!("running {capability}, {} s so far", elapsed.as_secs());
    let progress =
        ProgressNotificationParam::new(token, elapsed.as_secs_f64()).with_message(message);
    async move {
        if let Err(error) = peer.notify_progress(progress).await {
            tracing::debug!(%error, "progress could not be sent");
        }
    }
}
