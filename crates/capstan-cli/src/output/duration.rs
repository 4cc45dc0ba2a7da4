//! Formats durations in a few characters.

/// Formats a duration in microseconds, such as `0.4 ms`, `12 ms`, `1.3 s` or `75 s`.
pub(super) fn duration(microseconds: u64) -> String {
    let ms = microseconds as f64 / 1000.0;
    match microseconds {
        0..10_000 => format!("{ms:.1} ms"),
        10_000..1_000_000 => format!("{ms:.0} ms"),
        1_000_000..60_000_000 => format!("{:.1} s", ms / 1000.0),
        _ => format!("{:.0} s", ms / 1000.0),
    }
}

#[cfg(test)]
mod tests {
    use super::duration;

    #[test]
    fn short_and_long() {
        for (microseconds, text) in [
            (0, "0.0 ms"),
            (420, "0.4 ms"),
            (12_345, "12 ms"),
            (1_290_000, "1.3 s"),
            (75_000_000, "75 s"),
        ] {
            assert_eq!(duration(microseconds), text);
        }
    }
}
