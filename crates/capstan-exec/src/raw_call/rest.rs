//! The route of a raw REST call.

use indexmap::IndexMap;
use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};
use serde_json::{Map, Value};

use capstan_core::card::{FileParts, HttpPagination, PageStyle, RestCall, RestRoute, ServiceParts};
use capstan_core::expr::{Expr, Path, Root, Segment, Template, ValueTemplate};
use capstan_core::{AnswerFormat, ApiHost, Method, brief};
use url::form_urlencoded;

use super::card::{BadPart, whole_answer, written_object, written_text};

/// The path of GraphQL, for which there is another card.
const GRAPHQL: &str = "graphql";
/// The parameter for the rows per page, and the input that sets it.
const PAGE_SIZE: &str = "per_page";
const FIRST: &str = "first";
/// Inputs that fill blanks in the path of the same name.
const REPOSITORY: [&str; 2] = ["owner", "repo"];
/// How much of a path is repeated in messages.
const LONGEST: usize = 80;

/// What a path cannot hold as it is. A `%` is checked by itself.
const ENCODED: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'<')
    .add(b'>')
    .add(b'`')
    .add(b'^')
    .add(b'|')
    .add(b'#')
    .add(b'?');

pub(super) fn route(input: &Map<String, Value>) -> Result<RestRoute, BadPart> {
    let method = method(input)?;
    let written = written_text(input, "path")?.unwrap_or_default();
    let (path, in_path) = written.split_once('?').unwrap_or((written, ""));
    let path = path_template(path, input)?;
    let mut query: IndexMap<String, Vec<Template>> = IndexMap::new();
    for (name, value) in form_urlencoded::parse(in_path.as_bytes()) {
        let values = query.entry(name.into_owned()).or_default();
        if !values.is_empty() {
            let problem = "has a parameter twice: give lists in `query`";
            return Err(BadPart::new("path", problem));
        }
        values.push(Template::literal(value));
    }
    for (name, value) in written_object(input, "query")?.into_iter().flatten() {
        let field = format!("query.{name}");
        if query.contains_key(name) {
            let problem = "is also in `path`: give it once";
            return Err(BadPart::new(&field, problem));
        }
        if value.is_object() || name.is_empty() {
            let problem = "is not a value of a parameter: expected a text, a number, true, false, \
                           or a list of these";
            return Err(BadPart::new(&field, problem));
        }
        let expr = Expr::Path(Path::to_field("input", ["query", name]));
        query.insert(name.clone(), vec![Template::blank(expr)]);
    }
    let is_read = method.operation() == capstan_core::card::Operation::Read;
    let has_body = input.get("body").is_some_and(|body| !body.is_null());
    if is_read && has_body {
        let problem = format!(
            "cannot be sent with {}: give parameters in `query`, or another `method`",
            method.as_str()
        );
        return Err(BadPart::new("body", problem));
    }
    let pages = ["first", "after"]
        .iter()
        .any(|name| input.contains_key(*name));
    if pages && !is_read {
        let problem = format!("is for lists, and {} reads none", method.as_str());
        return Err(BadPart::new(FIRST, problem));
    }
    if pages && !query.contains_key(PAGE_SIZE) {
        let size = Path::to_field("page", ["size"]);
        query.insert(
            PAGE_SIZE.to_owned(),
            vec![Template::blank(Expr::Path(size))],
        );
    }
    let body = || {
        ValueTemplate::Template(Template::blank(Expr::Path(Path::to_field(
            "input",
            ["body"],
        ))))
    };
    Ok(RestRoute {
        call: RestCall {
            method,
            path,
            query,
            body: has_body.then(body),
            raw: None,
            host: ApiHost::Api,
            accept: accept(input)?,
            operation: method.operation(),
            answer: AnswerFormat::Auto,
            file: FileParts::default(),
            service: ServiceParts::default(),
        },
        resolve: IndexMap::new(),
        seal: IndexMap::new(),
        unchanged: None,
        refuse: None,
        verify: None,
        output: whole_answer(),
        pagination: is_read.then(|| HttpPagination {
            style: PageStyle::Links,
            total: Some(of_answer("total_count")),
            incomplete: Some(of_answer("incomplete_results")),
        }),
    })
}

