//! How long it takes to read code.

use capstan_script::{SourceMap, read};
use divan::{Bencher, black_box};

/// About 600 bytes, as agents write it.
const SHORT: &str = r#"interface Args { owner: string; repo: string; limit?: number }
const { owner, repo, limit = 20 }: Args = args;

// The newest issues, with what was said about them.
const issues = await capstan.issue.list({ owner, repo, limit, state: "open" });
const details = await Promise.all(
  issues.items.map(async (issue: { number: number; title: string }) => {
    const comments = await capstan.issue.comments.list({ owner, repo, number: issue.number });
    return { title: issue.title, comments: comments.items.length };
  }),
);
details.sort((a, b) => b.comments - a.comments);
({ total: details.length, top: details.slice(0, 5) })
"#;

fn main() {
    divan::main();
}

/// The same again and again, each in a function, up to 20 KB.
fn long() -> String {
    let body = SHORT
        .replace("interface Args", "type Shape =")
        .replace("({ total", "return ({ total");
    let body = body.replace(": Args = args", ": Shape = args");
    let functions = 0..20_000 / SHORT.len();
    let functions =
        functions.map(|i| format!("async function part{i}() {{\n{body}}}\nawait part{i}();\n"));
    functions.collect()
}

#[divan::bench]
fn short(bencher: Bencher<'_, '_>) {
    bencher.bench(|| read(black_box(SHORT)));
}

#[divan::bench]
fn twenty_kilobytes(bencher: Bencher<'_, '_>) {
    let code = long();
    bencher.bench(|| read(black_box(&code)));
}

#[divan::bench]
#[expect(clippy::expect_used, reason = "the code is fixed")]
fn places_of_twenty_kilobytes(bencher: Bencher<'_, '_>) {
    let script = read(&long()).expect("it can be read");
    bencher.bench(|| SourceMap::parse(black_box(&script.source_map)));
}
