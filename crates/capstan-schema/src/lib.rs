//! JSON Schemas as types: whether what one lets in always passes another, and what changed between two.
//!
//! It must not know what the schemas are for: no cards, no skills, no files.
