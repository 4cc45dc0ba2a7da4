//! A fingerprint that changes with the model, without reading ninety megabytes.

use std::fs::File;
use std::io::{Error, Read, Seek, SeekFrom};
use std::path::Path;

use sha2::{Digest, Sha256};

/// The files beside the weights that affect vectors. The last two may be missing.
const SMALL_FILES: [&str; 4] = [
    "config.json",
    "tokenizer.json",
    "sentence_bert_config.json",
    "1_Pooling/config.json",
];

/// How many samples of the weights are read. Training changes all numbers, so samples distinguish
/// models.
const SAMPLES: u64 = 64;
/// The size of a sample in bytes.
const SAMPLE_BYTES: u64 = 4096;

/// Returns the fingerprint; `None` if no model can be read.
pub(super) fn fingerprint(folder: &Path) -> Option<String> {
    let mut all = Sha256::new();
    for name in SMALL_FILES {
        let bytes = std::fs::read(folder.join(name)).unwrap_or_default();
        all.update(Sha256::digest(bytes));
    }
    sample(&folder.join("model.safetensors"), &mut all).ok()?;
    let bytes = all.finalize();
    Some(
        bytes[..6]
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect(),
    )
}

/// Hashes the first bytes, which name the tensors, and samples from everywhere.
fn sample(path: &Path, into: &mut Sha256) -> Result<(), Error> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    into.update(length.to_le_bytes());
    for number in 0..SAMPLES {
        let start = length.saturating_sub(SAMPLE_BYTES) * number / (SAMPLES - 1);
        file.seek(SeekFrom::Start(start))?;
        let mut bytes = Vec::new();
        (&mut file).take(SAMPLE_BYTES).read_to_end(&mut bytes)?;
        into.update(&bytes);
    }
    Ok(())
}
