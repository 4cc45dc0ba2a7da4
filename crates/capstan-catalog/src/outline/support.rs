//! Tells which outlines cannot be run. All of GitHub's can; services other than GitHub only answer with JSON, and only
//! get JSON.

use super::files::is_file;
use super::raw::Outline;

/// Returns why Capstan cannot run the operation of an outline, or `None` if it can.
pub fn unsupported(outline: &Outline) -> Option<&'static str> {
    outline.service.as_ref()?;
    let has_raw_body = outline.body.as_deref().is_some_and(|body| {
        let kind = body.split(' ').next();
        kind == Some("raw")
    });
    if has_raw_body {
        Some("its body is not JSON")
    } else if outline.host.is_some() {
        Some("it is at another host than the rest of the API")
    } else if is_file(outline) {
        Some("its answer is a file")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::raw::RawAnswer;
    use super::{Outline, unsupported};

    fn unusual() -> [Outline; 3] {
        [
            Outline {
                body: Some("raw data".to_owned()),
                ..Outline::default()
            },
            Outline {
                host: Some("uploads.example.com".to_owned()),
                ..Outline::default()
            },
            Outline {
                answer: Some(RawAnswer::Redirect),
                ..Outline::default()
            },
        ]
    }

    #[test]
    fn everything_of_github_can_be_run() {
        for outline in unusual() {
            assert_eq!(unsupported(&outline), None, "{outline:?}");
        }
    }

    #[test]
    fn services_only_know_json() {
        let service = Some("gitlab".to_owned());
        for outline in unusual() {
            let outline = Outline {
                service: service.clone(),
                ..outline
            };
            assert!(unsupported(&outline).is_some(), "{outline:?}");
        }
        let usual = Outline {
            service,
            body: Some("list labels".to_owned()),
            answer: Some(RawAnswer::Text),
            ..Outline::default()
        };
        assert_eq!(unsupported(&usual), None);
    }
}