/// Returns the names of the blanks in a path.
pub(super) fn blanks(path: &str) -> impl Iterator<Item = &str> {
    let inner = path.split('{').skip(1);
    let names = inner.filter_map(|rest| rest.split_once('}'));
    names.map(|(name, _)| name.trim_start_matches('+'))
}

/// Returns whether two calls may go to the same address: the same method, and paths of which no written part differs.
/// A blank may be anything.
pub(super) fn may_be_same(one: &RestCall, other: &RestCall) -> bool {
    let normal = |method: Method| match method {
        Method::Head => Method::Get,
        method => method,
    };
    if normal(one.method) != normal(other.method) {
        return false;
    }
    let (one, other) = (segments(&one.path), segments(&other.path));
    let fits = |left: &str, right: &str| {
        left.contains(BLANK) || right.contains(BLANK) || left.eq_ignore_ascii_case(right)
    };
    // A value may contain slashes, so a path that ends in a blank may go on.
    let shorter = one.len().min(other.len());
    let may_go_on = |path: &[String]| path.last().is_some_and(|last| last.contains(BLANK));
    let same_length = one.len() == other.len()
        || (one.len() == shorter && may_go_on(&one))
        || (other.len() == shorter && may_go_on(&other));
    same_length
        && one
            .iter()
            .zip(&other)
            .all(|(left, right)| fits(left, right))
}

/// Stands for a blank. No path has it.
const BLANK: char = '\0';

/// Returns the decoded segments of a path below the API.
fn segments(path: &Template) -> Vec<String> {
    let text = path.outline(&BLANK.to_string());
    let text = match text.split_once("://") {
        Some((_, rest)) => {
            let below = rest.split_once('/').map_or("", |(_, path)| path);
            below.strip_prefix("api/v3/").unwrap_or(below).to_owned()
        }
        None => text,
    };
    let parts = text.split('/').filter(|part| !part.is_empty());
    parts.map(decoded).collect()
}

fn decoded(segment: &str) -> String {
    percent_decode_str(segment).decode_utf8_lossy().into_owned()
}

fn method(input: &Map<String, Value>) -> Result<Method, BadPart> {
    let Some(written) = written_text(input, "method")? else {
        return Ok(Method::Get);
    };
    let known = Method::ALL.into_iter();
    let mut known = known.filter(|it| it.as_str().eq_ignore_ascii_case(written.trim()));
    known.next().ok_or_else(|| {
        let names: Vec<_> = Method::ALL.iter().map(|it| it.as_str()).collect();
        let problem = format!("is `{}`: expected {}", brief(written, 20), names.join(", "));
        BadPart::new("method", problem)
    })
}

fn accept(input: &Map<String, Value>) -> Result<Option<String>, BadPart> {
    let Some(accept) = written_text(input, "accept")? else {
        return Ok(None);
    };
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "!#$&^_.+-*/;=, ".contains(c);
    if accept.contains('/') && accept.chars().all(is_plain) {
        return Ok(Some(accept.to_owned()));
    }
    let problem = "is not a media type: expected one such as `application/vnd.github.diff`";
    Err(BadPart::new("accept", problem))
}

