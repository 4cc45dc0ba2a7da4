//! The styles of drawings for light and dark backgrounds. Nothing is loaded.
//!
//! Many programs that show SVG support neither variables nor style sheets, and paint elements without a
//! colour black. So each element has its light colours as attributes. The style sheet overrides them in
//! programs that support it.

use std::fmt::Write as _;

/// The class that limits every rule to the drawing, so that a page can contain several.
pub(super) const CLASS: &str = "capstan-plan";

pub(super) const FONT: &str = "ui-monospace,SFMono-Regular,Menlo,Consolas,monospace";

/// The kind of an element, which determines its style.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    Title,
    Text,
    Soft,
    Label,
    Box,
    /// A box of a step that writes.
    Write,
    Lane,
    Edge,
    Tip,
}

/// A colour for light and for dark backgrounds.
#[derive(Clone, Copy)]
struct Colour(&'static str, &'static str);

const INK: Colour = Colour("#1f2328", "#f0f6fc");
const SOFT: Colour = Colour("#59636e", "#9198a1");
const LINE: Colour = Colour("#818b98", "#7d8590");
const PAPER: Colour = Colour("#ffffff", "#151b23");
const GROUND: Colour = Colour("#f6f8fa", "#0d1117");
const RIM: Colour = Colour("#d1d9e0", "#3d444d");
const ALERT: Colour = Colour("#bc4c00", "#db6d28");
const NONE: Colour = Colour("none", "none");

/// The class, the fill, the stroke, and the other attributes.
type LookAttributes = (
    &'static str,
    Colour,
    Colour,
    &'static [(&'static str, &'static str)],
);

impl Look {
    const ALL: [Self; 9] = [
        Self::Title,
        Self::Text,
        Self::Soft,
        Self::Label,
        Self::Box,
        Self::Write,
        Self::Lane,
        Self::Edge,
        Self::Tip,
    ];

    fn row(self) -> LookAttributes {
        match self {
            Self::Title => (
                "title",
                INK,
                NONE,
                &[("font-size", "14"), ("font-weight", "600")],
            ),
            Self::Text => ("text", INK, NONE, &[("font-size", "12")]),
            Self::Soft => ("soft", SOFT, NONE, &[("font-size", "11")]),
            Self::Label => (
                "label",
                SOFT,
                PAPER,
                &[
                    ("font-size", "10"),
                    ("stroke-width", "3"),
                    ("paint-order", "stroke"),
                ],
            ),
            Self::Box => ("box", PAPER, LINE, &[]),
            Self::Write => ("write", PAPER, ALERT, &[("stroke-width", "2.5")]),
            Self::Lane => ("lane", GROUND, RIM, &[]),
            Self::Edge => ("edge", NONE, LINE, &[("stroke-width", "1.2")]),
            Self::Tip => ("tip", LINE, NONE, &[]),
        }
    }

    /// Returns the attributes of such an element.
    pub(super) fn attributes(self) -> String {
        let (class, fill, stroke, others) = self.row();
        let mut out = format!(
            "class=\"{class}\" fill=\"{}\" stroke=\"{}\"",
            fill.0, stroke.0
        );
        for (name, value) in others {
            let _ = write!(out, " {name}=\"{value}\"");
        }
        out
    }
}

/// Returns the dark colours. The light ones are attributes of the elements.
pub(super) fn style_sheet() -> String {
    let mut out = "@media (prefers-color-scheme:dark){".to_owned();
    for look in Look::ALL {
        let (class, fill, stroke, _) = look.row();
        let _ = write!(
            out,
            ".{CLASS} .{class}{{fill:{};stroke:{}}}",
            fill.1, stroke.1
        );
    }
    out.push('}');
    out
}
