//! Many operations in one call. A chain is a state machine: it says what can be sent now and takes what came back;
//! `drive` does the sending.

mod conduct;
mod delivery;
mod drive;
mod limits;
mod observe;
mod order;
mod parcel;
mod pause;
mod plan;
mod size_advice;
mod step;
mod writes;

pub(crate) use conduct::{Chain, ChainContext};
pub(crate) use drive::Driver;
pub use limits::ChunkLimits;
pub use observe::{ChainObserver, Delegate, Departure, Progress, Watch};
pub(crate) use pause::HostPauses;
pub(crate) use plan::levels;
pub use plan::{PlannedLevel, PlannedRequest};
