//! The cards that people wrote, as far as the generator has to know them.

use std::path::Path;

use capstan_catalog::files::find_yaml_files;

/// Returns the ids of the cards in a folder: `issue/labels.add.yaml` has the id `issue.labels.add`.
pub fn ids_of_cards(folder: &Path) -> Vec<String> {
    let found = find_yaml_files(folder);
    let ids = found.files.iter().filter_map(|file| {
        let place = file.strip_prefix(folder).ok()?.with_extension("");
        let words: Vec<_> = place.iter().map(|word| word.to_string_lossy()).collect();
        Some(words.join("."))
    });
    ids.collect()
}
