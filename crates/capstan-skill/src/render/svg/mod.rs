//! Draws plans as SVG: levels from left to right, with a separate area for each composite.

mod draw;
mod layout;
mod style;

pub use draw::svg;
