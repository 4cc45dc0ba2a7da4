//! The server as a client sees it: what it is, its tools, its prompt, its skills.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures_util::FutureExt as _;
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, CustomRequest,
    CustomResult, DiscoverResult, ExtensionCapabilities, GetPromptRequestParams, GetPromptResponse,
    Implementation, InitializeRequestParams, InitializeResult, JsonObject, ListPromptsResult,
    ListResourcesResult, ListToolsResult, PaginatedRequestParams, ProtocolVersion,
    ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, ServerCapabilities,
    ServerConfig,
};
use rmcp::service::{NotificationContext, RequestContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::Value;

use capstan_core::card::Operation;
use capstan_core::{
    ChainRequest, ChainResultEnvelope, ErrorCode, Format, ResultError, TaskRequest,
};
use capstan_engine::{AcceptSyntax, AcceptedPlan, BadLine, Capstan, ReadLine};
use capstan_presenter::{Subject, bad_lines_text};
use capstan_wire::kind_in_words;

use super::answer::{self, Style};
use super::arguments::Arguments;
use super::news::{Elapsed, Finished, OneRun};
use super::options::McpOptions;
use super::roots::{self, Roots};
use super::skills::{self, Skills};
use super::tools::execute::{Accepted, Call, GivenLines, Refused};
use super::tools::{self, execute, explain, read, search};
use super::work;
use crate::learner::Learner;

pub(super) struct Server {
    capstan: Arc<Capstan>,
    skills: Skills,
    learner: Learner,
    roots: Roots,
    options: McpOptions,
}

/// How long a client may keep what never changes while the server runs.
pub(super) const FRESH_MS: u64 = 60 * 60 * 1000;

impl Server {
    pub(super) fn new(capstan: Arc<Capstan>, options: McpOptions) -> Self {
        let skills = Skills::new(Arc::clone(&capstan));
        let learner = Learner::new(Arc::clone(&capstan));
        Self {
            capstan,
            skills,
            learner,
            roots: Roots::default(),
            options,
        }
    }

    pub(super) fn learner(&self) -> &Learner {
        &self.learner
    }

    fn repository(&self) -> skills::Repository {
        match self.capstan.words().defaults().repository {
            Some((owner, name)) => skills::Repository::Known(owner, name),
            None => skills::Repository::Unknown,
        }
    }

    async fn call(
        &self,
        name: &str,
        arguments: JsonObject,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResult, ErrorData> {
        match name {
            execute::NAME => {
                self.roots.ask_once(&self.capstan, context).await;
                let answer = self.execute(arguments, context).await;
                self.learner.soon();
                Ok(answer)
            }
            read::NAME if self.options.split => {
                self.roots.ask_once(&self.capstan, context).await;
                let answer = self.read(arguments, context).await;
                self.learner.soon();
                Ok(answer)
            }
            explain::NAME => Ok(explain::call(&self.capstan, arguments, self.style(None)).await),
            search::NAME | search::FORMER_NAME => {
                Ok(search::call(&self.capstan, arguments, self.style(None)).await)
            }
            _ => {
                let message = format!("unknown tool: this server has {}", tools::NAMES.join(", "));
                Err(ErrorData::invalid_params(message, None))
            }
        }
    }

    fn style(&self, format: Option<Format>) -> Style {
        Style {
            format,
            structured: self.options.structured,
        }
    }

    async fn execute(
        &self,
        arguments: JsonObject,
        context: &RequestContext<RoleServer>,
    ) -> CallToolResult {
        self.run(execute::parse(arguments), context).await
    }

    /// Runs what changes nothing, and refuses the rest.
    async fn read(
        &self,
        arguments: JsonObject,
        context: &RequestContext<RoleServer>,
    ) -> CallToolResult {
        let given = match execute::parse(arguments) {
            Ok(Call::Lines(given)) => given,
            Ok(_) => return self.run(Err(read::only_lines()), context).await,
            Err(refused) => return self.run(Err(refused), context).await,
        };
        let lines = self.capstan.read_lines(&given.lines).await;
        let writes = |line: &&ReadLine| line.card.operation == Operation::Write;
        if let Some(line) = lines.iter().flatten().find(writes) {
            return self.run(Err(read::refused(&line.card)), context).await;
        }
        let answered = self.run_read(&given, lines, context).await;
        answered.unwrap_or_else(|| self.cancelled(""))
    }

    async fn run(
        &self,
        call: Result<Call, Refused>,
        context: &RequestContext<RoleServer>,
    ) -> CallToolResult {
        let capstan = &self.capstan;
        let (answered, capability) = match call {
            Ok(Call::One(request)) => (self.run_one(&request, context).await, request.capability),
            Ok(Call::Chain(chain)) => {
                let style = self.style(chain.format);
                let answered = self.run_chain(&chain.request, style, context).await;
                (answered, String::new())
            }
            Ok(Call::Lines(lines)) => (self.run_lines(&lines, context).await, String::new()),
            Ok(Call::Code(request)) => {
                let work = capstan.execute_code(&request);
                let done = work::run(work, Elapsed::of("code"), context).await;
                let style = self.style(request.options.format);
                let nothing = Subject::without_card();
                let answered = done.map(|it| answer::envelope(&it, &nothing, style, capstan));
                (answered, String::new())
            }
            Ok(Call::Accept(accepted)) => (self.accept(&accepted, context).await, String::new()),
            Ok(Call::Suggest(intent, input)) => {
                let envelope = capstan
                    .discovery()
                    .suggest(&intent, &input, AcceptSyntax::Json)
                    .await;
                let style = Style {
                    format: Some(Format::Toon),
                    ..self.style(None)
                };
                let nothing = Subject::without_card();
                let answered = answer::envelope(&envelope, &nothing, style, capstan);
                (Some(answered), String::new())
            }
            Err(refused) => {
                let style = self.style(None);
                let failure = answer::failure(capstan, &refused.capability, refused.error, style);
                (Some(failure), refused.capability)
            }
        };
        answered.unwrap_or_else(|| self.cancelled(&capability))
    }

    /// A cancelled request gets no answer, so few read this.
    fn cancelled(&self, capability: &str) -> CallToolResult {
        let message = "cancelled by the client; trace.list shows the execution, and its trace says of \
                       each call whether it was answered, may have happened, or was never sent";
        let error = ResultError::new(ErrorCode::Cancelled, message);
        answer::failure(&self.capstan, capability, error, self.style(None))
    }

    async fn run_one(
        &self,
        request: &TaskRequest,
        context: &RequestContext<RoleServer>,
    ) -> Option<CallToolResult> {
        let capstan = &self.capstan;
        let (watch, news) = OneRun::watch(&request.capability);
        let work = capstan.execute_task_watched(request, &watch);
        let done = work::run(work, news, context).await;
        let style = self.style(request.options.format);
        let subject = Subject::from_task(capstan, request);
        done.map(|envelope| answer::envelope(&envelope, &subject, style, capstan))
    }

    async fn run_chain(
        &self,
        request: &ChainRequest,
        style: Style,
        context: &RequestContext<RoleServer>,
    ) -> Option<CallToolResult> {
        let (watch, finished) = Finished::watch();
        let work = self.capstan.execute_tasks_watched(request, &watch);
        let done = work::run(work, finished, context).await;
        done.map(|envelope| self.chain_answer(request, &envelope, style))
    }

    /// Runs the steps of a plan that was accepted.
    async fn run_plan(
        &self,
        request: &ChainRequest,
        style: Style,
        context: &RequestContext<RoleServer>,
    ) -> Option<CallToolResult> {
        let (watch, finished) = Finished::watch();
        let work = self.capstan.execute_plan(request, &watch);
        let done = work::run(work, finished, context).await;
        done.map(|envelope| self.chain_answer(request, &envelope, style))
    }

    fn chain_answer(
        &self,
        request: &ChainRequest,
        envelope: &ChainResultEnvelope,
        style: Style,
    ) -> CallToolResult {
        let subjects = Subject::from_steps(&self.capstan, &request.steps);
        answer::chain(envelope, &subjects, style)
    }

    /// Runs lines. If any is wrong, none is run, and only the wrong ones are told.
    async fn run_lines(
        &self,
        given: &GivenLines,
        context: &RequestContext<RoleServer>,
    ) -> Option<CallToolResult> {
        let read = self.capstan.read_lines(&given.lines).await;
        self.run_read(given, read, context).await
    }

    /// Runs lines as they were read.
    async fn run_read(
        &self,
        given: &GivenLines,
        read: Result<Vec<ReadLine>, Vec<BadLine>>,
        context: &RequestContext<RoleServer>,
    ) -> Option<CallToolResult> {
        let style = self.style(given.options.format);
        let read = match read {
            Ok(read) => read,
            Err(bad) => {
                let text = bad_lines_text(&bad, given.lines.len());
                let text = self.capstan.redactor().text(&text).into_owned();
                let error = ResultError::new(ErrorCode::Validation, text.clone());
                return Some(answer::refused_lines(text, error, style));
            }
        };
        // A text that begins with `$` is read as in every chain: it refers to a step, or is refused.
        if let [line] = read.as_slice()
            && line.stands_alone()
        {
            let step = given.completed(line.step.clone());
            return self.run_one(&step.request, context).await;
        }
        let steps = read.into_iter().map(|line| given.completed(line.step));
        let request = ChainRequest {
            steps: steps.collect(),
            timeout_ms: given.options.timeout_ms,
            trace: given.options.trace,
            ..ChainRequest::default()
        };
        self.run_chain(&request, style, context).await
    }
}

impl Server {
    /// Runs what is suggested for an intent, if that is sure and whole.
    async fn accept(
        &self,
        accepted: &Accepted,
        context: &RequestContext<RoleServer>,
    ) -> Option<CallToolResult> {
        let capstan = &self.capstan;
        let Accepted {
            intent,
            input,
            acceptance,
            options,
        } = accepted;
        match capstan
            .discovery()
            .accepted_plan(intent, input, acceptance, options)
            .await
        {
            Ok(AcceptedPlan::Single(request)) => self.run_one(&request, context).await,
            Ok(AcceptedPlan::Chain(chain)) => {
                let style = self.style(options.format);
                self.run_plan(&chain, style, context).await
            }
            Err(error) => Some(answer::failure(capstan, "", error, self.style(None))),
        }
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_prompts()
            .enable_resources()
            .enable_extensions_with(ExtensionCapabilities::from([(
                skills::EXTENSION.to_owned(),
                skills::settings(),
            )]))
            .build();
        let this = Implementation::new("capstan", env!("CARGO_PKG_VERSION"));
        ServerConfig::new(capabilities)
            .with_server_info(this)
            .with_instructions(skills::instructions(&self.repository()))
    }

    async fn initialize(
        &self,
        mut request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        let mut result = self.negotiate_initialize(&request)?;
        if roots::are_offered(&request.capabilities)
            && self
                .capstan
                .words()
                .default_repository()
                .depends_on_folders()
        {
            result.instructions = Some(skills::instructions(&skills::Repository::OfClient));
        }
        // From here on the session speaks what was agreed, not what was asked for.
        request.protocol_version = result.protocol_version.clone();
        context.peer.set_peer_info(request);
        Ok(result)
    }

    async fn on_initialized(&self, _context: NotificationContext<RoleServer>) {
        self.learner.begin();
    }

    async fn on_roots_list_changed(&self, _context: NotificationContext<RoleServer>) {
        self.roots.forget().await;
    }

    /// Where there is no handshake, this is the first that most clients ask.
    async fn discover(
        &self,
        _context: RequestContext<RoleServer>,
    ) -> Result<DiscoverResult, ErrorData> {
        self.learner.begin();
        let versions = self.supported_protocol_versions().into_owned();
        Ok(DiscoverResult::from_server_info(versions, self.get_info())
            .with_ttl_ms(FRESH_MS)
            .with_cache_scope(CacheScope::Public))
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let list = ListToolsResult::with_all_items(tools::definitions(self.options));
        Ok(if is_modern(&context) {
            list.with_ttl_ms(FRESH_MS)
                .with_cache_scope(CacheScope::Public)
        } else {
            list
        })
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        // Boxed, because the library moves the whole future several times before it is polled.
        let work = Box::pin(self.call(&request.name, arguments, &context));
        // Whatever goes wrong here, the client must not wait for ever.
        let result = AssertUnwindSafe(work).catch_unwind().await;
        let result = result.unwrap_or_else(|_| {
            let message =
                "Capstan failed by a mistake of its own; what was asked may have been done";
            let error = ResultError::new(ErrorCode::Unknown, message);
            Ok(answer::failure(&self.capstan, "", error, self.style(None)))
        });
        Ok(result?.into())
    }

    async fn list_prompts(
        &self,
        _request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        let list = ListPromptsResult::with_all_items(skills::prompts());
        Ok(if is_modern(&context) {
            list.with_ttl_ms(FRESH_MS)
                .with_cache_scope(CacheScope::Public)
        } else {
            list
        })
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        Ok(skills::prompt(&request.name)?.into())
    }

    /// The files of skills. What they are made of is the user's own.
    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let cursor = request.and_then(|request| request.cursor);
        let (resources, next) = self.skills.resources(cursor.as_deref()).await?;
        let mut list = ListResourcesResult::with_all_items(resources);
        list.next_cursor = next;
        Ok(if is_modern(&context) {
            list.with_ttl_ms(FRESH_MS)
                .with_cache_scope(CacheScope::Private)
        } else {
            list
        })
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let contents = self.skills.read(&request.uri).await?;
        let read = ReadResourceResult::new(vec![contents]);
        let read = if is_modern(&context) {
            read.with_ttl_ms(FRESH_MS)
                .with_cache_scope(CacheScope::Private)
        } else {
            read
        };
        Ok(read.into())
    }

    /// The library hands over here whatever it could not read: methods that nobody knows, and
    /// known methods whose parameters have the wrong shape.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        if let Some(tool) = called_with_bad_arguments(&request) {
            let mut result = answer::failure(
                &self.capstan,
                "",
                bad_arguments(tool, &request),
                self.style(None),
            );
            if !is_modern(&context) {
                result.result_type = None;
            }
            return Ok(CustomResult(
                serde_json::to_value(result).unwrap_or_default(),
            ));
        }
        let answer = self.skills.answer(&request.method, request.params.as_ref());
        if let Some(answer) = answer.await {
            return answer.map(CustomResult);
        }
        Err(match expected_params(&request.method) {
            Some(expected) => ErrorData::invalid_params(
                format!("bad params for {}: expected {expected}", request.method),
                None,
            ),
            None => ErrorData::new(
                rmcp::model::ErrorCode::METHOD_NOT_FOUND,
                "there is no such method",
                None,
            ),
        })
    }
}

