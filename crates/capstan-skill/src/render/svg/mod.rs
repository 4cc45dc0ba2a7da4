//! Plans as drawings: levels from left to right, room of its own for each composite.

mod draw;
mod layout;
mod style;

pub use draw::svg;
