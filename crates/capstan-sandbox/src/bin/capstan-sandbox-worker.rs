//! A worker and nothing else: what the tests and benchmarks of the sandbox start.

fn main() {
    capstan_sandbox::worker_main()
}
