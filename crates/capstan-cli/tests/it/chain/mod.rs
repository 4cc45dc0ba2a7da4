//! Many operations in one call: how many requests they take, what becomes of each, and what happens
//! when something goes wrong.

mod bench;
mod cards;
mod counts;
mod equality;
mod faults;
mod many;
mod order;
mod order_random;
mod preflight;
mod references;
mod statuses;
mod steps;
mod world;
