//! Tests of merging, splitting and counting as callers see them.
