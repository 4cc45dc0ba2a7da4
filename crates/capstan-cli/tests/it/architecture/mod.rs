//! What ARCHITECTURE.md and CONTRIBUTING.md say about the code holds: dependencies, libraries, layers
//! of modules, typed facts, headers, module files, paths.

mod dependencies;
mod details;
mod headers;
mod imports;
mod libraries;
mod module_cycles;
mod module_files;
mod paths;
mod sources;
