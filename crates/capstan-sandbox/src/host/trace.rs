//! From the engine's stacks to places in the TypeScript.

use capstan_core::code::{Frame, Place, Script};
use capstan_script::Places;

use crate::engine::CODE;

/// The code stands on the second line of what is run.
const LINES_BEFORE: u32 = 1;
const MOST_FRAMES: usize = 20;
const LONGEST_NAME: usize = 100;

/// The frames of the user's code, innermost first. The stack may say anything: code can write it.
pub(crate) fn frames(script: &Script, stack: &str) -> Vec<Frame> {
    let found: Vec<_> = stack.lines().filter_map(parse).take(MOST_FRAMES).collect();
    if found.is_empty() {
        return Vec::new();
    }
    let Some(places) = Places::parse(&script.source_map) else {
        return Vec::new();
    };
    let original = |(function, line, column): (&str, u32, u32)| {
        Some(Frame {
            function: function.chars().take(LONGEST_NAME).collect(),
            place: places.original(line, column)?,
        })
    };
    found.into_iter().filter_map(original).collect()
}

/// Where it happened: the innermost frame.
pub(crate) fn place(frames: &[Frame]) -> Option<Place> {
    frames.first().map(|frame| frame.place)
}

/// `    at name (code:12:3)`, or `    at code:12:3` where the code could not be compiled.
fn parse(line: &str) -> Option<(&str, u32, u32)> {
    let frame = line.strip_prefix("    at ")?;
    let (function, place) = match frame.strip_suffix(')') {
        Some(frame) => frame.rsplit_once(" (")?,
        None => ("", frame),
    };
    let (rest, column) = place.rsplit_once(':')?;
    let (file, line) = rest.rsplit_once(':')?;
    if file != CODE {
        return None;
    }
    let line: u32 = line.parse().ok()?;
    let line = line.checked_sub(LINES_BEFORE).filter(|line| *line > 0)?;
    Some((function, line, column.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_frames_of_the_code_count() {
        for (line, expected) in [
            ("    at f (code:3:7)", Some(("f", 2, 7))),
            ("    at <anonymous> (code:2:1)", Some(("<anonymous>", 1, 1))),
            ("    at code:2:9", Some(("", 1, 9))),
            ("    at a (b) (code:2:1)", Some(("a (b)", 1, 1))),
            ("    at invoke (capstan:200:3)", None),
            ("    at map (native)", None),
            ("    at f (code:1:7)", None),
            ("    at f (code:0:7)", None),
            ("    at f (code:99999999999:7)", None),
            ("at f (code:3:7)", None),
            ("    at f (code:-3:7)", None),
            ("    at )", None),
            ("", None),
        ] {
            assert_eq!(parse(line), expected, "{line}");
        }
    }
}
