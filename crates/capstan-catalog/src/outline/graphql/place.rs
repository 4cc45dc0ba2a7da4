//! Places in an answer, with what has to be asked for to get there:
//! `repository(owner: $owner, name: $repo).issueOrPullRequest(number: $number).<Issue|PullRequest>.labels(first: 9).nodes[].name`.

/// A place in an answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) steps: Vec<PlaceStep>,
}

/// A step on the way to a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PlaceStep {
    Field {
        name: String,
        /// What stands between the parentheses.
        arguments: Option<String>,
        /// Whether the rest applies to each element of a list.
        is_each: bool,
    },
    /// The rest is asked only of values of these types.
    Types(Vec<String>),
}

impl PlaceStep {
    /// Returns a field without arguments.
    pub(super) fn named(name: &str) -> Self {
        Self::Field {
            name: name.to_owned(),
            arguments: None,
            is_each: false,
        }
    }

    /// Reads a step at the beginning of a text, and returns what follows it.
    fn parse(text: &str) -> Option<(Self, &str)> {
        if let Some(inside) = text.strip_prefix('<') {
            let (inner, rest) = inside.split_once('>')?;
            let types: Vec<String> = inner.split('|').map(str::to_owned).collect();
            let are_names = types.iter().all(|ty| !ty.is_empty() && name_at(ty) == ty);
            return are_names.then_some((Self::Types(types), rest));
        }
        let name = name_at(text);
        if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let mut rest = &text[name.len()..];
        let mut arguments = None;
        if let Some(inside) = rest.strip_prefix('(') {
            let (inner, after) = inside.split_once(')')?;
            arguments = Some(inner.to_owned());
            rest = after;
        }
        let is_each = rest.starts_with("[]");
        rest = rest.strip_prefix("[]").unwrap_or(rest);
        let name = name.to_owned();
        let field = Self::Field {
            name,
            arguments,
            is_each,
        };
        Some((field, rest))
    }
}

impl Place {
    /// Reads a place. `.` is the place where one is already.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let no_place = || format!("`{text}` is not a place in an answer");
        let mut steps = Vec::new();
        let mut rest = text.trim();
        if rest == "." {
            return Ok(Self::default());
        }
        loop {
            let (step, after) = PlaceStep::parse(rest).ok_or_else(no_place)?;
            steps.push(step);
            match after.strip_prefix('.') {
                Some(after) => rest = after,
                None if after.is_empty() => return Ok(Self { steps }),
                None => return Err(no_place()),
            }
        }
    }

    /// Returns the place of something in what is at this place.
    pub(super) fn then(&self, inner: &Self) -> Self {
        let steps = self.steps.iter().chain(&inner.steps);
        Self {
            steps: steps.cloned().collect(),
        }
    }

    /// Returns the path of an expression that reads the answer here.
    pub(super) fn path(&self) -> String {
        let fields = self.steps.iter().filter_map(|step| match step {
            PlaceStep::Field { name, is_each, .. } => {
                let each = if *is_each { "[]" } else { "" };
                Some(format!("{name}{each}"))
            }
            PlaceStep::Types(_) => None,
        });
        let fields: Vec<String> = fields.collect();
        if fields.is_empty() {
            ".".to_owned()
        } else {
            fields.join(".")
        }
    }

    /// Returns the variables that the arguments use, in their order.
    pub(super) fn variables(&self) -> Vec<&str> {
        let mut variables = Vec::new();
        for step in &self.steps {
            let PlaceStep::Field {
                arguments: Some(arguments),
                ..
            } = step
            else {
                continue;
            };
            for part in arguments.split('$').skip(1) {
                let name = name_at(part);
                if !name.is_empty() && !variables.contains(&name) {
                    variables.push(name);
                }
            }
        }
        variables
    }
}

/// Returns the name at the beginning of a text.
fn name_at(text: &str) -> &str {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let end = text.find(|c| !is_part(c)).unwrap_or(text.len());
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_says_what_to_ask_for() {
        let text = "repository(owner: $owner, name: $repo).issue(number: $n).<A|B>.labels(first: 9).nodes[].name";
        let place = Place::parse(text).unwrap();
        assert_eq!(place.path(), "repository.issue.labels.nodes[].name");
        assert_eq!(place.variables(), ["owner", "repo", "n"]);
        let types = ["A", "B"].map(str::to_owned).to_vec();
        assert_eq!(place.steps[2], PlaceStep::Types(types));
        assert_eq!(Place::parse(".").unwrap().path(), ".");
        assert_eq!(Place::parse("<A>.x").unwrap().path(), "x");
    }

    #[test]
    fn what_is_not_a_place_is_refused() {
        for text in [
            "", "a.", ".a", "a..b", "a b", "a(b", "a.<", "<>", "<B||C>.a", "1a", "a[", "é", "a<B>",
        ] {
            assert!(Place::parse(text).is_err(), "{text}");
        }
    }
}
