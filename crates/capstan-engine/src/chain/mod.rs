//! Many operations in one call. A chain is a conversation like the attempts that it is made of: it
//! says what can be sent now and is told what came back; `drive` does the sending.

mod conduct;
mod delivery;
mod drive;
mod limits;
mod nearly;
mod order;
mod parcel;
mod pause;
mod plan;
mod prepared;
pub(crate) mod reference;
mod step;
mod too_much;
mod types;
mod writes;

pub use conduct::Progress;
pub(crate) use conduct::{Chain, Surroundings, Watch};
pub(crate) use drive::Post;
pub use limits::ChunkLimits;
pub(crate) use pause::HostPause;
pub(crate) use plan::levels;
pub use plan::{ChainPlan, PlannedLevel, PlannedRequest, PlannedStep};
pub(crate) use prepared::{Preparation, Prepared, check_alone, prepare};
pub(crate) use reference::{Reference, as_meant, as_written, recorded};
pub(crate) use step::Ended;
