//! Many operations in one call: how many requests they take, what becomes of each, and what happens
//! when something goes wrong.

mod bench;
mod blame;
mod cancel;
mod cards;
mod combined;
mod counts;
mod dry_run;
mod equality;
mod faults;
mod hostile;
mod known_words;
mod many;
mod mutations;
mod odd_cards;
mod order;
mod order_cases;
mod order_random;
mod pauses;
mod preflight;
mod references;
mod references_lost;
mod references_read;
mod secrets;
mod sent;
mod splitting;
mod stages;
mod statuses;
mod steps;
mod too_much;
mod world;
