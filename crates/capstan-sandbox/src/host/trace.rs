//! Reads the stacks that workers report, in places of the TypeScript.

use capstan_core::code::{Frame, Place};

use crate::engine::SHOWN;

const MOST_FRAMES: usize = 20;
const LONGEST_NAME: usize = 100;

/// The frames of the user's code, innermost first. The stack may say anything: code can write it.
pub(crate) fn frames(stack: &str) -> Vec<Frame> {
    let frame = |(function, line, column): (&str, u32, u32)| Frame {
        function: function.chars().take(LONGEST_NAME).collect(),
        place: Place { line, column },
    };
    let found = stack.lines().filter_map(parse).take(MOST_FRAMES);
    found.map(frame).collect()
}

/// Where it happened: the innermost frame.
pub(crate) fn place(frames: &[Frame]) -> Option<Place> {
    frames.first().map(|frame| frame.place)
}

/// `    at name (code.ts:12:3)`.
fn parse(line: &str) -> Option<(&str, u32, u32)> {
    let frame = line.strip_prefix("    at ")?;
    let (function, place) = frame.strip_suffix(')')?.rsplit_once(" (")?;
    let (rest, column) = place.rsplit_once(':')?;
    let (file, line) = rest.rsplit_once(':')?;
    if file != SHOWN {
        return None;
    }
    let (line, column): (u32, u32) = (line.parse().ok()?, column.parse().ok()?);
    (line > 0 && column > 0).then_some((function, line, column))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_frames_of_the_code_count() {
        for (line, expected) in [
            ("    at f (code.ts:3:7)", Some(("f", 3, 7))),
            (
                "    at <anonymous> (code.ts:1:1)",
                Some(("<anonymous>", 1, 1)),
            ),
            ("    at code.ts:2:9", None),
            ("    at a (b) (code.ts:1:1)", Some(("a (b)", 1, 1))),
            ("    at invoke (capstan:200:3)", None),
            ("    at map (native)", None),
            ("    at f (code.ts:0:7)", None),
            ("    at f (code.ts:7:0)", None),
            ("    at f (code.ts:99999999999:7)", None),
            ("at f (code.ts:3:7)", None),
            ("    at f (code.ts:-3:7)", None),
            ("    at )", None),
            ("", None),
        ] {
            assert_eq!(parse(line), expected, "{line}");
        }
    }
}
