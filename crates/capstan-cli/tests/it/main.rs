//! Behaviour of the whole product, against the simulator and with the real `gh`.

mod smoke;
mod support;
