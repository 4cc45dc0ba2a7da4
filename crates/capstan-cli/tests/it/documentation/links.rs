//! Every link between pages leads somewhere.

use std::path::Path;

use super::pages::pages;

#[test]
fn every_link_between_pages_leads_somewhere() {
    let mut broken = Vec::new();
    for page in pages() {
        let text = std::fs::read_to_string(&page).unwrap();
        for link in text.split("](").skip(1) {
            let link = link.split(')').next().unwrap_or_default();
            if link.contains("://") {
                continue;
            }
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            let target = match file {
                "" => page.clone(),
                file => page.parent().unwrap().join(file),
            };
            let found = target.exists()
                && (heading.is_empty() || anchors(&target).iter().any(|anchor| anchor == heading));
            if !found {
                broken.push(format!("{}: {link}", page.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
}

/// The anchors of a page's headings, as GitHub makes them.
fn anchors(page: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(page).unwrap_or_default();
    let headings = text.lines().filter(|line| line.starts_with('#'));
    headings
        .map(|line| {
            let words = line.trim_start_matches('#').trim().to_lowercase();
            let kept = words
                .chars()
                .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
            kept.collect::<String>().replace(' ', "-")
        })
        .collect()
}
