//! An operation of an API.

use super::Schema;

/// An operation: a method and a path, with everything that the description says about it.
#[derive(Clone, Debug)]
pub(crate) struct Operation {
    /// Where it is described, as a JSON pointer.
    pub(crate) pointer: String,
    pub(crate) id: String,
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) summary: String,
    pub(crate) description: String,
    pub(crate) tags: Vec<String>,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) body: Option<Body>,
    pub(crate) answers: Vec<Answer>,
    /// The address of the server, if it is another than that of the rest.
    pub(crate) server: Option<String>,
    pub(crate) is_deprecated: bool,
    /// The date of its removal.
    pub(crate) removal: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Method {
    Get,
    Post,
    Put,
    Patch,
    Delete,
}

#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub(crate) pointer: String,
    pub(crate) name: String,
    pub(crate) place: Place,
    pub(crate) is_required: bool,
    /// Whether its value may have slashes, which stay as they are.
    pub(crate) has_slashes: bool,
    /// How a list or an object is written, if the description says so.
    pub(crate) style: ValueStyle,
    /// The largest value, if it is a number.
    pub(crate) maximum: Option<u64>,
    pub(crate) schema: Schema,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Path,
    Query,
    Header,
    Cookie,
}

/// How a list or an object becomes parameters or fields of a form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ValueStyle {
    pub(crate) name: Option<String>,
    pub(crate) explode: Option<bool>,
}

#[derive(Clone, Debug)]
pub(crate) struct Body {
    pub(crate) pointer: String,
    /// Media types in the order of the description.
    pub(crate) media: Vec<(String, Schema)>,
    pub(crate) is_required: bool,
    /// How fields of a form are written, where the description says so.
    pub(crate) styles: Vec<(String, ValueStyle)>,
    /// What the description calls a body that is not an object.
    pub(crate) name: Option<String>,
}

/// An answer to be expected.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    /// Whether it says in a header where the next page is.
    pub(crate) has_link: bool,
    /// Media types in the order of the description.
    pub(crate) media: Vec<(String, Schema)>,
}

impl Method {
    pub(crate) const ALL: [Self; 5] = [Self::Get, Self::Post, Self::Put, Self::Patch, Self::Delete];

    /// Returns the method as descriptions write it.
    pub(crate) fn key(self) -> &'static str {
        match self {
            Self::Get => "get",
            Self::Post => "post",
            Self::Put => "put",
            Self::Patch => "patch",
            Self::Delete => "delete",
        }
    }

    /// Returns the method as requests write it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Patch => "PATCH",
            Self::Delete => "DELETE",
        }
    }
}

impl Operation {
    pub(crate) fn has_status(&self, status: u16) -> bool {
        self.answers.iter().any(|answer| answer.status == status)
    }

    /// Returns the answer to a request that was successful and has content.
    pub(crate) fn content(&self) -> Option<&Answer> {
        let mut successes = self.answers.iter().filter(|answer| answer.is_success());
        successes.find(|answer| !answer.media.is_empty())
    }

    /// Returns the schema of a successful answer in JSON.
    pub(crate) fn json_answer(&self) -> Option<&Schema> {
        json(&self.content()?.media)
    }

    pub(crate) fn parameter(&self, place: Place, name: &str) -> Option<&Parameter> {
        let mut parameters = self.parameters.iter();
        parameters.find(|parameter| parameter.place == place && parameter.name == name)
    }
}

impl Answer {
    pub(crate) fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }
}

impl Body {
    pub(crate) fn json(&self) -> Option<&Schema> {
        json(&self.media)
    }
}

fn json(media: &[(String, Schema)]) -> Option<&Schema> {
    let found = media.iter().find(|(name, _)| name == "application/json");
    let found = found.or_else(|| media.iter().find(|(name, _)| is_json(name)));
    found.map(|(_, schema)| schema)
}

/// Returns whether a media type is JSON, also in a form of its own, such as `application/vnd.api+json`.
pub(crate) fn is_json(media_type: &str) -> bool {
    let plain = media_type.split(';').next().unwrap_or_default().trim();
    let plain = plain.to_ascii_lowercase();
    plain == "application/json" || plain.ends_with("+json") || plain == "*/*"
}
