//! Compiles lookups that replace the answer: `unchanged` and `verify`.

use indexmap::IndexMap;

use capstan_core::card::{Operation, Settled};

use super::compiler::Compiler;
use crate::raw::RawSettled;

/// The names of a route's lookups, and whether each runs once for every element of a list.
pub(super) type Lookups<'a> = IndexMap<&'a str, bool>;

impl Compiler<'_> {
    pub(super) fn verify(
        &mut self,
        pointer: &str,
        raw: Option<&RawSettled>,
        lookups: &Lookups<'_>,
    ) -> Option<Settled> {
        if raw.is_some() && self.operation != Operation::Write {
            self.problem(
                pointer,
                "`verify` is for writes: a read whose answer was lost is sent again",
            );
        }
        self.settled(pointer, raw, lookups)
    }

    pub(super) fn settled(
        &mut self,
        pointer: &str,
        raw: Option<&RawSettled>,
        lookups: &Lookups<'_>,
    ) -> Option<Settled> {
        let raw = raw?;
        let from = format!("{pointer}/from");
        match lookups.get(raw.from.as_str()) {
            Some(false) => {}
            Some(true) => self.problem_with_help(
                &from,
                format!("`{}` is a lookup for each element of a list", raw.from),
                "the output is read from a single object: name a lookup without `each`",
            ),
            None => self.problem(&from, format!("`resolve` has no `{}`", raw.from)),
        }
        let when = self.expr(&format!("{pointer}/when"), &raw.when)?;
        Some(Settled {
            when,
            from: raw.from.clone(),
        })
    }
}
