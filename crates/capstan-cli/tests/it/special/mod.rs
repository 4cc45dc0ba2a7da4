//! What some REST operations need beyond a JSON request and a JSON answer, with the simulator behaving like GitHub.

mod computed;
mod conditional;
mod formats;
mod names;
mod paging;
mod questions;
mod requests;
mod sealed;
mod uploads;
