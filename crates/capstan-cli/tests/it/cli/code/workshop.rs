//! A place with a little code in it that has run once.

use serde_json::Value;

use crate::cli::harness::{Place, Ran};

pub(super) const DOUBLE: &str = "return (args.n ?? 21) * 2";

/// Reads three things, two of them together, and writes to its console.
pub(super) const REPORT: &str = r#"// Which issues are there?
interface Row { number: number; title: string }
const owner = "acme", repo = `rock${"et"}`;
const [first, second] = await Promise.all([
  capstan.issue.view({ owner, repo, issue_number: 1 }),
  capstan.issue.view({ owner, repo, issue_number: 2 }),
]);
const { issues } = await capstan.issue.list({ owner, repo, first: args.first ?? 2 });
console.log("first", first.number, /se.ond/.test("second"));
console.warn(`two
lines`);
return issues.map((row: Row) => ({ number: row.number, title: row.title, next: second.number }));
"#;

pub(super) struct Workshop {
    pub(super) place: Place,
}

impl Workshop {
    pub(super) fn empty() -> Self {
        Self {
            place: Place::new(),
        }
    }

    /// With `double` and `report`, each run once.
    pub(super) fn new() -> Self {
        let workshop = Self::empty();
        workshop.learn("double", "double a number", DOUBLE);
        workshop.learn("report", "list issues", REPORT);
        workshop
    }

    /// Runs code and names it. Gives its full name.
    pub(super) fn learn(&self, name: &str, intent: &str, code: &str) -> String {
        let ran = self.json(&["exec", "-e", code, "--intent", intent]);
        let fqdn = ran["meta"]["capability_fqdn"].as_str();
        let fqdn = fqdn.expect("it is remembered").to_owned();
        self.json(&["cap", "name", &fqdn, name]);
        fqdn
    }

    pub(super) fn run(&self, args: &[&str]) -> Ran {
        self.place.run(&[&["--demo"], args].concat())
    }

    /// What it answers with in a pipe, where nothing goes wrong.
    #[track_caller]
    pub(super) fn json(&self, args: &[&str]) -> Value {
        let ran = self.run(args);
        assert_eq!((ran.code, &*ran.stderr), (0, ""), "{args:?}: {ran:?}");
        ran.json()
    }

    /// What a person sees in the end, with the exit code where it is not 0.
    pub(super) fn screen(&self, args: &[&str]) -> String {
        let (code, text) = self.place.screen(&[&["--demo"], args].concat());
        let text = self.place.anonymous(&text);
        match code {
            0 => text,
            code => format!("{text}exit {code}\n"),
        }
    }
}