/// Reads a path: what is written is sent as it is, and a blank such as `{owner}` gets its value from the input of this
/// name or from `params`.
fn path_template(written: &str, input: &Map<String, Value>) -> Result<Template, BadPart> {
    let bad = |problem: String| Err(BadPart::new("path", problem));
    let shown = || brief(written, LONGEST).into_owned();
    let params = written_object(input, "params")?;
    let (start, path) = match written.find("://") {
        Some(at) => {
            let after = at + "://".len();
            let below = written[after..]
                .find('/')
                .map_or(written.len(), |it| after + it);
            written.split_at(below)
        }
        None => ("", written),
    };
    let is_address = |c: char| c.is_ascii_alphanumeric() || ".-:/[]".contains(c);
    if !start.chars().all(is_address) {
        return bad(format!(
            "is `{}`, which is not an address of GitHub's API",
            shown()
        ));
    }
    let path = path.strip_prefix('/').unwrap_or(path);
    let path = path.strip_suffix('/').unwrap_or(path);
    if path.is_empty() && start.is_empty() && written != "/" {
        return bad(
            "is missing: expected a path of GitHub's API such as `/repos/acme/rocket/topics`"
                .to_owned(),
        );
    }
    if written.contains(['\\', '#'])
        || written.contains(char::is_control)
        || written.starts_with("//")
    {
        return bad(format!(
            "is `{}`, which is not a path of GitHub's API",
            shown()
        ));
    }
    let mut template = String::from(start);
    let mut used: Vec<&str> = Vec::new();
    for segment in path.split('/').filter(|_| !path.is_empty()) {
        let is_relative = |part: &str| matches!(part, "" | "." | "..");
        if decoded(segment).split(['/', '\\']).any(is_relative) {
            return bad(format!(
                "is `{}`: a path has no empty parts, and no `.` or `..`",
                shown()
            ));
        }
        template.push('/');
        template.push_str(&segment_template(segment, input, params, &mut used)?);
    }
    if path.eq_ignore_ascii_case(GRAPHQL) || path.eq_ignore_ascii_case("api/graphql") {
        return bad("is that of GraphQL: use `github.graphql`".to_owned());
    }
    let unused = REPOSITORY
        .iter()
        .find(|name| input.get(**name).is_some_and(|it| !it.is_null()) && !used.contains(name));
    if let Some(unused) = unused {
        let problem = format!("is not in the path: write `{{{unused}}}` there");
        return Err(BadPart::new(unused, problem));
    }
    let mut names = params.into_iter().flat_map(Map::keys);
    if let Some(unused) = names.find(|name| !used.contains(&name.as_str())) {
        let problem = format!(
            "is not in the path: write `{{{unused}}}` there, or give it in `query` or `body`"
        );
        return Err(BadPart::new(&format!("params.{unused}"), problem));
    }
    if template.is_empty() {
        template.push('/');
    }
    Template::parse(&template).or_else(|error| bad(format!("is `{}`: {error}", shown())))
}

/// Returns one part of a path as a template.
fn segment_template<'a>(
    segment: &'a str,
    input: &Map<String, Value>,
    params: Option<&Map<String, Value>>,
    used: &mut Vec<&'a str>,
) -> Result<String, BadPart> {
    let mut template = String::new();
    let mut rest = segment;
    while let Some((plain, blank)) = rest.split_once('{') {
        template.push_str(&literal(plain)?);
        let Some((name, after)) = blank.split_once('}') else {
            let problem = "has a `{` that is never closed";
            return Err(BadPart::new("path", problem));
        };
        let (plus, name) = match name.strip_prefix('+') {
            Some(name) => ("+", name),
            None => ("", name),
        };
        let is_name = !name.is_empty()
            && !name.starts_with(|c: char| c.is_ascii_digit())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !is_name {
            let problem = format!("has the blank `{{{}}}`: expected a name", brief(name, 40));
            return Err(BadPart::new("path", problem));
        }
        let has = |values: Option<&Map<String, Value>>| {
            let value = values.and_then(|values| values.get(name));
            value.is_some_and(|value| !value.is_null())
        };
        if has(params) {
            template.push_str(&format!("{{{plus}$input.params.{name}}}"));
        } else if REPOSITORY.contains(&name) && has(Some(input)) {
            template.push_str(&format!("{{{plus}$input.{name}}}"));
        } else {
            let place = if REPOSITORY.contains(&name) {
                format!("give `{name}`")
            } else {
                format!("give it in `params`, as in `{{\"{name}\": …}}`")
            };
            let problem = format!("has `{{{name}}}`, which has no value: {place}");
            return Err(BadPart::new("path", problem));
        }
        used.push(name);
        rest = after;
    }
    template.push_str(&literal(rest)?);
    Ok(template)
}

/// Encodes what is written in a path. Parts that are encoded already stay as they are.
fn literal(text: &str) -> Result<String, BadPart> {
    if text.contains('}') {
        return Err(BadPart::new("path", "has a `}` that closes nothing"));
    }
    let mut encoded = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('%') {
        encoded.extend(utf8_percent_encode(before, ENCODED));
        let code = after.get(..2).unwrap_or_default();
        let is_code = code.len() == 2 && code.bytes().all(|byte| byte.is_ascii_hexdigit());
        encoded.push_str(if is_code { "%" } else { "%25" });
        rest = after;
    }
    encoded.extend(utf8_percent_encode(rest, ENCODED));
    Ok(encoded)
}

fn of_answer(field: &str) -> Path {
    Path {
        root: Root::This,
        segments: vec![Segment::Key(field.to_owned())],
    }
}
