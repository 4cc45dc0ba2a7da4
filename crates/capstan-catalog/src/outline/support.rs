//! Tells which outlines cannot be run yet.

use super::raw::{Outline, RawAnswer};

/// Returns why Capstan cannot run the operation of an outline yet, or `None` if it can.
pub fn unsupported(outline: &Outline) -> Option<&'static str> {
    let has_raw_body = outline.body.as_deref().is_some_and(|body| {
        let kind = body.split(' ').next();
        kind == Some("raw")
    });
    if has_raw_body {
        Some("its body is not JSON")
    } else if outline.host.is_some() {
        Some("it is at another host than the rest of the API")
    } else if outline.service.is_some()
        && matches!(outline.answer, Some(RawAnswer::Redirect | RawAnswer::Log))
    {
        Some("its answer is a file")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::{Outline, RawAnswer, unsupported};

    #[test]
    fn only_what_cannot_be_run_is_unsupported() {
        let text = |text: &str| Some(text.to_owned());
        let supported = [
            Outline::default(),
            Outline {
                body: text("list labels"),
                ..Outline::default()
            },
            Outline {
                sealed: text("value"),
                ..Outline::default()
            },
            Outline {
                answer: Some(RawAnswer::Text),
                ..Outline::default()
            },
            Outline {
                answer: Some(RawAnswer::Redirect),
                ..Outline::default()
            },
        ];
        for outline in supported {
            assert_eq!(unsupported(&outline), None, "{outline:?}");
        }
        let others = [
            Outline {
                body: text("raw data"),
                ..Outline::default()
            },
            Outline {
                host: text("uploads.github.com"),
                ..Outline::default()
            },
            Outline {
                service: text("gitlab"),
                answer: Some(RawAnswer::Redirect),
                ..Outline::default()
            },
        ];
        for outline in others {
            assert!(unsupported(&outline).is_some(), "{outline:?}");
        }
    }
}
