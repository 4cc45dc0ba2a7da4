//! Learns from one execution about the capabilities that took part in it.

mod agreeing;
mod calls;
mod chained;
mod contained;
mod distinctive;
mod followed;
mod hidden;
mod leaves;
mod makers;
mod observations;
mod passed;
mod reference;
mod tally;

pub use leaves::distinctive_values;
pub use makers::{Maker, Makers};
pub use observations::{MAX_OBSERVATIONS, learn, may_teach};
