//! Packs the cards of the `cards` folder and the outlines of the `catalogue` folder into the crate. A bad one stops the build
//! with its place.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use capstan_catalog::outline::{Outline, read_outlines};
use capstan_catalog::{Pack, pack, pack_outlines};
use indexmap::IndexMap;

fn main() -> ExitCode {
    match build() {
        Ok(()) => ExitCode::SUCCESS,
        Err(problems) => {
            for problem in problems {
                println!("cargo:error={problem}");
            }
            ExitCode::FAILURE
        }
    }
}

fn build() -> Result<(), Vec<String>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let [cards, rest, graphql] =
        ["cards", "catalogue/rest", "catalogue/graphql"].map(|folder| root.join(folder));
    for folder in [&cards, &rest, &graphql] {
        println!("cargo:rerun-if-changed={}", folder.display());
    }
    let mut outlines = read_outlines(&rest)?;
    for (id, outline) in read_outlines(&graphql)? {
        if outlines.insert(id.clone(), outline).is_some() {
            return Err(vec![format!("two outlines have the id `{id}`")]);
        }
    }
    let outlined: BTreeSet<&str> = outlines
        .values()
        .map(|outline| outline.source.as_str())
        .collect();
    let source = |name: &str| match name.strip_prefix("mutation ") {
        // The card covers the mutation if it has no outline.
        Some(mutation) => (!outlined.contains(mutation)).then(|| mutation.to_owned()),
        None => outlines.get(name).map(|outline| outline.source.clone()),
    };
    let written = pack(&cards, source)?;
    let common = root.join("catalogue/common.txt");
    println!("cargo:rerun-if-changed={}", common.display());
    let common = std::fs::read_to_string(&common)
        .map_err(|cause| vec![format!("cannot read `{}`: {cause}", common.display())])?;
    let generated = pack_generated(outlines, written.clone(), &common)?;
    #[expect(
        clippy::disallowed_methods,
        reason = "cargo tells build scripts where to write this way"
    )]
    let out = std::env::var_os("OUT_DIR").map(PathBuf::from);
    let out = out.ok_or_else(|| vec!["OUT_DIR is not set: run this through cargo".to_owned()])?;
    for (file, packed) in [("cards.pack", written), ("generated.pack", generated)] {
        std::fs::write(out.join(file), packed)
            .map_err(|cause| vec![format!("cannot write `{file}`: {cause}")])?;
    }
    Ok(())
}

/// Packs the outlines that take no id and no name of a written card. `common` has a line for each operation that people
/// often need.
fn pack_generated(
    outlines: IndexMap<String, Outline>,
    written: Vec<u8>,
    common: &str,
) -> Result<Vec<u8>, Vec<String>> {
    let written = Pack::from_bytes(written)
        .ok_or_else(|| vec!["the packed cards cannot be read".to_owned()])?;
    let is_taken = |id: &str| written.contains(id) || !written.with_name(id).is_empty();
    let common: BTreeSet<&str> = common.lines().collect();
    let packed = pack_outlines(outlines, is_taken, |source| common.contains(source))?;
    Ok(packed.pack)
}
