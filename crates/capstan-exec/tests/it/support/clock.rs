//! A clock that jumps: when all work waits, the time of the earliest sleeper comes. Sleepers of the same time wake one
//! after the other, in the order in which they fell asleep.

use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};
use std::time::{Duration, Instant, SystemTime};

use capstan_core::port::{BoxFuture, Clock};

pub(crate) struct VirtualClock {
    start: Instant,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    elapsed: Duration,
    sleepers: Vec<Sleeper>,
    next_id: u64,
    waits: Vec<Duration>,
}

struct Sleeper {
    id: u64,
    wakes_at: Duration,
    is_due: bool,
    waker: Waker,
}

impl VirtualClock {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self {
            start: Instant::now(),
            state: Mutex::default(),
        })
    }

    /// Returns the time since the clock was made.
    pub(crate) fn elapsed(&self) -> Duration {
        self.state.lock().unwrap().elapsed
    }

    /// Returns the time since the clock was made until then.
    pub(crate) fn since_start(&self, at: Instant) -> Duration {
        at.saturating_duration_since(self.start)
    }

    /// Returns every wait that was begun through the port.
    pub(crate) fn waits(&self) -> Vec<Duration> {
        self.state.lock().unwrap().waits.clone()
    }

    /// Sleeps without being counted among the waits.
    pub(crate) fn pass(&self, duration: Duration) -> Sleep<'_> {
        let mut state = self.state.lock().unwrap();
        let id = state.next_id;
        state.next_id += 1;
        Sleep {
            clock: self,
            id,
            wakes_at: state.elapsed.saturating_add(duration),
        }
    }

    /// Runs a future to its end.
    pub(crate) fn drive<T>(&self, future: impl Future<Output = T>) -> T {
        let mut future = pin!(future);
        self.drive_until(future.as_mut(), || false)
            .expect("it runs to its end")
    }

    /// Runs a future to its end, or until something is reached.
    pub(crate) fn drive_until<T>(
        &self,
        mut future: Pin<&mut impl Future<Output = T>>,
        is_reached: impl Fn() -> bool,
    ) -> Option<T> {
        let woken = Arc::new(Woken::default());
        let waker = Waker::from(Arc::clone(&woken));
        loop {
            let polled = future.as_mut().poll(&mut Context::from_waker(&waker));
            if let Poll::Ready(value) = polled {
                return Some(value);
            }
            if is_reached() {
                return None;
            }
            if !woken.0.swap(false, Ordering::Relaxed) {
                assert!(self.wake_next(), "everything waits, and for nothing");
            }
        }
    }

    fn wake_next(&self) -> bool {
        let mut state = self.state.lock().unwrap();
        let sleepers = state.sleepers.iter_mut().filter(|it| !it.is_due);
        let Some(next) = sleepers.min_by_key(|it| (it.wakes_at, it.id)) else {
            return false;
        };
        next.is_due = true;
        let (at, waker) = (next.wakes_at, next.waker.clone());
        state.elapsed = state.elapsed.max(at);
        waker.wake();
        true
    }
}

impl Clock for VirtualClock {
    fn now(&self) -> Instant {
        self.start + self.elapsed()
    }

    fn date(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH + self.elapsed()
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'_, ()> {
        self.state.lock().unwrap().waits.push(duration);
        Box::pin(self.pass(duration))
    }
}

pub(crate) struct Sleep<'a> {
    clock: &'a VirtualClock,
    id: u64,
    wakes_at: Duration,
}

impl Future for Sleep<'_> {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let mut state = self.clock.state.lock().unwrap();
        let waker = context.waker().clone();
        match state.sleepers.iter_mut().find(|it| it.id == self.id) {
            Some(sleeper) if sleeper.is_due => Poll::Ready(()),
            Some(sleeper) => {
                sleeper.waker = waker;
                Poll::Pending
            }
            None => {
                let (id, wakes_at) = (self.id, self.wakes_at);
                state.sleepers.push(Sleeper {
                    id,
                    wakes_at,
                    is_due: false,
                    waker,
                });
                Poll::Pending
            }
        }
    }
}

impl Drop for Sleep<'_> {
    fn drop(&mut self) {
        let mut state = self.clock.state.lock().unwrap();
        state.sleepers.retain(|it| it.id != self.id);
    }
}

#[derive(Default)]
struct Woken(AtomicBool);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }
}
