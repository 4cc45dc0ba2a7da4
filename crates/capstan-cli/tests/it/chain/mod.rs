//! Many operations in one call: how many requests they take, what becomes of each, and what happens
//! when something goes wrong.

mod bench;
mod cancel;
mod cards;
mod counts;
mod dry_run;
mod equality;
mod faults;
mod hostile;
mod many;
mod order;
mod order_random;
mod preflight;
mod references;
mod splitting;
mod statuses;
mod steps;
mod world;
