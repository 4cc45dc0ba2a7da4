//! A worker and nothing else, for the tests and benchmarks of the sandbox.

fn main() {
    capstan_sandbox::worker_main()
}
