//! What one execution says about the capabilities that took part in it.

mod agreeing;
mod calls;
mod chained;
mod contained;
mod followed;
mod hidden;
mod leaves;
mod makers;
mod observations;
mod passed;
mod reference;
mod tally;
mod telling;

pub use leaves::telling_values;
pub use makers::{Maker, Makers};
pub use observations::{MOST_OBSERVATIONS, learn};
