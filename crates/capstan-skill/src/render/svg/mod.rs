//! Plans as drawings: levels from left to right, a lane for each composite.

mod draw;
mod layout;
mod style;

pub use draw::svg;
