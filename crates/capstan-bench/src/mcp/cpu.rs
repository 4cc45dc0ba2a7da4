//! The processor time of another process.

use std::time::Duration;

/// Clock ticks per second in `/proc`: always 100 for user space since Linux 2.6.
const TICKS_PER_SECOND: u64 = 100;

/// Returns the user and system time that a process and its threads have used, with a resolution of 10 ms.
pub(super) fn cpu_time(process: u32) -> Option<Duration> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    parse(&stat)
}

fn parse(stat: &str) -> Option<Duration> {
    // The name of the program may contain spaces and parentheses.
    let (_, fields) = stat.rsplit_once(')')?;
    let mut fields = fields.split_ascii_whitespace();
    let user: u64 = fields.nth(11)?.parse().ok()?;
    let system: u64 = fields.next()?.parse().ok()?;
    let millis = (user + system) * 1000 / TICKS_PER_SECOND;
    Some(Duration::from_millis(millis))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn user_and_system_time_are_added() {
        let stat = "7 (a (b) c) S 1 7 7 0 -1 4194560 1 0 0 0 120 30 0 0 20 0 1 0 100 1 1";
        assert_eq!(parse(stat), Some(Duration::from_millis(1500)));
        assert_eq!(parse("nonsense"), None);
    }
}
