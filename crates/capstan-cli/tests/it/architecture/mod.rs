//! What ARCHITECTURE.md and CONTRIBUTING.md say about the code holds: dependencies, headers, module files, paths.

mod dependencies;
mod headers;
mod module_files;
mod paths;
mod sources;
