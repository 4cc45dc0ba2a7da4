//! Ends the process when it has used too much CPU time, even inside native functions that never
//! check a clock.

use std::time::Duration;

/// Sets or clears the alarm. Its clock stops while the process waits.
#[cfg(unix)]
#[expect(unsafe_code, reason = "no safe binding for interval timers is at hand")]
pub(super) fn set(after: Option<Duration>) {
    let after = after.unwrap_or_default();
    let zero = libc::timeval {
        tv_sec: 0,
        tv_usec: 0,
    };
    let timer = libc::itimerval {
        it_interval: zero,
        it_value: libc::timeval {
            tv_sec: libc::time_t::try_from(after.as_secs()).unwrap_or(libc::time_t::MAX),
            tv_usec: after.subsec_micros() as libc::suseconds_t,
        },
    };
    // SAFETY: the pointer refers to a value that lives through the call; no old value is requested.
    // A failure is ignored: without the alarm, the sandbox's own clock still ends the run.
    unsafe {
        libc::setitimer(libc::ITIMER_PROF, &raw const timer, std::ptr::null_mut());
    }
}

#[cfg(not(unix))]
pub(super) fn set(_after: Option<Duration>) {}
