//! Stops work on a signal. The work is dropped and the process ends normally, so that everything done until then is
//! recorded.

use std::future::Future;

use capstan_engine::{Capstan, Interruption};

use crate::output::announce;

/// The number of the signal that stopped the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Interrupted(pub(crate) u8);

impl Interrupted {
    /// Returns the exit code that shells use for this signal: 128 plus its number.
    pub(crate) fn exit_code(self) -> u8 {
        self.0.saturating_add(128)
    }
}

/// Runs work until it ends or a signal arrives. After a signal, the work is dropped, and people see which writes it had
/// made. A second signal ends the process at once.
pub(crate) async fn interruptible<T>(
    capstan: &Capstan,
    work: impl Future<Output = T>,
) -> Result<T, Interrupted> {
    let advice = "`capstan trace show last` shows the state of each call";
    interruptible_with(capstan, work, advice).await
}

/// Runs work like [`interruptible`]. `advice` is shown to people after a signal.
pub(crate) async fn interruptible_with<T>(
    capstan: &Capstan,
    work: impl Future<Output = T>,
    advice: &str,
) -> Result<T, Interrupted> {
    let stop = match first_signal() {
        Ok(stop) => stop,
        Err(cause) => {
            tracing::warn!("cannot listen for signals: {cause}");
            return Ok(work.await);
        }
    };
    // `select!` drops the work if the signal comes first.
    let done = tokio::select! {
        biased;
        signal = stop => Err(signal),
        done = work => Ok(done),
    };
    if done.is_err() {
        let writes = capstan
            .take_interruption()
            .and_then(|it| describe_writes(&it));
        let details = writes.map_or_else(String::new, |writes| format!(": {writes}"));
        announce(&format!("interrupted{details}; {advice}"));
    }
    done
}

/// Describes the state of the writes. Returns `None` if there were none.
fn describe_writes(interruption: &Interruption) -> Option<String> {
    let Interruption {
        done,
        unknown,
        not_sent,
    } = interruption;
    let count = |count: usize| match count {
        1 => "1 write".to_owned(),
        count => format!("{count} writes"),
    };
    let mut parts = Vec::new();
    if *done > 0 {
        parts.push(format!("{} done", count(*done)));
    }
    if !unknown.is_empty() {
        let names = unknown.join(", ");
        parts.push(format!(
            "{} may have happened ({names})",
            count(unknown.len())
        ));
    }
    if *not_sent > 0 {
        parts.push(format!("{} never sent", count(*not_sent)));
    }
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// Starts to listen for signals, and returns a future that resolves at the first one. A second signal ends the process
/// at once.
pub(crate) fn first_signal() -> std::io::Result<impl Future<Output = Interrupted>> {
    let (sender, receiver) = tokio::sync::oneshot::channel();
    listen(sender)?;
    Ok(async {
        match receiver.await {
            Ok(signal) => signal,
            Err(_) => std::future::pending().await,
        }
    })
}

/// Listens on a thread of its own, because the work may block every other thread.
fn listen(sender: tokio::sync::oneshot::Sender<Interrupted>) -> std::io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let mut signals = {
        let _inside = runtime.enter();
        Signals::listen()?
    };
    let listener = std::thread::Builder::new().name("signals".to_owned());
    listener.spawn(move || {
        let first = runtime.block_on(signals.next());
        // If the work has ended already, nothing has to be stopped first.
        if let Err(first) = sender.send(first) {
            std::process::exit(first.exit_code().into());
        }
        let second = runtime.block_on(signals.next());
        std::process::exit(second.exit_code().into());
    })?;
    Ok(())
}

/// The signals that stop the work: SIGHUP, SIGINT and SIGTERM; on other platforms than Unix, Ctrl-C.
struct Signals {
    /// The number and the listener of each signal.
    #[cfg(unix)]
    listeners: Vec<(u8, tokio::signal::unix::Signal)>,
}

#[cfg(unix)]
impl Signals {
    fn listen() -> std::io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        let kinds = [
            SignalKind::hangup(),
            SignalKind::interrupt(),
            SignalKind::terminate(),
        ];
        let ignored = ignored();
        let mut listeners = Vec::new();
        for kind in kinds {
            let number = u8::try_from(kind.as_raw_value()).unwrap_or_default();
            // A signal that was ignored at the start stays ignored: `nohup` and background jobs rely on it.
            if ignored & (1 << number.saturating_sub(1)) == 0 {
                listeners.push((number, signal(kind)?));
            }
        }
        Ok(Self { listeners })
    }

    async fn next(&mut self) -> Interrupted {
        std::future::poll_fn(|context| {
            for (number, signal) in &mut self.listeners {
                if signal.poll_recv(context).is_ready() {
                    return std::task::Poll::Ready(Interrupted(*number));
                }
            }
            std::task::Poll::Pending
        })
        .await
    }
}

/// Returns the signals that were ignored when this process started, as a bit mask in which bit 0 is signal 1. It is 0
/// where `/proc` does not exist.
#[cfg(unix)]
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .unwrap_or(0)
}

#[cfg(not(unix))]
impl Signals {
    fn listen() -> std::io::Result<Self> {
        Ok(Self {})
    }

    async fn next(&mut self) -> Interrupted {
        const INTERRUPT: u8 = 2;
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
        Interrupted(INTERRUPT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_are_told_what_became_of_the_writes() {
        let described = |done, unknown: &[&str], not_sent| {
            let unknown = unknown.iter().map(|it| (*it).to_owned()).collect();
            describe_writes(&Interruption {
                done,
                unknown,
                not_sent,
            })
        };
        assert_eq!(described(0, &[], 0), None);
        assert_eq!(
            described(2, &["issue.create"], 1).as_deref(),
            Some("2 writes done, 1 write may have happened (issue.create), 1 write never sent")
        );
        assert_eq!(
            described(0, &["issue.close", "pr.merge"], 0).as_deref(),
            Some("2 writes may have happened (issue.close, pr.merge)")
        );
    }
}
