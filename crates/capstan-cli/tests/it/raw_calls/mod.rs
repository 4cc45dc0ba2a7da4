//! Raw calls: requests that the caller writes, over `github.rest` and `github.graphql`.

mod bench;
mod graphql;
mod hostile;
mod rest;
mod writes;
