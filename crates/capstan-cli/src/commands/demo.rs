//! `capstan demo`: a short tour against the simulator that shows what an agent sees.

use std::cell::RefCell;

use capstan_core::{CodeRequest, Options, Redactor, Route, Source, TaskRequest};
use capstan_engine::{AcceptSyntax, Capstan};
use capstan_skill::render::order_text;
use capstan_skill::{Library, read_text};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::Context;
use crate::args::GlobalArgs;
use crate::chain_file;
use crate::config::Config;
use crate::exit::Exit;
use crate::output::{BOLD, DIM, NAME, Printer, one_line_diagnostic, wrapped};

pub(crate) async fn run(context: &Context) -> anyhow::Result<Exit> {
    // The tour brings its own skill and ignores the configuration, so that it is the same everywhere.
    let skills = tempfile::tempdir()?;
    std::fs::write(skills.path().join("issue-brief.yaml"), BRIEF)?;
    let shown = GlobalArgs {
        demo: true,
        ..context.global.clone()
    };
    let global = GlobalArgs {
        skills: vec![skills.path().to_owned()],
        ..shown.clone()
    };
    let demo = Context::new(global, context.environment.clone()).with_config(Config::default());
    let engine = demo.engine().await?;
    let printer = Printer::for_people(Redactor::default()).with_flags(&shown.flags());
    let tour = Tour {
        capstan: &engine.capstan,
        recorded: context.global.json.then(RefCell::default),
        printer,
    };
    let cli = engine.connection.gh.program.is_some();
    tour.walk(cli).await;
    if let Some(recorded) = tour.recorded {
        context
            .printer()
            .json(&json!({"steps": recorded.into_inner()}))?;
    }
    Ok(Exit::Ok)
}

const TRIAGE_FILE: &str = "examples/chains/triage.json";
const TRIAGE: &str = include_str!("../../../../examples/chains/triage.json");

const STATES_FILE: &str = "examples/code/merge-states.ts";
const STATES: &str = include_str!("../../../../examples/code/merge-states.ts");
const STATES_INTENT: &str = "pull requests by merge state";

const MISTAKES_FILE: &str = "examples/skills/mistakes.yaml";
const MISTAKES: &str = include_str!("../../../../examples/skills/mistakes.yaml");

const BRIEF: &str = include_str!("../../../../skills/issue-brief.yaml");

struct Tour<'a> {
    capstan: &'a Capstan,
    printer: Printer,
    /// The steps so far if `--json` is set: they are printed together at the end.
    recorded: Option<RefCell<Vec<TourStep>>>,
}

#[derive(Debug, Serialize)]
struct TourStep {
    title: String,
    runs: Vec<TourRun>,
}

#[derive(Debug, Serialize)]
struct TourRun {
    command: String,
    answer: Value,
}

