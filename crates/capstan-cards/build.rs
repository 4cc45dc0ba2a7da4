//! Packs the cards of the `cards` folder into the crate. A bad card stops the build with its place.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn main() -> ExitCode {
    let cards = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cards");
    println!("cargo:rerun-if-changed={}", cards.display());
    let packed = match capstan_catalog::pack(&cards) {
        Ok(packed) => packed,
        Err(problems) => {
            for problem in problems {
                println!("cargo:error={problem}");
            }
            return ExitCode::FAILURE;
        }
    };
    #[expect(
        clippy::disallowed_methods,
        reason = "cargo tells build scripts where to write this way"
    )]
    let Some(out) = std::env::var_os("OUT_DIR").map(PathBuf::from) else {
        println!("cargo:error=OUT_DIR is not set: run this through cargo");
        return ExitCode::FAILURE;
    };
    match std::fs::write(out.join("cards.pack"), packed) {
        Ok(()) => ExitCode::SUCCESS,
        Err(cause) => {
            println!("cargo:error=cannot write the packed cards: {cause}");
            ExitCode::FAILURE
        }
    }
}
