//! Running skills: what they are made of is found and checked, then run as far apart in time as it must
//! be, and no further.

mod card;
mod contract;
mod fingerprint;
mod inline_code;
mod journal;
mod known;
mod launch;
mod outcome;
mod planned;
mod preview;
mod retry;
mod run;
mod sheet;
mod under_way;
mod values;

pub(crate) use card::skill_card;
pub(crate) use journal::input_hash;
pub(crate) use known::Known;
pub(crate) use run::Course;
pub use sheet::{Sheet, SkillVersions};
pub(crate) use values::projected;
