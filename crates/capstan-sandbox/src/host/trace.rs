//! Parses the stacks that workers report, in positions of the TypeScript.

use capstan_core::code::{Frame, Place};

use crate::engine::SHOWN_FILE;

const MAX_FRAMES: usize = 20;
const MAX_NAME_CHARS: usize = 100;

/// Returns the frames of the user's code, innermost first. Code can write to `stack`, so it may
/// contain anything.
pub(crate) fn frames(stack: &str) -> Vec<Frame> {
    let frame = |(function, line, column): (&str, u32, u32)| Frame {
        function: function.chars().take(MAX_NAME_CHARS).collect(),
        place: Place { line, column },
    };
    let found = stack.lines().filter_map(parse_frame).take(MAX_FRAMES);
    found.map(frame).collect()
}

/// Returns the position of the innermost frame.
pub(crate) fn innermost_place(frames: &[Frame]) -> Option<Place> {
    frames.first().map(|frame| frame.place)
}

/// Parses a line such as `    at name (code.ts:12:3)`.
fn parse_frame(line: &str) -> Option<(&str, u32, u32)> {
    let frame = line.strip_prefix("    at ")?;
    let (function, place) = frame.strip_suffix(')')?.rsplit_once(" (")?;
    let (rest, column) = place.rsplit_once(':')?;
    let (file, line) = rest.rsplit_once(':')?;
    if file != SHOWN_FILE {
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
            assert_eq!(parse_frame(line), expected, "{line}");
        }
    }
}
