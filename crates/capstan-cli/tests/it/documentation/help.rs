//! What people paste from help texts: the examples of every command, in order, in one session.

use super::session::Session;

/// What serves until it is stopped.
const NOT_RUN: [&str; 3] = ["capstan serve", "capstan sim", "capstan mcp"];

/// An example with a word in capitals (`RUN`, `NAME`) stands for something of the reader's own.
#[test]
fn the_examples_of_every_help_run_in_order_in_one_session() {
    let session = Session::new();
    let mut examples = Vec::new();
    let mut commands = vec![Vec::new()];
    while let Some(command) = commands.pop() {
        let help = session.pipe(&format!("capstan {} --help", command.join(" ")));
        let help = help.text;
        let section = |name: &str| {
            let lines = help.lines().skip_while(|line| *line != name).skip(1);
            let lines = lines.take_while(|line| line.starts_with("  "));
            lines.map(|line| line.trim().to_owned()).collect::<Vec<_>>()
        };
        let below = section("Commands:");
        let below = below
            .iter()
            .filter_map(|line| line.split_whitespace().next());
        let mut below: Vec<_> = below
            .map(|word| [command.clone(), vec![word.to_owned()]].concat())
            .collect();
        below.reverse();
        commands.extend(below);
        examples.extend(
            section("Examples:")
                .into_iter()
                .filter(|line| is_complete(line)),
        );
    }
    assert!(examples.len() >= 30, "{examples:?}");
    let ran = session.strictly(&format!("set -x\n{}\n", examples.join("\n")));
    assert!(ran.succeeded, "{}", ran.all());
}

fn is_complete(line: &str) -> bool {
    let code = line.split(" # ").next().unwrap_or_default();
    let is_placeholder = |word: &str| {
        let word = word.trim_start_matches("--accept=");
        word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_uppercase())
    };
    let is_run = !NOT_RUN.iter().any(|start| code.starts_with(start));
    is_run && !code.split_whitespace().any(is_placeholder)
}
