//! Works for a client that may lose patience: it is told how far the work is, and its cancellation
//! stops the work.

use std::future::Future;
use std::pin::{Pin, pin};

use rmcp::RoleServer;
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::{Peer, RequestContext};

use super::news::{News, Report};

type Sending = Pin<Box<dyn Future<Output = ()> + Send>>;

/// What the work comes to, or nothing when the client cancelled: then the work was dropped, which
/// stops it. A client that asked for progress is told the news, one after the other.
pub(super) async fn run<T>(
    work: impl Future<Output = T>,
    mut news: impl News,
    context: &RequestContext<RoleServer>,
) -> Option<T> {
    let token = context.meta.get_progress_token();
    let mut work = pin!(work);
    let mut sending: Option<Sending> = None;
    loop {
        tokio::select! {
            biased;
            () = context.ct.cancelled() => return None,
            done = &mut work => {
                // A report after the answer would be about nothing.
                if let Some(sending) = sending {
                    sending.await;
                }
                return Some(done);
            }
            () = sent(&mut sending), if sending.is_some() => sending = None,
            report = news.next(), if token.is_some() && sending.is_none() => {
                let token = token.clone();
                sending = token.map(|token| Box::pin(send(context.peer.clone(), token, report)) as Sending);
            }
        }
    }
}

async fn sent(sending: &mut Option<Sending>) {
    if let Some(sending) = sending {
        sending.await;
    }
}

async fn send(peer: Peer<RoleServer>, token: ProgressToken, report: Report) {
    let mut progress =
        ProgressNotificationParam::new(token, report.progress).with_message(report.message);
    if let Some(total) = report.total {
        progress = progress.with_total(total);
    }
    if let Err(error) = peer.notify_progress(progress).await {
        tracing::debug!(%error, "progress could not be sent");
    }
}
