//! What some REST operations need beyond a JSON request and a JSON answer, with the simulator behaving like GitHub.

mod sealed;
mod uploads;
