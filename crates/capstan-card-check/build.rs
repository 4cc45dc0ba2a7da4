//! Compresses the pinned schema into the crate. Otherwise every binary would contain 0.4 MB of
//! text.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schema");
    #[expect(
        clippy::disallowed_methods,
        reason = "cargo tells build scripts where to write this way"
    )]
    let out = std::env::var_os("OUT_DIR").map(PathBuf::from);
    let out = out.ok_or("OUT_DIR is not set: run this through cargo")?;
    for name in ["github.graphql", "extensions.graphql"] {
        let file = folder.join(name);
        println!("cargo:rerun-if-changed={}", file.display());
        let text = std::fs::read(&file).map_err(|cause| format!("{}: {cause}", file.display()))?;
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(&text)?;
        std::fs::write(out.join(format!("{name}.gz")), encoder.finish()?)?;
    }
    Ok(())
}
