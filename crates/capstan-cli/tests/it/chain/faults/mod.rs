//! What becomes of chains when something goes wrong.

mod cell;
mod fault;
mod matrix;
mod random;
mod routes;
mod target;
mod verify;
