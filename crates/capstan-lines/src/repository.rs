//! Finds the repository of a call: from two inputs, from `owner/name`, from an address, or from the defaults.

use serde_json::{Map, Value};

use capstan_core::brief;

use crate::inputs::Inputs;

/// The length at which names and addresses in messages are cut.
const LONGEST: usize = 100;

/// Values for calls that do not name a repository.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Defaults {
    /// The owner and the name.
    pub repository: Option<(String, String)>,
}

/// A repository in a call, as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NamedRepository {
    pub owner: String,
    pub name: String,
    pub written: String,
}

/// Everything that a call says about its repository.
#[derive(Clone, Debug, Default)]
pub(crate) struct RepositoryMentions {
    /// The value of `repo`, and how it was written.
    repo_value: Option<(Value, String)>,
    named: Vec<NamedRepository>,
}

impl RepositoryMentions {
    /// Sets the value of `repo`, as the caller wrote it.
    pub(crate) fn set_repo_value(&mut self, value: Value, written: String) {
        self.repo_value = Some((value, written));
    }

    pub(crate) fn add_named(&mut self, named: NamedRepository) {
        self.named.push(named);
    }

    /// Sets `owner` and `repo` in the input. In a line, `owner/name` sets both wherever possible.
    pub(crate) fn fill_in(
        mut self,
        inputs: &Inputs<'_>,
        defaults: &Defaults,
        input: &mut Map<String, Value>,
        is_line: bool,
    ) -> Result<(), String> {
        if !inputs.have_repository() {
            return Ok(());
        }
        if let Some((value, written)) = self.repo_value.take() {
            let both = if inputs.reads_owner_and_name(input, is_line) {
                value.as_str().and_then(read)
            } else {
                None
            };
            if let Some(read) = both {
                let (owner, name) = read?;
                input.insert("repo".to_owned(), name.clone().into());
                let named = NamedRepository {
                    owner,
                    name,
                    written,
                };
                self.named.insert(0, named);
            } else {
                input.insert("repo".to_owned(), value);
            }
        }
        match self.named.split_first() {
            Some((first, others)) => first.fill(others, input),
            None => {
                defaults.fill(inputs, input);
                Ok(())
            }
        }
    }
}

impl Defaults {
    /// Sets required inputs that are missing.
    fn fill(&self, inputs: &Inputs<'_>, input: &mut Map<String, Value>) {
        let is_missing = |name: &str| inputs.is_required(name) && !input.contains_key(name);
        // Another service knows nothing of the repository on GitHub.
        if let Some((owner, name)) = &self.repository
            && inputs.card.service.is_none()
            && is_missing("owner")
            && is_missing("repo")
        {
            input.insert("owner".to_owned(), owner.as_str().into());
            input.insert("repo".to_owned(), name.as_str().into());
        }
    }
}

impl NamedRepository {
    /// Sets the inputs, unless something names another repository.
    fn fill(
        &self,
        others: &[NamedRepository],
        input: &mut Map<String, Value>,
    ) -> Result<(), String> {
        let is_other = |it: &&NamedRepository| {
            !is_same(&self.owner, &it.owner) || !is_same(&self.name, &it.name)
        };
        if let Some(other) = others.iter().find(is_other) {
            return Err(format!(
                "`{}` and `{}` name different repositories: give one",
                brief(&self.written, LONGEST),
                brief(&other.written, LONGEST)
            ));
        }
        for (key, value) in [("owner", &self.owner), ("repo", &self.name)] {
            let Some(given) = input.get(key) else {
                input.insert(key.to_owned(), value.as_str().into());
                continue;
            };
            let given = match given.as_str() {
                Some(given) => given.to_owned(),
                None => given.to_string(),
            };
            if !is_same(&given, value) {
                return Err(format!(
                    "`{key}` is `{}`, and `{}` names `{}/{}`: give one",
                    brief(&given, LONGEST),
                    brief(&self.written, LONGEST),
                    self.owner,
                    self.name
                ));
            }
        }
        Ok(())
    }
}

/// Parses `owner/name`, perhaps after `github.com/` or as an address. Returns `None` for other texts, and an
/// error for other hosts.
pub(crate) fn read(text: &str) -> Option<Result<(String, String), String>> {
    if let Some(address) = Address::parse(text) {
        let is_whole = address.rest.is_empty();
        return is_whole.then(|| address.on_github(text).map(Address::repository));
    }
    let parts: Vec<_> = text.split('/').collect();
    match parts[..] {
        [owner, name] if is_owner(owner) && is_part(name) => {
            Some(Ok((owner.to_owned(), name.to_owned())))
        }
        [host, owner, name]
            if host.contains('.') && is_part(host) && is_owner(owner) && is_part(name) =>
        {
            Some(if is_github(host) {
                Ok((owner.to_owned(), name.to_owned()))
            } else {
                Err(elsewhere(text, host))
            })
        }
        _ => None,
    }
}

/// Whether a text can be the name of a repository or of an owner.
pub(crate) fn is_part(text: &str) -> bool {
    !text.is_empty()
        && text
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b))
        && text.bytes().any(|b| b != b'.')
}

/// An address of something in a repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Address<'a> {
    host: &'a str,
    owner: &'a str,
    name: &'a str,
    /// The path segments after the repository, without `?` and `#`.
    pub rest: Vec<&'a str>,
}

impl<'a> Address<'a> {
    pub(crate) fn parse(text: &'a str) -> Option<Self> {
        let schemes = ["https://", "http://"].into_iter();
        let path = schemes
            .filter_map(|scheme| text.strip_prefix(scheme))
            .next();
        let path = path.or_else(|| {
            let is_bare = text.starts_with("github.com/") && text.matches('/').count() > 2;
            is_bare.then_some(text)
        })?;
        let path = path.split(['?', '#']).next()?;
        let mut parts = path.split('/').filter(|part| !part.is_empty());
        let (host, owner, name) = (parts.next()?, parts.next()?, parts.next()?);
        (is_owner(owner) && is_part(name)).then(|| Self {
            host,
            owner,
            name: name.strip_suffix(".git").unwrap_or(name),
            rest: parts.collect(),
        })
    }

    pub(crate) fn on_github(self, text: &str) -> Result<Self, String> {
        if is_github(self.host) {
            Ok(self)
        } else {
            Err(elsewhere(text, self.host))
        }
    }

    pub(crate) fn repository(self) -> (String, String) {
        (self.owner.to_owned(), self.name.to_owned())
    }
}

impl Inputs<'_> {
    /// Whether `owner/name` in `repo` means owner and name, and is not the name of a repository with a slash.
    fn reads_owner_and_name(&self, input: &Map<String, Value>, is_line: bool) -> bool {
        let has_owner = input.contains_key("owner");
        let refuses_slash = self.keyword("repo", "pattern").is_some();
        refuses_slash || !has_owner && (is_line || self.is_required("owner"))
    }
}

fn is_owner(text: &str) -> bool {
    is_part(text) && !text.starts_with(['-', '.'])
}

fn is_github(host: &str) -> bool {
    ["github.com", "www.github.com"]
        .iter()
        .any(|it| it.eq_ignore_ascii_case(host))
}

fn is_same(left: &str, right: &str) -> bool {
    left.eq_ignore_ascii_case(right)
}

fn elsewhere(text: &str, host: &str) -> String {
    let (text, host) = (brief(text, LONGEST), brief(host, LONGEST));
    format!("`{text}` is on `{host}`: only github.com can be reached from here")
}
