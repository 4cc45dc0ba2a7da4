//! How fast things are remembered and found.

fn main() {
    divan::main();
}
