//! The id of a root field: what it is about, and what is done.

use capstan_catalog::outline::snake_case;

use super::operation::RootField;
use super::rules::GraphqlRules;
use crate::naming::is_id;
use crate::problem::Problem;
use crate::rules::lookup;

/// Returns the id of a root field, before other ids are considered.
pub(super) fn id_of(root: RootField<'_>, rules: &GraphqlRules) -> Result<String, Problem> {
    let id = match (lookup(&rules.ids, root.name()), &rules.service) {
        (Some(id), _) => id.clone(),
        (None, Some(service)) if rules.nouns.is_empty() => {
            format!(
                "{service}.{}",
                snake_case(root.name()).trim_start_matches('_')
            )
        }
        (None, _) => ruled_id(root, rules)?,
    };
    if is_id(&id) {
        Ok(id)
    } else {
        let message = format!("`{id}` is not an id: add one to `ids` in the rules");
        Err(Problem::new(root.name(), message))
    }
}

/// `closePullRequest` is about `PullRequest`, and what is done is `close`. Words after the noun belong to the verb.
fn ruled_id(root: RootField<'_>, rules: &GraphqlRules) -> Result<String, Problem> {
    let name = root.name();
    let start = name.find(|c: char| c.is_ascii_uppercase());
    let (verb, about) = name.split_at(start.unwrap_or(name.len()));
    let fitting = rules.nouns.iter().filter_map(|(words, noun)| {
        let rest = about.strip_prefix(words.as_str())?;
        let is_whole = rest.is_empty() || rest.starts_with(|c: char| c.is_ascii_uppercase());
        is_whole.then_some((words.len(), noun, rest))
    });
    let longest = fitting.max_by_key(|(length, ..)| *length);
    let Some((_, noun, rest)) = longest else {
        let message = format!("no noun of the rules fits `{about}`");
        return Err(Problem::new(name, message));
    };
    let verb = snake_case(verb);
    if rest.is_empty() {
        Ok(format!("{noun}.{verb}"))
    } else {
        Ok(format!("{noun}.{verb}_{}", snake_case(rest)))
    }
}
