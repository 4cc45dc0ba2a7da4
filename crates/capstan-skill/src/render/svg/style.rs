//! The look of drawings, by day and by night. Nothing is loaded from anywhere.
//!
//! Many programs that show SVG know neither variables nor style sheets, and paint what has no colour
//! black. So each element carries its day colours as attributes; the style sheet, which goes before
//! attributes, is for those who know it.

use std::fmt::Write as _;

/// Every rule is for this class alone, so that a drawing can stand in a page with others.
pub(super) const CLASS: &str = "capstan-plan";

pub(super) const FONT: &str = "ui-monospace,SFMono-Regular,Menlo,Consolas,monospace";

/// What an element is, which says how it looks.
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

/// A colour by day and by night.
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

/// Its class, its fill, its stroke, and everything else.
type Row = (
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

    fn row(self) -> Row {
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

    /// The attributes of such an element.
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

/// The colours by night; those by day stand with the elements.
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
