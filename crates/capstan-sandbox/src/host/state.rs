//! What `doctor` reports about the sandbox.

use crate::lockdown::{Layer, Layers};

/// Returns the layers that confine worker processes, and those that are missing.
pub(crate) fn process_layers(layers: Layers) -> (Vec<String>, Vec<String>) {
    let mut present = vec!["a process that can be killed".to_owned()];
    let mut missing = Vec::new();
    for layer in Layer::ALL {
        if layers.has(layer) {
            present.push(layer.description().to_owned());
        } else {
            missing.push(format!(
                "{}: {}",
                layer.description(),
                layer.effect_of_absence()
            ));
        }
    }
    (present, missing)
}

/// Returns the same for worker threads.
pub(crate) fn thread_layers() -> (Vec<String>, Vec<String>) {
    let present = ["an engine for every run", "the engine's own limits"];
    let missing = [
        "a separate process: a crash of the engine crashes this program, and so can very deeply \
         nested code",
        "interruption of native functions: a run that times out inside one is abandoned, but uses \
         the processor until the function returns",
    ];
    (
        present.map(str::to_owned).to_vec(),
        missing.map(str::to_owned).to_vec(),
    )
}
