//! Work that a signal stops. What it did until then is counted and kept, because the work is dropped
//! and the process ends in the ordinary way.

use std::future::Future;

use capstan_engine::{Capstan, Interruption};

use crate::output::announce;

/// Which signal it was, as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Interrupted(pub(crate) u8);

impl Interrupted {
    /// What a shell calls the end by this signal.
    pub(crate) fn exit_code(self) -> u8 {
        self.0.saturating_add(128)
    }
}

/// What the work comes to, unless a signal comes first: then it is dropped, and people are told what it
/// had written until then. From the next signal on nothing is waited for any more.
pub(crate) async fn interruptible<T>(
    capstan: &Capstan,
    work: impl Future<Output = T>,
) -> Result<T, Interrupted> {
    let how_to_go_on = "`capstan trace show last` tells what is known of each call";
    interruptible_with(capstan, work, how_to_go_on).await
}

/// The same, with what is said at the end.
pub(crate) async fn interruptible_with<T>(
    capstan: &Capstan,
    work: impl Future<Output = T>,
    how_to_go_on: &str,
) -> Result<T, Interrupted> {
    let told = match asked_to_stop() {
        Ok(told) => told,
        Err(cause) => {
            tracing::warn!("signals are not listened to: {cause}");
            return Ok(work.await);
        }
    };
    // Where this ends, the work was dropped if it was not over.
    let done = tokio::select! {
        biased;
        signal = told => Err(signal),
        done = work => Ok(done),
    };
    if done.is_err() {
        let written = capstan.take_interruption().and_then(|it| written(&it));
        let written = written.map_or_else(String::new, |written| format!(": {written}"));
        announce(&format!("interrupted{written}; {how_to_go_on}"));
    }
    done
}

/// What became of the writes, in words; nothing if there were none.
fn written(interruption: &Interruption) -> Option<String> {
    let Interruption {
        done,
        unknown,
        not_sent,
    } = interruption;
    let count = |count: usize| match count {
        1 => "1 write".to_owned(),
        count => format!("{count} writes"),
    };
    let mut told = Vec::new();
    if *done > 0 {
        told.push(format!("{} done", count(*done)));
    }
    if !unknown.is_empty() {
        let names = unknown.join(", ");
        told.push(format!(
            "{} may have happened ({names})",
            count(unknown.len())
        ));
    }
    if *not_sent > 0 {
        told.push(format!("{} never sent", count(*not_sent)));
    }
    (!told.is_empty()).then(|| told.join(", "))
}

/// Waits for the first signal. From the next one on nothing is waited for any more.
pub(crate) fn asked_to_stop() -> std::io::Result<impl Future<Output = Interrupted>> {
    let (tell, told) = tokio::sync::oneshot::channel();
    listen(tell)?;
    Ok(async {
        match told.await {
            Ok(signal) => signal,
            Err(_) => std::future::pending().await,
        }
    })
}

/// On a thread of its own: the work and what follows may keep every other one busy.
fn listen(tell: tokio::sync::oneshot::Sender<Interrupted>) -> std::io::Result<()> {
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
        // Where the work is over, or stops already, nobody has to be asked.
        if let Err(first) = tell.send(first) {
            std::process::exit(first.exit_code().into());
        }
        let second = runtime.block_on(signals.next());
        std::process::exit(second.exit_code().into());
    })?;
    Ok(())
}

#[cfg(unix)]
struct Signals(Vec<(u8, tokio::signal::unix::Signal)>);

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
        let mut signals = Vec::new();
        for kind in kinds {
            let number = u8::try_from(kind.as_raw_value()).unwrap_or_default();
            // `nohup` and shells that start something in the background mean it.
            if ignored & (1 << number.saturating_sub(1)) == 0 {
                signals.push((number, signal(kind)?));
            }
        }
        Ok(Self(signals))
    }

    async fn next(&mut self) -> Interrupted {
        std::future::poll_fn(|context| {
            for (number, signal) in &mut self.0 {
                if signal.poll_recv(context).is_ready() {
                    return std::task::Poll::Ready(Interrupted(*number));
                }
            }
            std::task::Poll::Pending
        })
        .await
    }
}

/// The signals that were ignored when this process began, a bit for each, where the system says so.
#[cfg(unix)]
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .unwrap_or(0)
}

#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn listen() -> std::io::Result<Self> {
        Ok(Self)
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
        let told = |done, unknown: &[&str], not_sent| {
            let unknown = unknown.iter().map(|it| (*it).to_owned()).collect();
            written(&Interruption {
                done,
                unknown,
                not_sent,
            })
        };
        assert_eq!(told(0, &[], 0), None);
        assert_eq!(
            told(2, &["issue.create"], 1).as_deref(),
            Some("2 writes done, 1 write may have happened (issue.create), 1 write never sent")
        );
        assert_eq!(
            told(0, &["issue.close", "pr.merge"], 0).as_deref(),
            Some("2 writes may have happened (issue.close, pr.merge)")
        );
    }
}
