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
        "a process of its own: an error of the engine is an error of this program, and code that is \
         nested very deeply can end it",
        "an end for native functions: a run that is over its time inside of one is given up, but \
         uses the processor until it is done",
    ];
    (
        present.map(str::to_owned).to_vec(),
        missing.map(str::to_owned).to_vec(),
    )
}
