//! TypeScript declarations of everything that code can call, as one file for editors and type checkers.

use capstan_core::card::Card;

use super::signature::object_path;
use super::tree::Tree;

/// The cards, tools, code and skills that were added so far.
#[derive(Debug, Default)]
pub struct Declarations {
    capstan: Tree,
    mcp: Tree,
    caps: Tree,
}

const HEAD: &str = "\
// Everything that code can call, written by `capstan types`. Run it again when something was added.

/** What a failed call rejects with. */
interface CapstanError extends Error {
  code: string;
  retryable: boolean;
  details: Record<string, unknown>;
}

/** Metadata of a call. */
interface CapstanMeta {
  pagination?: { has_next_page: boolean; end_cursor?: string; total?: number; incomplete?: boolean };
  note?: string;
  warnings?: Array<string>;
}

/** A call resolves to the `data` of its envelope; objects and lists also have `$meta`. */
type CapstanResult<Data> = Promise<Data extends object ? Data & { readonly $meta?: CapstanMeta } : Data>;

/** One page of a list, which always has `$meta`. */
type CapstanPage<Data> = Promise<Data & { readonly $meta: CapstanMeta }>;

/** The second argument of every call: how long it may take, and what aborts it. */
interface CapstanOptions {
  timeout_ms?: number;
  signal?: AbortSignal;
}

/** Merges with the `AbortSignal` of a library that declares it. */
interface AbortSignal {}

/** All rows of a list, page by page, up to a limit (1000 if none is given, at most 10000). */
interface CapstanPages<Input, Row> {
  all(input: Input, options?: { limit?: number; timeout_ms?: number; signal?: object }): AsyncIterable<Row> &
    PromiseLike<Array<Row> & { readonly $meta: { truncated: boolean; total?: number; end_cursor?: string; incomplete?: boolean } }>;
}

/** The arguments of the run. */
declare const args: any;
";

impl Declarations {
    pub(crate) fn add(&mut self, card: &Card) {
        let (root, names) = object_path(card);
        let tree = match root {
            "mcp" => &mut self.mcp,
            "caps" => &mut self.caps,
            _ => &mut self.capstan,
        };
        tree.add(&names, card);
    }
}

impl std::fmt::Display for Declarations {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(HEAD)?;
        let roots = [
            (
                "Cards, and actions of Capstan itself.",
                "capstan",
                &self.capstan,
            ),
            ("The tools of downstream MCP servers.", "mcp", &self.mcp),
            ("Remembered code, and skills.", "caps", &self.caps),
        ];
        for (about, name, tree) in roots {
            let mut members = String::new();
            tree.write(1, &mut members);
            write!(
                f,
                "\n/** {about} */\ndeclare const {name}: {{\n{members}}};\n"
            )?;
        }
        Ok(())
    }
}
