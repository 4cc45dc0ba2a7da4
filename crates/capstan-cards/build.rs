//! Packs the cards of the `cards` folder and the outlines of `catalogue/rest` into the crate. A bad one stops the build
//! with its place.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use capstan_catalog::outline::read_outlines;
use capstan_catalog::{Pack, pack, pack_outlines};

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
    let [cards, outlines] = ["cards", "catalogue/rest"].map(|folder| root.join(folder));
    for folder in [&cards, &outlines] {
        println!("cargo:rerun-if-changed={}", folder.display());
    }
    let described = read_outlines(&outlines)?;
    let source = |id: &str| described.get(id).map(|outline| outline.source.clone());
    let written = pack(&cards, source)?;
    let common = root.join("catalogue/common.txt");
    println!("cargo:rerun-if-changed={}", common.display());
    let common = std::fs::read_to_string(&common)
        .map_err(|cause| vec![format!("cannot read `{}`: {cause}", common.display())])?;
    let generated = pack_generated(&outlines, written.clone(), &common)?;
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
fn pack_generated(outlines: &Path, written: Vec<u8>, common: &str) -> Result<Vec<u8>, Vec<String>> {
    let written = Pack::from_bytes(written)
        .ok_or_else(|| vec!["the packed cards cannot be read".to_owned()])?;
    let is_taken = |id: &str| written.contains(id) || !written.with_name(id).is_empty();
    let common: BTreeSet<&str> = common.lines().collect();
    let packed = pack_outlines(outlines, is_taken, |source| common.contains(source))?;
    Ok(packed.pack)
}
