//! `cap.share`: sets who may see and call a capability.

use serde_json::{Value, json};

use capstan_core::card::Operation;
use capstan_core::code::Visibility;
use capstan_core::{ErrorCode, ResultError};

use super::rename;
use crate::capability::store_error;
use crate::local::action::{Action, ActionFailure, ActionOutput, Work};
use crate::local::{input, view};

pub(in crate::local) const ACTION: Action = Action {
    id: "cap.share",
    description: "Set who sees a code capability: private, project, org or public",
    operation: Operation::Write,
    input: || {
        let properties = json!({
            "capability": input::code_name_schema(),
            "visibility": {"enum": ["private", "project", "org", "public"]},
        });
        (properties, &["capability", "visibility"])
    },
    example: || json!({"capability": "triage-report", "visibility": "org"}),
    intents: &[
        "share a capability with my team",
        "make a capability public",
        "make a capability private",
        "change the visibility of a capability",
        "let other projects use my code",
        "hide my script from others",
        "publish a capability to the org",
        "stop sharing my code",
    ],
    run: |work| Box::pin(run(work)),
};

async fn run(work: Work<'_>) -> Result<ActionOutput, ActionFailure> {
    let known = work.own("capability").await?.record;
    let visibility = input::visibility(work.input).unwrap_or_default();
    if known.visibility == visibility {
        return Ok(rename::unchanged(&known));
    }
    if visibility == Visibility::Private && known.owner != work.viewer().user {
        let message = format!(
            "`{}` belongs to {}, and only they can make it private; choose `project`, `org` or `public`",
            known.name, known.owner
        );
        return Err(ResultError::new(ErrorCode::Policy, message).into());
    }
    let shared = work
        .store
        .set_visibility(&known.fqdn, visibility, work.now());
    let mut data = view::names(&shared.await.map_err(|error| store_error(&error))?);
    data.insert("changed".to_owned(), true.into());
    Ok(Value::Object(data).into())
}
