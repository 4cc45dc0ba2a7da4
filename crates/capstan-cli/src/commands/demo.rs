//! `capstan demo`: a short tour against the simulator, with everything that an agent would see.

use std::cell::RefCell;

use capstan_core::{CodeRequest, Options, Redactor, Route, Source, TaskRequest};
use capstan_engine::{AcceptSyntax, Capstan};
use capstan_skill::render::order_text;
use capstan_skill::{Library, read_text};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::Context;
use crate::args::Global;
use crate::chain_file;
use crate::config::Config;
use crate::exit::Exit;
use crate::output::{BOLD, DIM, NAME, Printer, in_a_line, wrapped};

pub(crate) async fn run(context: &Context) -> anyhow::Result<Exit> {
    // Beside what is named: the tour is the same wherever it is taken.
    let skills = tempfile::tempdir()?;
    std::fs::write(skills.path().join("issue-brief.yaml"), BRIEF)?;
    let shown = Global {
        demo: true,
        ..context.global.clone()
    };
    let global = Global {
        skills: vec![skills.path().to_owned()],
        ..shown.clone()
    };
    let demo = Context::new(global, context.environment.clone()).with_config(Config::default());
    let engine = demo.engine().await?;
    let printer = Printer::for_people(Redactor::default()).with_flags(&shown.flags());
    let tour = Tour {
        capstan: &engine.capstan,
        told: context.global.json.then(RefCell::default),
        printer,
    };
    let cli = engine.connection.gh.program.is_some();
    tour.walk(cli).await;
    if let Some(told) = tour.told {
        context
            .printer()
            .json(&json!({"steps": told.into_inner()}))?;
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
    /// With `--json`: nothing is printed before the end, and then all of it.
    told: Option<RefCell<Vec<TourStep>>>,
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
        self.say("A GitHub runs inside this process: organisation acme, repository rocket.");
        self.say("1. What does a capability need? An agent reads this instead of `gh --help`.");
        self.explain("issue.view").await;

        self.say("2. Run it. Capstan picks the route and gives one normalized answer.");
        let issue = json!({"owner": "acme", "repo": "rocket", "issue_number": 1});
        self.run("issue.view", &issue, Options::default()).await;

        self.say("3. Lists are tables; the total comes along.");
        self.run(
            "issue.list",
            &json!({"owner": "acme", "repo": "rocket", "first": 5}),
            Options::default(),
        )
        .await;

        self.say(
            "4. Writes say what changed. The second close finds nothing to do and sends no write.",
        );
        self.run("issue.close", &issue, Options::default()).await;
        self.run("issue.close", &issue, Options::default()).await;

        self.say("5. A failure is one clear error, with the call that would mend it.");
        let missing = json!({"owner": "acme", "repo": "rocket", "issue_number": 4242});
        self.run("issue.view", &missing, Options::default()).await;

        self.say("6. Many at once: later steps use what earlier ones found, and as few requests leave as can be.");
        self.chain(TRIAGE_FILE, TRIAGE).await;

        self.say("7. Logic between the calls: TypeScript in a sandbox. What is awaited together leaves as one request.");
        let name = self.exec(STATES_FILE, STATES).await;
        self.say("8. What ran with success is remembered: name it, and call it by its name.");
        let named = json!({"capability": name.unwrap_or_default(), "name": "merge-states"});
        self.run("cap.name", &named, Options::default()).await;
        self.call("merge-states", &json!({"first": 5})).await;

        self.say("9. Compositions in YAML are checked like code, before anything is sent.");
        self.check(MISTAKES_FILE, MISTAKES).await;
        self.say(
            "10. What is sound runs as far at the same time as it can: four cards, one request.",
        );
        self.order("issue-brief").await;
        self.command("--skills skills skill run issue-brief -R acme/rocket issue_number=1");
        self.execute("issue-brief", &issue, Options::default())
            .await;

        self.say(
            "11. Say what you want: what fits, how sure that is, and a plan that is ready to send.",
        );
        self.suggest("comment \"seen\" on issue 3 in acme/rocket and close it")
            .await;

        self.say("12. The same on another route: the same data, whichever way it came.");
        self.run_briefly("issue.view", &issue, Route::Rest).await;
        if cli {
            self.say("13. And through the real gh.");
            self.run_briefly("issue.view", &issue, Route::Cli).await;
        } else {
            self.say("13. gh is not installed here, so its route is skipped; `capstan doctor` would say so.");
        }

        if self.told.is_some() {
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

    fn say(&self, text: &str) {
        match &self.told {
            Some(told) => told.borrow_mut().push(TourStep {
                title: text.to_owned(),
                runs: Vec::new(),
            }),
            None => {
                let text = wrapped(text, 0);
                self.printer.line(format_args!("\n{BOLD}{text}{BOLD:#}"));
            }
        }
    }

    fn command(&self, words: &str) {
        match &self.told {
            Some(told) => {
                if let Some(step) = told.borrow_mut().last_mut() {
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

    /// What the last command answered: shown to a person, or kept for a program.
    fn answer(&self, value: &impl Serialize, show: impl FnOnce(&Printer)) {
        let Some(told) = &self.told else {
            show(&self.printer);
            return;
        };
        if let Some(run) = told
            .borrow_mut()
            .last_mut()
            .and_then(|step| step.runs.last_mut())
        {
            run.answer = serde_json::to_value(value).unwrap_or_default();
        }
    }

    async fn explain(&self, capability: &str) {
        self.command(&format!("explain {capability}"));
        match self.capstan.explain(capability).await {
            Ok(explanation) => self.answer(&explanation, |it| it.explanation(&explanation)),
            Err(error) => self.answer(&error, |it| it.error(&error)),
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

    /// Shows the steps of a file, runs them and shows what came of it.
    async fn chain(&self, file: &str, text: &str) {
        self.command(&format!("chain {file}"));
        if self.told.is_none() {
            self.printer
                .line(format_args!("{DIM}{}{DIM:#}", text.trim_end()));
        }
        let Ok(mut chain) = chain_file::parse(text) else {
            return;
        };
        let here = || Some(("acme".to_owned(), "rocket".to_owned()));
        chain_file::fill_in_repository(&mut chain.request, self.capstan.catalog(), here);
        let envelope = self.capstan.execute_tasks(&chain.request).await;
        self.answer(&envelope, |it| it.chain(&envelope));
    }

    /// Shows the code of a file, runs it and shows what came of it: what it is called from then on.
    async fn exec(&self, file: &str, code: &str) -> Option<String> {
        self.command(&format!("exec {file} --intent '{STATES_INTENT}'"));
        if self.told.is_none() {
            self.printer.listing(code.trim_end());
        }
        let request = CodeRequest {
            intent: STATES_INTENT.to_owned(),
            code: code.to_owned(),
            ..CodeRequest::default()
        };
        let envelope = self.capstan.execute_code(&request).await;
        self.answer(&envelope, |it| it.code_result(&envelope, Some(code)));
        envelope.meta.capability_name
    }

    async fn check(&self, file: &str, text: &str) {
        self.command(&format!("check {file}"));
        let read = read_text(&Source::new(file, text));
        let library = Library::new(read.skills).0;
        let found = self.capstan.skill_plans().check_skills(&library).await;
        let lines: Vec<_> = found.iter().map(in_a_line).collect();
        self.answer(&lines, |it| {
            lines.iter().for_each(|line| it.line(wrapped(line, 2)));
        });
    }

    async fn suggest(&self, intent: &str) {
        self.command(&format!("suggest '{intent}'"));
        let envelope = self
            .capstan
            .discovery()
            .suggest(intent, &Map::new(), AcceptSyntax::Flags)
            .await;
        match (&envelope.data, &envelope.error) {
            (Some(data), _) => self.answer(&envelope, |it| it.suggestions(data)),
            (None, Some(error)) => self.answer(&envelope, |it| it.error(error)),
            (None, None) => {}
        }
    }

    async fn order(&self, skill: &str) {
        self.command(&format!("--skills skills skill order {skill}"));
        match self.capstan.skill_plans().skill(skill).await {
            Ok(plan) => {
                let levels = self.capstan.skill_plans().skill_order(&plan);
                let text = order_text(&levels);
                self.answer(&text, |it| it.line(text.trim_end()));
            }
            Err(error) => self.answer(&error, |it| it.error(&error)),
        }
    }

    async fn call(&self, name: &str, args: &Value) {
        let args = args.as_object().cloned().unwrap_or_default();
        let words = args.iter().map(|(name, value)| format!(" {name}={value}"));
        self.command(&format!("call {name}{}", words.collect::<String>()));
        let request = TaskRequest {
            capability: name.to_owned(),
            input: args,
            ..TaskRequest::default()
        };
        let envelope = self.capstan.execute_task(&request).await;
        self.answer(&envelope, |it| it.code_result(&envelope, None));
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
        self.command(&words.join(" "));
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
        self.answer(&envelope, |it| it.envelope(&envelope));
    }
}