fn is_modern(context: &RequestContext<RoleServer>) -> bool {
    context
        .protocol_version()
        .is_some_and(|version| version.as_str() >= ProtocolVersion::V_2026_07_28.as_str())
}

/// The tool of a call whose arguments are not even an object: the model has to hear about that in
/// the same way as about any other bad argument.
fn called_with_bad_arguments(request: &CustomRequest) -> Option<&'static str> {
    if request.method != "tools/call" {
        return None;
    }
    let params = request.params.as_ref()?;
    let name = params.get("name")?.as_str()?;
    let arguments = params.get("arguments")?;
    let tool = tools::NAMES
        .into_iter()
        .find(|tool| *tool == name || (*tool == search::NAME && name == search::FORMER_NAME))?;
    (!arguments.is_object()).then_some(tool)
}

fn bad_arguments(tool: &'static str, request: &CustomRequest) -> ResultError {
    let got = request
        .params
        .as_ref()
        .and_then(|params| params.get("arguments"))
        .map_or("nothing", kind_in_words);
    Arguments::new(tool, serde_json::Map::<String, Value>::new())
        .refuse("arguments", &format!("must be an object, not {got}"))
}

fn expected_params(method: &str) -> Option<&'static str> {
    Some(match method {
        "initialize" => "protocolVersion, capabilities, clientInfo",
        "server/discover" => "nothing but _meta",
        "tools/call" => "name (text) and arguments (object)",
        "resources/read" => "uri (text)",
        "prompts/get" => "name (text)",
        "tools/list" | "prompts/list" | "resources/list" | "resources/templates/list" => {
            "nothing, or cursor (text)"
        }
        "ping" => "nothing",
        _ => return None,
    })
}
