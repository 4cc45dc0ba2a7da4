//! Prepares the model in the `model` folder to be compiled in: packs its vocabulary, and records
//! where the vectors are in its file. An unsuitable model stops the build.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use safetensors::{Dtype, SafeTensors};
use serde_json::Value;
use sha2::{Digest, Sha256};

#[path = "src/wordpiece"]
#[expect(dead_code, reason = "reading models when running needs more of it")]
mod wordpiece {
    pub(crate) mod pack;
    pub(crate) mod tokenizer_file;
}

use wordpiece::pack::pack;
use wordpiece::tokenizer_file::TokenizerFile;

fn main() -> ExitCode {
    match build() {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            println!("cargo:error=the model cannot be compiled in: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn build() -> Result<(), String> {
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../model");
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=src/wordpiece");
    let read = |name: &str| {
        let path = model.join(name);
        println!("cargo:rerun-if-changed={}", path.display());
        std::fs::read(&path).map_err(|why| format!("{}: {why}", path.display()))
    };
    let files = [
        read("model.safetensors")?,
        read("tokenizer.json")?,
        read("config.json")?,
    ];
    let [tensors, tokenizer, config] = &files;
    let tokenizer =
        TokenizerFile::read(tokenizer).map_err(|why| format!("tokenizer.json: {why}"))?;
    let config: Value =
        serde_json::from_slice(config).map_err(|why| format!("config.json: {why}"))?;
    if config["normalize"] != true {
        return Err("config.json: `normalize` is not true".to_owned());
    }
    let code = constants(&files, tensors, &tokenizer)?;
    #[expect(
        clippy::disallowed_methods,
        reason = "cargo tells build scripts where to write this way"
    )]
    let out = std::env::var_os("OUT_DIR").map(PathBuf::from);
    let out = out.ok_or("OUT_DIR is not set: run this through cargo")?;
    let write = |name: &str, bytes: &[u8]| {
        std::fs::write(out.join(name), bytes).map_err(|why| format!("cannot write {name}: {why}"))
    };
    write("vocabulary.bin", &pack(&tokenizer.words))?;
    write("model.rs", code.as_bytes())
}

/// Returns Rust code with the positions and sizes as constants.
fn constants(files: &[Vec<u8>], file: &[u8], tokenizer: &TokenizerFile) -> Result<String, String> {
    let tensors =
        SafeTensors::deserialize(file).map_err(|why| format!("model.safetensors: {why}"))?;
    let words = tokenizer.words.len();
    let mut code = String::new();
    let mut place = |name: &str, constant: &str, dtype: Dtype| {
        let tensor = tensors
            .tensor(name)
            .map_err(|why| format!("model.safetensors: {why}"))?;
        let shape = tensor.shape().to_vec();
        if tensor.dtype() != dtype || shape.first() != Some(&words) {
            return Err(format!(
                "model.safetensors: `{name}` is {:?} {shape:?}, not {dtype:?} with {words} rows",
                tensor.dtype()
            ));
        }
        let start = tensor.data().as_ptr() as usize - file.as_ptr() as usize;
        let range = start..start + tensor.data().len();
        let _ = writeln!(
            code,
            "pub(super) const {constant}: std::ops::Range<usize> = {range:?};"
        );
        Ok(shape)
    };
    place("weights", "WEIGHTS", Dtype::F32)?;
    let [_, dimension] = place("embeddings", "ROWS", Dtype::I8)?[..] else {
        return Err("model.safetensors: `embeddings` is not a table".to_owned());
    };
    let name = format!("capstan-static-{dimension}-{}", fingerprint(files));
    let _ = write!(
        code,
        "pub(super) const DIMENSION: usize = {dimension};\n\
         pub(super) const NAME: &str = {name:?};\n\
         pub(super) const UNKNOWN: u32 = {};\n\
         pub(super) const SPECIALS: &[u32] = &{:?};\n\
         pub(super) const MEDIAN_LENGTH: usize = {};\n",
        tokenizer.unknown,
        tokenizer.specials,
        median_length(&tokenizer.words),
    );
    Ok(code)
}

/// Returns the median length of the words. Texts are truncated by it before they are tokenized, as
/// model2vec does.
fn median_length(words: &[String]) -> usize {
    let mut lengths: Vec<_> = words.iter().map(String::len).collect();
    lengths.sort_unstable();
    lengths.get(lengths.len() / 2).copied().unwrap_or(1)
}

/// Returns a fingerprint that changes whenever a file changes.
fn fingerprint(files: &[Vec<u8>]) -> String {
    let mut all = Sha256::new();
    for file in files {
        all.update(Sha256::digest(file));
    }
    let bytes = all.finalize();
    bytes[..6]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}