impl Tour<'_> {
    async fn walk(&self, cli: bool) {
        self.heading("A GitHub runs inside this process: organisation acme, repository rocket.");
        self.heading("1. What does a capability need? An agent reads this instead of `gh --help`.");
        self.explain("issue.view").await;

        self.heading("2. Run it. Capstan picks the route and gives one normalized answer.");
        let issue = json!({"owner": "acme", "repo": "rocket", "issue_number": 1});
        self.run("issue.view", &issue, Options::default()).await;

        self.heading("3. Lists are tables; the total comes along.");
        self.run(
            "issue.list",
            &json!({"owner": "acme", "repo": "rocket", "first": 5}),
            Options::default(),
        )
        .await;

        self.heading(
            "4. Writes say what changed. The second close finds nothing to do and sends no write.",
        );
        self.run("issue.close", &issue, Options::default()).await;
        self.run("issue.close", &issue, Options::default()).await;

        self.heading("5. A failure is one clear error, with the call that would fix it.");
        let missing = json!({"owner": "acme", "repo": "rocket", "issue_number": 4242});
        self.run("issue.view", &missing, Options::default()).await;

        self.heading("6. Many at once: later steps use the results of earlier ones, in as few requests as possible.");
        self.chain(TRIAGE_FILE, TRIAGE).await;

        self.heading("7. Logic between the calls: TypeScript in a sandbox. Calls that are awaited together are sent as one request.");
        let name = self.exec(STATES_FILE, STATES).await;
        self.heading("8. Code that succeeded is remembered: name it, and call it by its name.");
        let named = json!({"capability": name.unwrap_or_default(), "name": "merge-states"});
        self.run("cap.name", &named, Options::default()).await;
        self.call("merge-states", &json!({"first": 5})).await;

        self.heading("9. Compositions in YAML are checked like code, before anything is sent.");
        self.check(MISTAKES_FILE, MISTAKES).await;
        self.heading("10. Steps run at the same time where possible: four cards, one request.");
        self.order("issue-brief").await;
        self.show_command("--skills skills skill run issue-brief -R acme/rocket issue_number=1");
        self.execute("issue-brief", &issue, Options::default())
            .await;

        self.heading(
            "11. Say what you want, and get ranked suggestions and a plan that is ready to run.",
        );
        self.suggest("comment \"seen\" on issue 3 in acme/rocket and close it")
            .await;

        self.heading("12. Another route returns the same data.");
        self.run_briefly("issue.view", &issue, Route::Rest).await;
        if cli {
            self.heading("13. So does the real gh.");
            self.run_briefly("issue.view", &issue, Route::Cli).await;
        } else {
            self.heading("13. gh is not installed, so its route is skipped; `capstan doctor` shows this too.");
        }

        if self.recorded.is_some() {
            return;
        }
        self.printer.line(format_args!("\n{BOLD}Try next{BOLD:#}"));
        for command in [
            "capstan --demo list",
            "capstan --demo explain pr.merge",
            "capstan --demo run pr.list -R acme/rocket",
            "capstan --demo chain examples/chains/release-check.json",
            "capstan --demo --skills skills skill graph pr-review-workflow",
            "capstan --demo cap show merge-states",
            "capstan --demo trace show last",
            "capstan --demo run issue.create -R acme/rocket title='Check the valves' --dry-run",
            "capstan doctor",
            "capstan setup claude",
        ] {
            self.printer.line(format_args!("  {NAME}{command}{NAME:#}"));
        }
    }

    fn heading(&self, text: &str) {
        match &self.recorded {
            Some(recorded) => recorded.borrow_mut().push(TourStep {
                title: text.to_owned(),
                runs: Vec::new(),
            }),
            None => {
                let text = wrapped(text, 0);
                self.printer.line(format_args!("\n{BOLD}{text}{BOLD:#}"));
            }
        }
    }

    fn show_command(&self, words: &str) {
        match &self.recorded {
            Some(recorded) => {
                if let Some(step) = recorded.borrow_mut().last_mut() {
                    step.runs.push(TourRun {
                        command: format!("capstan --demo {words}"),
                        answer: Value::Null,
                    });
                }
            }
            None => self.printer.line(format_args!(
                "{DIM}${DIM:#} {NAME}capstan --demo {words}{NAME:#}"
            )),
        }
    }

    /// Handles the answer of the last command: prints it with `show`, or records it as JSON.
    fn record_or_print(&self, value: &impl Serialize, show: impl FnOnce(&Printer)) {
        let Some(recorded) = &self.recorded else {
            show(&self.printer);
            return;
        };
        if let Some(run) = recorded
            .borrow_mut()
            .last_mut()
            .and_then(|step| step.runs.last_mut())
        {
            run.answer = serde_json::to_value(value).unwrap_or_default();
        }
    }

    async fn explain(&self, capability: &str) {
        self.show_command(&format!("explain {capability}"));
        match self.capstan.explain(capability).await {
            Ok(explanation) => {
                self.record_or_print(&explanation, |it| it.explanation(&explanation));
            }
            Err(error) => self.record_or_print(&error, |it| it.error(&error)),
        }
    }

    async fn run_briefly(&self, capability: &str, input: &Value, route: Route) {
        let fields = ["number", "title", "state", "labels", "closed_at"];
        let options = Options {
            route: Some(route),
            fields: Some(fields.map(str::to_owned).to_vec()),
            ..Options::default()
        };
        self.run(capability, input, options).await;
    }

    /// Shows the steps of a file, runs them and shows the result.
    async fn chain(&self, file: &str, text: &str) {
        self.show_command(&format!("chain {file}"));
        if self.recorded.is_none() {
            self.printer
                .line(format_args!("{DIM}{}{DIM:#}", text.trim_end()));
        }
        let Ok(mut chain) = chain_file::parse(text) else {
            return;
        };
        let here = || Some(("acme".to_owned(), "rocket".to_owned()));
        chain_file::fill_in_repository(&mut chain.request, self.capstan.catalog(), here);
        let envelope = self.capstan.execute_tasks(&chain.request).await;
        self.record_or_print(&envelope, |it| it.chain(&envelope));
    }

    /// Shows the code of a file, runs it and shows the result. Returns the name under which it is remembered.
    async fn exec(&self, file: &str, code: &str) -> Option<String> {
        self.show_command(&format!("exec {file} --intent '{STATES_INTENT}'"));
        if self.recorded.is_none() {
            self.printer.listing(code.trim_end());
        }
        let request = CodeRequest {
            intent: STATES_INTENT.to_owned(),
            code: code.to_owned(),
            ..CodeRequest::default()
        };
        let envelope = self.capstan.execute_code(&request).await;
        self.record_or_print(&envelope, |it| it.code_result(&envelope, Some(code)));
        envelope.meta.capability_name
    }

    async fn check(&self, file: &str, text: &str) {
        self.show_command(&format!("check {file}"));
        let read = read_text(&Source::new(file, text));
        let library = Library::new(read.skills).0;
        let found = self.capstan.skill_plans().check_skills(&library).await;
        let lines: Vec<_> = found.iter().map(one_line_diagnostic).collect();
        self.record_or_print(&lines, |it| {
            lines.iter().for_each(|line| it.line(wrapped(line, 2)));
        });
    }

    async fn suggest(&self, intent: &str) {
        self.show_command(&format!("suggest '{intent}'"));
        let envelope = self
            .capstan
            .discovery()
            .suggest(intent, &Map::new(), AcceptSyntax::Flags)
            .await;
        match (&envelope.data, &envelope.error) {
            (Some(data), _) => self.record_or_print(&envelope, |it| it.suggestions(data)),
            (None, Some(error)) => self.record_or_print(&envelope, |it| it.error(error)),
            (None, None) => {}
        }
    }

    async fn order(&self, skill: &str) {
        self.show_command(&format!("--skills skills skill order {skill}"));
        match self.capstan.skill_plans().skill(skill).await {
            Ok(plan) => {
                let levels = self.capstan.skill_plans().skill_order(&plan);
                let text = order_text(&levels);
                self.record_or_print(&text, |it| it.line(text.trim_end()));
            }
            Err(error) => self.record_or_print(&error, |it| it.error(&error)),
        }
    }

    async fn call(&self, name: &str, args: &Value) {
        let args = args.as_object().cloned().unwrap_or_default();
        let words = args.iter().map(|(name, value)| format!(" {name}={value}"));
        self.show_command(&format!("call {name}{}", words.collect::<String>()));
        let request = TaskRequest {
            capability: name.to_owned(),
            input: args,
            ..TaskRequest::default()
        };
        let envelope = self.capstan.execute_task(&request).await;
        self.record_or_print(&envelope, |it| it.code_result(&envelope, None));
    }

    async fn run(&self, capability: &str, input: &Value, options: Options) {
        let mut words = vec![format!("run {capability}")];
        for (name, value) in input.as_object().into_iter().flatten() {
            let value = value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned);
            words.push(format!("{name}={value}"));
        }
        words.extend(options.route.map(|route| format!("--route {route}")));
        words.extend(
            options
                .fields
                .as_ref()
                .map(|fields| format!("--fields {}", fields.join(","))),
        );
        self.show_command(&words.join(" "));
        self.execute(capability, input, options).await;
    }

    async fn execute(&self, capability: &str, input: &Value, options: Options) {
        let request = TaskRequest {
            capability: capability.to_owned(),
            input: input.as_object().cloned().unwrap_or_default(),
            options,
            intent: None,
        };
        let envelope = self.capstan.execute_task(&request).await;
        self.record_or_print(&envelope, |it| it.envelope(&envelope));
    }
}
