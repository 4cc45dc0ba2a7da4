//! Behaviour of the whole product, against the simulator and with the real `gh`.

mod architecture;
mod smoke;
mod support;
