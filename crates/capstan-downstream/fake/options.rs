//! How the fake is to behave.

use std::path::PathBuf;

#[derive(Debug, Default)]
pub(crate) struct Options {
    pub(crate) log: Option<PathBuf>,
    pub(crate) stderr: String,
    pub(crate) die_at_start: bool,
    pub(crate) hang_at_start: bool,
    pub(crate) garbage: bool,
    /// How many tools there are beside the usual ones.
    pub(crate) tools: usize,
    pub(crate) page: usize,
    /// The last page has a successor: itself.
    pub(crate) endless: bool,
    /// Only 2026-07-28.
    pub(crate) modern: bool,
    /// Some tools are not as they should be.
    pub(crate) odd: bool,
}

impl Options {
    pub(crate) fn read(mut args: impl Iterator<Item = String>) -> Self {
        let mut options = Self {
            page: 1_000,
            ..Self::default()
        };
        while let Some(arg) = args.next() {
            let mut number = || args.next().and_then(|n| n.parse().ok()).unwrap_or(0);
            match arg.as_str() {
                "--tools" => options.tools = number(),
                "--page" => options.page = number(),
                "--log" => options.log = args.next().map(PathBuf::from),
                "--stderr" => options.stderr = args.next().unwrap_or_default(),
                "--die-at-start" => options.die_at_start = true,
                "--hang-at-start" => options.hang_at_start = true,
                "--garbage" => options.garbage = true,
                "--loop" => options.endless = true,
                "--modern" => options.modern = true,
                "--odd" => options.odd = true,
                _ => {}
            }
        }
        options
    }
}
