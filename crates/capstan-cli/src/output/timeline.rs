//! Arranges the calls of a trace: each below the call that made it. Calls of one request are connected by a bracket.

use capstan_core::code::TraceCall;

/// One line of the timeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TimelineRow {
    /// The index in the list of calls.
    pub(super) call: usize,
    /// The indentation and the bracket before the name.
    pub(super) prefix: String,
}

/// Returns one row for each call, in the order in which they are shown.
pub(super) fn rows(calls: &[TraceCall]) -> Vec<TimelineRow> {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); calls.len()];
    let mut top = Vec::new();
    for (index, call) in calls.iter().enumerate() {
        // A call comes after the one that made it. Calls with an invalid parent are shown at the top level.
        let parent = call.within.map(|within| within as usize);
        match parent.filter(|parent| *parent < index) {
            Some(parent) => children[parent].push(index),
            None => top.push(index),
        }
    }
    let mut rows = Vec::with_capacity(calls.len());
    // Calls may be nested arbitrarily deep, so this uses a list of levels instead of recursion.
    let mut waiting = vec![level(calls, &top, "")];
    while let Some(next) = waiting.last_mut() {
        let Some((row, below)) = next.pop() else {
            waiting.pop();
            continue;
        };
        waiting.push(level(calls, &children[row.call], &below));
        rows.push(row);
    }
    rows
}

/// Returns the rows of one level, last first, each with the prefix of the rows below it. `before` is the prefix of the
/// level.
fn level(calls: &[TraceCall], level: &[usize], before: &str) -> Vec<(TimelineRow, String)> {
    let batch = |index: usize| calls[index].batch;
    let tied = level
        .windows(2)
        .any(|pair| batch(pair[0]) == batch(pair[1]));
    let row = |(index, &call): (usize, &usize)| {
        let same = |other: Option<&usize>| other.is_some_and(|other| batch(*other) == batch(call));
        let above = index.checked_sub(1).and_then(|above| level.get(above));
        let (own, below) = match (same(above), same(level.get(index + 1))) {
            _ if !tied => ("", "  "),
            (false, false) => ("  ", "    "),
            (false, true) => ("┌ ", "│   "),
            (true, true) => ("├ ", "│   "),
            (true, false) => ("└ ", "    "),
        };
        let prefix = format!("{before}{own}");
        (TimelineRow { call, prefix }, format!("{before}{below}"))
    };
    level.iter().enumerate().map(row).rev().collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;

    fn call((within, batch): (Option<u32>, u32)) -> TraceCall {
        TraceCall {
            capability: String::new(),
            code: None,
            step: None,
            within,
            batch,
            started_us: 0,
            duration_us: 0,
            ok: true,
            error_code: None,
            error: None,
            outcome: None,
            input: Value::Null,
            output: Value::Null,
        }
    }

    fn shown(calls: &[(Option<u32>, u32)]) -> String {
        let calls: Vec<_> = calls.iter().copied().map(call).collect();
        let rows = rows(&calls);
        let lines = rows.iter().map(|row| format!("{}{}", row.prefix, row.call));
        lines.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn calls_stand_below_their_caller() {
        assert_eq!(
            shown(&[(None, 0), (Some(0), 1), (Some(1), 2), (None, 3)]),
            "0\n  1\n    2\n3"
        );
    }

    #[test]
    fn what_left_together_is_tied_together() {
        assert_eq!(
            shown(&[(None, 0), (None, 1), (None, 1), (None, 1), (Some(2), 2)]),
            "  0\n┌ 1\n├ 2\n│   4\n└ 3"
        );
    }

    #[test]
    fn nonsense_is_shown_at_the_top() {
        assert_eq!(shown(&[(Some(0), 0), (Some(9), 1)]), "0\n1");
    }

    proptest! {
        #[test]
        fn every_call_is_shown_once(
            calls in prop::collection::vec((prop::option::of(0..30_u32), 0..5_u32), 0..30),
        ) {
            let calls: Vec<_> = calls.into_iter().map(call).collect();
            let mut shown: Vec<_> = rows(&calls).into_iter().map(|row| row.call).collect();
            shown.sort_unstable();
            prop_assert_eq!(shown, (0..calls.len()).collect::<Vec<_>>());
        }
    }
}
