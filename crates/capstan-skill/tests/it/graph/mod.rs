//! Graph algorithms: against NetworkX, by their laws, and on graphs that are made to be hard.

mod examples;
mod hostile;
mod laws;
mod networkx;
mod oracle;
mod samples;
