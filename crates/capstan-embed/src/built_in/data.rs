//! The data of the model. Nothing is read at start: the bytes are pages of the binary, which are
//! loaded when a word needs them.

include!(concat!(env!("OUT_DIR"), "/model.rs"));

static MODEL: &[u8] = include_bytes!("../../../../model/model.safetensors");

pub(super) static VOCABULARY: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/vocabulary.bin"));

/// Returns the vector of a word as signed bytes, and the factor of all of them.
pub(super) fn row(id: u32) -> (&'static [u8; DIMENSION], f32) {
    let (rows, _) = MODEL[ROWS].as_chunks();
    let (weights, _) = MODEL[WEIGHTS].as_chunks();
    let id = id as usize;
    (&rows[id], f32::from_le_bytes(weights[id]))
}
