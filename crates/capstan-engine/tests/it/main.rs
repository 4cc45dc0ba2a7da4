//! Behaviour of the engine that needs no GitHub.

mod toon;
