//! Runs work for a request: reports progress to the client, and stops when the client cancels.

use std::future::Future;
use std::pin::{Pin, pin};

use rmcp::RoleServer;
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::{Peer, RequestContext};

use super::progress::{ProgressReport, ProgressSource};

/// A progress notification that is being sent.
type Sending = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Runs `work` and returns its output, or `None` if the client cancelled the request. The work is then
/// dropped, which stops it. If the request has a progress token, the reports of `progress` are sent one
/// after the other.
pub(super) async fn run_until_cancelled<T>(
    work: impl Future<Output = T>,
    mut progress: impl ProgressSource,
    context: &RequestContext<RoleServer>,
) -> Option<T> {
    let token = context.meta.get_progress_token();
    let mut work = pin!(work);
    let mut sending: Option<Sending> = None;
    loop {
        tokio::select! {
            biased;
            () = context.ct.cancelled() => return None,
            output = &mut work => {
                // A report must not arrive after the response.
                if let Some(sending) = sending {
                    sending.await;
                }
                return Some(output);
            }
            () = finish_sending(&mut sending), if sending.is_some() => sending = None,
            report = progress.next_report(), if token.is_some() && sending.is_none() => {
                let token = token.clone();
                let peer = context.peer.clone();
                sending = token.map(|token| Box::pin(send_report(peer, token, report)) as Sending);
            }
        }
    }
}

async fn finish_sending(sending: &mut Option<Sending>) {
    if let Some(sending) = sending {
        sending.await;
    }
}

async fn send_report(peer: Peer<RoleServer>, token: ProgressToken, report: ProgressReport) {
    let mut notification =
        ProgressNotificationParam::new(token, report.progress).with_message(report.message);
    if let Some(total) = report.total {
        notification = notification.with_total(total);
    }
    if let Err(error) = peer.notify_progress(notification).await {
        tracing::debug!(%error, "cannot send a progress report");
    }
}
