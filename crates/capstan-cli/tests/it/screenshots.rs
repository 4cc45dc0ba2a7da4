//! The pictures of terminals in the documentation: each shows what the command prints now, at 80 columns.

use std::path::Path;

use anstyle_svg::Term;

use crate::cli::harness::Place;
use crate::documentation::update;
use crate::support::workspace;

const COLUMNS: u16 = 80;

/// What a picture is called, and what is typed for it.
const PICTURES: [(&str, &str); 4] = [
    ("skill-check", "check examples/skills/mistakes.yaml"),
    ("skill-order", "--skills skills skill order issue-brief"),
    (
        "skill-graph",
        "--skills skills skill graph pr-review-workflow",
    ),
    (
        "skill-run",
        "--demo --skills skills skill run user-with-permissions user_id=u-2",
    ),
];

/// With `UPDATE_DOCS` set, the pictures are drawn anew instead.
#[test]
fn every_picture_shows_what_is_printed() {
    let place = Place::new();
    for folder in ["skills", "examples/skills"] {
        copy(&place, folder);
    }
    let mut differing = Vec::new();
    for (name, typed) in PICTURES {
        let args: Vec<_> = typed.split_whitespace().collect();
        let (_, shown) = place.coloured_screen_at(COLUMNS, &args);
        let drawn = Term::new().render_svg(&format!("$ capstan {typed}\n{shown}"));
        let file = workspace().join(format!("docs/images/{name}.svg"));
        if std::fs::read_to_string(&file).ok().as_ref() == Some(&drawn) {
            continue;
        }
        differing.push(name);
        if update() {
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(&file, drawn).unwrap();
        }
    }
    assert!(
        differing.is_empty() || update(),
        "these show something else now (UPDATE_DOCS=1 draws them): {differing:?}"
    );
}

/// Whether what a command prints is shown as a picture.
pub(crate) fn has_picture(typed: &str) -> bool {
    let typed = typed.strip_prefix("capstan ");
    PICTURES.iter().any(|(_, of)| typed == Some(of))
}

#[test]
fn every_picture_is_in_the_documentation() {
    let page = std::fs::read_to_string(workspace().join("docs/skills.md")).unwrap();
    for (name, typed) in PICTURES {
        assert!(page.contains(&format!("(images/{name}.svg)")), "{name}");
        assert!(page.contains(&format!("capstan {typed}")), "{typed}");
    }
}

fn copy(place: &Place, folder: &str) {
    for entry in std::fs::read_dir(workspace().join(folder)).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap();
        let text = std::fs::read(&path).unwrap();
        place.write(Path::new(folder).join(name).to_str().unwrap(), text);
    }
}
