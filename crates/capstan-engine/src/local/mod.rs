//! What Capstan does itself: naming, sharing and looking at what is remembered. These are
//! capabilities like the others, one file each, so the three tools never become more.

mod action;
mod cap;
mod dep;
mod graph;
mod input;
mod run;
mod skill;
mod table;
mod trace;
mod view;

pub(crate) use action::{ActionEngine, Around};
pub use table::is_own_action;
pub(crate) use table::{OWN_CARDS, card, cards, run};
