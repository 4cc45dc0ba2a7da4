//! Messages survive encoding, and bytes that are no frame are rejected.

use std::time::Duration;

use capstan_core::code::{ConsoleLine, Limits, Place, Stopped};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use super::*;

fn body(frame: &[u8]) -> &[u8] {
    let (header, body) = frame.split_first_chunk::<HEADER_BYTES>().unwrap();
    assert_eq!(frame_length(*header), body.len());
    body
}

/// Checks that an encoded and parsed report encodes to the same bytes.
fn report_survives(report: Report) -> Result<(), TestCaseError> {
    let told = format!("{report:?}");
    let frame = report.into_bytes();
    let parsed = Report::parse(body(&frame));
    prop_assert_eq!(format!("{parsed:?}"), format!("Some({told})"));
    // Neither fewer nor more bytes are accepted.
    prop_assert!(Report::parse(&body(&frame)[..body(&frame).len() - 1]).is_none());
    let longer = [body(&frame), &[0]].concat();
    prop_assert!(Report::parse(&longer).is_none());
    Ok(())
}

fn order_survives(order: Order) -> Result<(), TestCaseError> {
    let told = format!("{order:?}");
    let frame = order.into_bytes();
    let parsed = Order::parse(body(&frame));
    prop_assert_eq!(format!("{parsed:?}"), format!("Some({told})"));
    Ok(())
}

fn text() -> impl Strategy<Value = String> {
    "\\PC{0,20}"
}

fn console() -> impl Strategy<Value = Vec<ConsoleLine>> {
    let line = (0..LEVELS.len(), text()).prop_map(|(level, text)| ConsoleLine {
        level: LEVELS[level].to_owned(),
        text,
    });
    vec(line, 0..4)
}

fn verdict() -> impl Strategy<Value = Verdict> {
    let which = prop_oneof![
        Just(Stopped::Wall),
        Just(Stopped::Cpu),
        Just(Stopped::Memory),
        Just(Stopped::Stack),
        Just(Stopped::Output),
        Just(Stopped::Calls),
    ];
    let error = (text(), text(), text(), option::of(any::<u32>()));
    prop_oneof![
        text().prop_map(Verdict::Value),
        text().prop_map(Verdict::NotJson),
        error.prop_map(|(name, message, stack, call)| Verdict::Threw(ThrownError {
            name,
            message,
            stack,
            call
        })),
        (which, text()).prop_map(|(which, stack)| Verdict::Limit { which, stack }),
        Just(()).prop_map(|()| Verdict::Stuck),
        (text(), text()).prop_map(|(message, stack)| Verdict::Syntax { message, stack }),
        text().prop_map(Verdict::Broken),
    ]
}

proptest! {
    #[test]
    fn bytes_are_no_frames(bytes in vec(any::<u8>(), 0..200)) {
        // Parsing never panics, and false lengths reserve nothing.
        let _ = Report::parse(&bytes);
        let _ = Order::parse(&bytes);
    }

    #[test]
    fn ends_survive(
        verdict in verdict(),
        console in console(),
        console_cut: bool,
        warnings in vec(text(), 0..4),
        cpu_us: u64,
        memory_bytes: u64,
        is_last: bool,
    ) {
        report_survives(Report::Ended(Box::new(Ended {
            verdict, console, console_cut, warnings, cpu_us, memory_bytes, is_last,
        })))?;
    }

    #[test]
    fn waits_survive(
        console in console(),
        calls in vec((any::<u32>(), 0..3_u8, text(), text(), any::<u32>()), 0..4),
        aborted in vec(any::<u32>(), 0..4),
        timer in option::of(0..u64::MAX / 2000),
        settled: bool,
        memory_bytes: u64,
    ) {
        let made = |(id, root, path, input, timeout_ms)| OutgoingCall {
            id,
            root: CallRoot::parse(root).unwrap(),
            path,
            input,
            timeout_ms,
        };
        let calls = calls.into_iter().map(made).collect();
        let timer = timer.map(Duration::from_micros);
        report_survives(Report::Waiting(Box::new(Waiting {
            console, calls, aborted, timer, settled, memory_bytes,
        })))?;
    }

    #[test]
    fn readings_survive(texts in vec(text(), 6), unsupported: bool, limit: bool, line in option::of(1..9_u32)) {
        let text = |index: usize| texts[index].clone();
        report_survives(Report::Read(Box::new(ReadResult::Script {
            hash: text(0),
            javascript: text(1),
            source_map: text(2),
            calls: text(3),
            parameters: text(4),
            mentions: text(5),
        })))?;
        report_survives(Report::Read(Box::new(ReadResult::Refused {
            unsupported,
            limit,
            message: text(0),
            place: line.map(|line| Place { line, column: line + 1 }),
        })))?;
        report_survives(Report::Hello(7))?;
    }

    #[test]
    fn orders_survive(
        texts in vec(text(), 2),
        numbers in vec(any::<u32>(), 7),
        replies in vec((any::<u32>(), any::<bool>(), text(), option::of(text())), 0..4),
    ) {
        order_survives(Order::Read(texts[0].clone()))?;
        order_survives(Order::Run(RunOrder {
            javascript: texts[0].clone(),
            source_map: texts[1].clone(),
            args: texts[1].clone(),
            limits: Limits {
                wall: Duration::from_micros(u64::from(numbers[0])),
                cpu: Duration::from_micros(u64::from(numbers[1])),
                memory_bytes: u64::from(numbers[2]),
                stack_bytes: u64::from(numbers[3]),
                output_bytes: u64::from(numbers[4]),
                console_bytes: u64::from(numbers[5]),
                calls: numbers[6],
            },
            deadline: Duration::from_micros(u64::from(numbers[0])),
        }))?;
        let said = |(id, ok, text, meta)| Reply { id, ok, text, meta };
        order_survives(Order::Replies(replies.into_iter().map(said).collect()))?;
        order_survives(Order::Stop)?;
        order_survives(Order::Wake)?;
        order_survives(Order::Forget(numbers))?;
    }
}
