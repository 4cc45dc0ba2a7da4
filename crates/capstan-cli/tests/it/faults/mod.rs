//! What happens when something goes wrong: on every route, for reads and writes, and across routes.

mod answers;
mod cancel;
mod cell;
mod fallback;
mod lookups;
mod matrix;
mod table;
