//! The MCP server: its capabilities, tools, prompt and skills.

use std::borrow::Cow;
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

use super::arguments::ToolArguments;
use super::cancellable::run_until_cancelled;
use super::options::McpOptions;
use super::progress::{ElapsedTime, RunProgress, StepProgress};
use super::revision;
use super::roots::{self, Roots};
use super::skills::{self, SkillLibrary};
use super::tool_result::{self, ResultStyle};
use super::tools::execute::{AcceptCall, ExecuteCall, LinesCall, RejectedCall};
use super::tools::{self, execute, explain, read, search};
use crate::learner::Learner;

pub(super) struct McpServer {
    capstan: Arc<Capstan>,
    skills: SkillLibrary,
    learner: Learner,
    roots: Roots,
    options: McpOptions,
}

/// How long a client may cache what never changes while the server runs, in milliseconds.
pub(super) const CACHE_TTL_MS: u64 = 60 * 60 * 1000;

impl McpServer {
    pub(super) fn new(capstan: Arc<Capstan>, options: McpOptions) -> Self {
        let skills = SkillLibrary::new(Arc::clone(&capstan));
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

    fn default_repository(&self) -> skills::InstructionsRepository {
        match self.capstan.words().defaults().repository {
            Some((owner, name)) => skills::InstructionsRepository::Known(owner, name),
            None => skills::InstructionsRepository::Unknown,
        }
    }

    async fn call_named_tool(
        &self,
        name: &str,
        arguments: JsonObject,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResult, ErrorData> {
        match name {
            execute::NAME => {
                self.roots.request_once(&self.capstan, context).await;
                let result = self.run(execute::parse(arguments), context).await;
                self.learner.catch_up_soon();
                Ok(result)
            }
            read::NAME if self.options.split => {
                self.roots.request_once(&self.capstan, context).await;
                let result = self.run_reads(arguments, context).await;
                self.learner.catch_up_soon();
                Ok(result)
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

    fn style(&self, format: Option<Format>) -> ResultStyle {
        ResultStyle {
            format,
            structured: self.options.structured,
        }
    }

    /// Handles the `read` tool: runs lines that only read, and refuses everything else.
    async fn run_reads(
        &self,
        arguments: JsonObject,
        context: &RequestContext<RoleServer>,
    ) -> CallToolResult {
        let call = match execute::parse(arguments) {
            Ok(ExecuteCall::Lines(call)) => call,
            Ok(_) => return self.run(Err(read::reject_other_call()), context).await,
            Err(rejected) => return self.run(Err(rejected), context).await,
        };
        let lines = self.capstan.read_lines(&call.lines).await;
        let is_write = |line: &&ReadLine| line.card.operation == Operation::Write;
        if let Some(line) = lines.iter().flatten().find(is_write) {
            let rejected = read::reject_write(&line.card);
            return self.run(Err(rejected), context).await;
        }
        let result = self.run_parsed_lines(&call, lines, context).await;
        result.unwrap_or_else(|| self.cancelled(""))
    }

    /// Runs a parsed call, or reports why it was rejected.
    async fn run(
        &self,
        call: Result<ExecuteCall, RejectedCall>,
        context: &RequestContext<RoleServer>,
    ) -> CallToolResult {
        let capstan = &self.capstan;
        let (result, capability) = match call {
            Ok(ExecuteCall::Task(request)) => {
                let result = self.run_task(&request, context).await;
                (result, request.capability)
            }
            Ok(ExecuteCall::Chain(chain)) => {
                let style = self.style(chain.format);
                let result = self.run_chain(&chain.request, style, context).await;
                (result, String::new())
            }
            Ok(ExecuteCall::Lines(call)) => (self.run_lines(&call, context).await, String::new()),
            Ok(ExecuteCall::Code(request)) => {
                let work = capstan.execute_code(&request);
                let progress = ElapsedTime::start("code");
                let output = run_until_cancelled(work, progress, context).await;
                let style = self.style(request.options.format);
                let subject = Subject::without_card();
                let result =
                    output.map(|it| tool_result::from_envelope(&it, &subject, style, capstan));
                (result, String::new())
            }
            Ok(ExecuteCall::Accept(call)) => (self.accept(&call, context).await, String::new()),
            Ok(ExecuteCall::Suggest(intent, input)) => {
                let envelope = capstan
                    .discovery()
                    .suggest(&intent, &input, AcceptSyntax::Json)
                    .await;
                let style = ResultStyle {
                    format: Some(Format::Toon),
                    ..self.style(None)
                };
                let subject = Subject::without_card();
                let result = tool_result::from_envelope(&envelope, &subject, style, capstan);
                (Some(result), String::new())
            }
            Err(RejectedCall { capability, error }) => {
                let style = self.style(None);
                let result = tool_result::from_error(capstan, &capability, error, style);
                (Some(result), capability)
            }
        };
        result.unwrap_or_else(|| self.cancelled(&capability))
    }

    /// Returns the result of a cancelled call. Clients rarely see it, because a cancelled request gets no
    /// response.
    fn cancelled(&self, capability: &str) -> CallToolResult {
        let message = "cancelled by the client; trace.list shows the execution, and its trace shows for \
                       each call whether it was answered, may have happened, or was never sent";
        let error = ResultError::new(ErrorCode::Cancelled, message);
        tool_result::from_error(&self.capstan, capability, error, self.style(None))
    }

    async fn run_task(
        &self,
        request: &TaskRequest,
        context: &RequestContext<RoleServer>,
    ) -> Option<CallToolResult> {
        let capstan = &self.capstan;
        let (callback, progress) = RunProgress::channel(&request.capability);
        let work = capstan.execute_task_watched(request, &callback);
        let output = run_until_cancelled(work, progress, context).await;
        let style = self.style(request.options.format);
        let subject = Subject::from_task(capstan, request);
        output.map(|envelope| tool_result::from_envelope(&envelope, &subject, style, capstan))
    }

    async fn run_chain(
        &self,
        request: &ChainRequest,
        style: ResultStyle,
        context: &RequestContext<RoleServer>,
    ) -> Option<CallToolResult> {
        let (callback, progress) = StepProgress::channel();
        let work = self.capstan.execute_tasks_watched(request, &callback);
        let envelope = run_until_cancelled(work, progress, context).await?;
        Some(self.chain_result(request, &envelope, style))
    }

    /// Runs the steps of an accepted plan.
    async fn run_plan(
        &self,
        request: &ChainRequest,
        style: ResultStyle,
        context: &RequestContext<RoleServer>,
    ) -> Option<CallToolResult> {
        let (callback, progress) = StepProgress::channel();
        let work = self.capstan.execute_plan(request, &callback);
        let envelope = run_until_cancelled(work, progress, context).await?;
        Some(self.chain_result(request, &envelope, style))
    }

    fn chain_result(
        &self,
        request: &ChainRequest,
        envelope: &ChainResultEnvelope,
        style: ResultStyle,
    ) -> CallToolResult {
        let subjects = Subject::from_steps(&self.capstan, &request.steps);
        tool_result::from_chain(envelope, &subjects, style)
    }

    /// Runs lines. If any is invalid, none is run, and only the invalid ones are reported.
    async fn run_lines(
        &self,
        call: &LinesCall,
        context: &RequestContext<RoleServer>,
    ) -> Option<CallToolResult> {
        let parsed = self.capstan.read_lines(&call.lines).await;
        self.run_parsed_lines(call, parsed, context).await
    }

    /// Runs lines that were parsed, or reports the invalid ones.
    async fn run_parsed_lines(
        &self,
        call: &LinesCall,
        parsed: Result<Vec<ReadLine>, Vec<BadLine>>,
        context: &RequestContext<RoleServer>,
    ) -> Option<CallToolResult> {
        let style = self.style(call.options.format);
        let lines = match parsed {
            Ok(lines) => lines,
            Err(bad_lines) => {
                let problems = bad_lines_text(&bad_lines, call.lines.len());
                let text = self.capstan.redactor().text(&problems).into_owned();
                let error = ResultError::new(ErrorCode::Validation, text.clone());
                return Some(tool_result::from_bad_lines(text, error, style));
            }
        };
        // A line with a text that begins with `$` runs as a chain: there, `$` refers to a step or is refused.
        if let [line] = lines.as_slice()
            && line.stands_alone()
        {
            let step = call.apply_options(line.step.clone());
            return self.run_task(&step.request, context).await;
        }
        let steps = lines.into_iter().map(|line| call.apply_options(line.step));
        let request = ChainRequest {
            steps: steps.collect(),
            timeout_ms: call.options.timeout_ms,
            trace: call.options.trace,
            ..ChainRequest::default()
        };
        self.run_chain(&request, style, context).await
    }

    /// Runs the plan that is suggested for an intent, if the suggestion is certain and complete.
    async fn accept(
        &self,
        call: &AcceptCall,
        context: &RequestContext<RoleServer>,
    ) -> Option<CallToolResult> {
        let capstan = &self.capstan;
        let AcceptCall {
            intent,
            input,
            acceptance,
            options,
        } = call;
        match capstan
            .discovery()
            .accepted_plan(intent, input, acceptance, options)
            .await
        {
            Ok(AcceptedPlan::Single(request)) => self.run_task(&request, context).await,
            Ok(AcceptedPlan::Chain(chain)) => {
                let style = self.style(options.format);
                self.run_plan(&chain, style, context).await
            }
            Err(error) => Some(tool_result::from_error(
                capstan,
                "",
                error,
                self.style(None),
            )),
        }
    }
}

impl ServerHandler for McpServer {
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
        let implementation = Implementation::new("capstan", env!("CARGO_PKG_VERSION"));
        ServerConfig::new(capabilities)
            .with_server_info(implementation)
            .with_instructions(skills::instructions(&self.default_repository()))
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Borrowed(revision::SERVED)
    }

    async fn initialize(
        &self,
        mut request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        let mut result = self.negotiate_initialize(&request)?;
        if roots::are_supported(&request.capabilities)
            && self
                .capstan
                .words()
                .default_repository()
                .depends_on_folders()
        {
            let repository = skills::InstructionsRepository::FromClientRoots;
            result.instructions = Some(skills::instructions(&repository));
        }
        // The session uses the negotiated revision, not the requested one.
        request.protocol_version = result.protocol_version.clone();
        context.peer.set_peer_info(request);
        Ok(result)
    }

    async fn on_initialized(&self, _context: NotificationContext<RoleServer>) {
        self.learner.warm_up();
    }

    async fn on_roots_list_changed(&self, _context: NotificationContext<RoleServer>) {
        self.roots.invalidate().await;
    }

    /// Handles the first request of most clients whose revision has no handshake.
    async fn discover(
        &self,
        _context: RequestContext<RoleServer>,
    ) -> Result<DiscoverResult, ErrorData> {
        self.learner.warm_up();
        let versions = self.supported_protocol_versions().into_owned();
        Ok(DiscoverResult::from_server_info(versions, self.get_info())
            .with_ttl_ms(CACHE_TTL_MS)
            .with_cache_scope(CacheScope::Public))
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let list = ListToolsResult::with_all_items(tools::definitions(self.options));
        Ok(if is_2026_07_28_or_later(&context) {
            list.with_ttl_ms(CACHE_TTL_MS)
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
        // Boxed, because the library moves the future several times before it polls it.
        let work = Box::pin(self.call_named_tool(&request.name, arguments, &context));
        // The client must get a response even if the call panics.
        let caught = AssertUnwindSafe(work).catch_unwind().await;
        let result = caught.unwrap_or_else(|_| {
            let message = "internal error in Capstan; the call may have taken effect, so check before repeating it";
            let error = ResultError::new(ErrorCode::Unknown, message);
            Ok(tool_result::from_error(&self.capstan, "", error, self.style(None)))
        });
        Ok(result?.into())
    }

    async fn list_prompts(
        &self,
        _request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        let list = ListPromptsResult::with_all_items(skills::prompts());
        Ok(if is_2026_07_28_or_later(&context) {
            list.with_ttl_ms(CACHE_TTL_MS)
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

    /// Lists the files of skills. They come from the user's files, so shared caches must not keep them.
    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let cursor = request.and_then(|request| request.cursor);
        let (resources, next) = self.skills.resources(cursor.as_deref()).await?;
        let mut list = ListResourcesResult::with_all_items(resources);
        list.next_cursor = next;
        Ok(if is_2026_07_28_or_later(&context) {
            list.with_ttl_ms(CACHE_TTL_MS)
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
        let mut result = ReadResourceResult::new(vec![contents]);
        if is_2026_07_28_or_later(&context) {
            result = result
                .with_ttl_ms(CACHE_TTL_MS)
                .with_cache_scope(CacheScope::Private);
        }
        Ok(result.into())
    }

    /// Handles what the library could not parse: methods that it does not know, and known methods whose
    /// parameters have the wrong shape.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        if let Some(tool) = tool_with_bad_arguments(&request) {
            let error = bad_arguments_error(tool, &request);
            let mut result = tool_result::from_error(&self.capstan, "", error, self.style(None));
            if !is_2026_07_28_or_later(&context) {
                result.result_type = None;
            }
            return Ok(CustomResult(
                serde_json::to_value(result).unwrap_or_default(),
            ));
        }
        let handled = self
            .skills
            .handle_method(&request.method, request.params.as_ref());
        if let Some(result) = handled.await {
            return result.map(CustomResult);
        }
        Err(match expected_params(&request.method) {
            Some(expected) => ErrorData::invalid_params(
                format!("bad params for {}: expected {expected}", request.method),
                None,
            ),
            None => ErrorData::new(
                rmcp::model::ErrorCode::METHOD_NOT_FOUND,
                "unknown method",
                None,
            ),
        })
    }
}

/// Returns whether the client's revision is 2026-07-28 or later. Only these have `resultType` and caching
/// hints in results.
fn is_2026_07_28_or_later(context: &RequestContext<RoleServer>) -> bool {
    context
        .protocol_version()
        .is_some_and(|version| version.as_str() >= ProtocolVersion::V_2026_07_28.as_str())
}

/// Returns the tool of a call whose arguments are not an object. The model must see this like any other bad
/// argument, and not as a protocol error.
fn tool_with_bad_arguments(request: &CustomRequest) -> Option<&'static str> {
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

fn bad_arguments_error(tool: &'static str, request: &CustomRequest) -> ResultError {
    let got = request
        .params
        .as_ref()
        .and_then(|params| params.get("arguments"))
        .map_or("nothing", kind_in_words);
    ToolArguments::new(tool, serde_json::Map::<String, Value>::new())
        .problem("arguments", &format!("must be an object, not {got}"))
}

/// Describes the parameters of a method that the server supports.
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
