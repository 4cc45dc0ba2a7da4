//! A page of Markdown as a list of the code blocks in it.

use std::ops::Range;

/// A code block of a page.
#[derive(Debug)]
pub(super) struct Block {
    /// The word after the opening fence, such as `sh`; empty if there is none.
    pub(super) language: String,
    /// The text between the fences, without the indentation of the opening fence.
    pub(super) text: String,
    /// Where that text stands in the page, with its indentation.
    pub(super) place: Range<usize>,
    pub(super) indentation: usize,
    /// The line of the opening fence, counted from 1.
    pub(super) line: usize,
}

/// A command with what the page says that it prints.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Example {
    /// As it is typed; several lines if all but the last end with a backslash.
    pub(super) typed: String,
    pub(super) shown: String,
}

impl Block {
    /// Whether its commands are typed behind a prompt.
    pub(super) fn has_prompt(&self) -> bool {
        self.text.starts_with("$ ")
    }

    /// The commands behind its prompts, in order.
    pub(super) fn examples(&self) -> Vec<Example> {
        let mut examples: Vec<Example> = Vec::new();
        let mut is_typed = false;
        for line in self.text.split_inclusive('\n') {
            let bare = line.trim_end_matches('\n');
            if let Some(command) = bare.strip_prefix("$ ") {
                examples.push(Example {
                    typed: command.to_owned(),
                    shown: String::new(),
                });
                is_typed = command.ends_with('\\');
                continue;
            }
            let Some(last) = examples.last_mut() else {
                continue;
            };
            if is_typed {
                last.typed.push('\n');
                last.typed.push_str(bare);
                is_typed = bare.ends_with('\\');
            } else {
                last.shown.push_str(line);
            }
        }
        examples
    }

    /// The page with another text in this block.
    pub(super) fn replaced(&self, page: &str, text: &str) -> String {
        let margin = " ".repeat(self.indentation);
        let lines = text.split_inclusive('\n').map(|line| match line {
            "\n" => line.to_owned(),
            line => format!("{margin}{line}"),
        });
        let (before, after) = (&page[..self.place.start], &page[self.place.end..]);
        format!("{before}{}{after}", lines.collect::<String>())
    }
}

/// The code blocks of a page, in order.
pub(super) fn blocks(page: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    let mut at = 0;
    for (number, line) in page.split_inclusive('\n').enumerate() {
        let end = at + line.len();
        let bare = line.trim_start_matches(' ');
        let indentation = line.len() - bare.len();
        match (&mut open, bare.strip_prefix("```")) {
            (None, Some(language)) => {
                open = Some(Block {
                    language: language.trim().to_owned(),
                    text: String::new(),
                    place: end..end,
                    indentation,
                    line: number + 1,
                });
            }
            (Some(block), Some(_)) if indentation <= block.indentation => {
                block.place.end = at;
                blocks.extend(open.take());
            }
            (Some(block), _) => {
                let margin = indentation.min(block.indentation);
                block.text.push_str(&line[margin..]);
            }
            (None, None) => {}
        }
        at = end;
    }
    assert!(open.is_none(), "a code block without an end: {open:?}");
    blocks
}

#[test]
fn blocks_are_read_with_their_place_and_examples() {
    let page =
        "# T\n\n1. do\n\n   ```console\n   $ a \\\n     b\n   x\n   $ c\n   ```\n\n```\nno\n```\n";
    let all = blocks(page);
    assert_eq!(all.len(), 2);
    assert_eq!((all[0].language.as_str(), all[0].line), ("console", 5));
    let examples = all[0].examples();
    let typed: Vec<_> = examples.iter().map(|it| it.typed.as_str()).collect();
    assert_eq!(typed, ["a \\\n  b", "c"]);
    assert_eq!(examples[0].shown, "x\n");
    assert!(!all[1].has_prompt() && all[0].has_prompt());
    let replaced = all[0].replaced(page, "$ a\n\ny\n");
    assert!(
        replaced.contains("   ```console\n   $ a\n\n   y\n   ```\n"),
        "{replaced}"
    );
}
