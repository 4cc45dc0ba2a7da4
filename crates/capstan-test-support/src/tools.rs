//! Finds the programs that `make tools` installs.

use std::path::{Path, PathBuf};

/// Returns the path of a program in the tools folder. Panics if it is not there.
pub fn tool(path: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.tools");
    let program = folder.join(path);
    assert!(
        program.exists(),
        "there is no {}: run `make tools` first",
        program.display()
    );
    program
}

/// Returns the script of the public MCP server `server-everything`, which Node runs.
pub fn everything_server() -> PathBuf {
    tool("mcp-everything/node_modules/@modelcontextprotocol/server-everything/dist/index.js")
}

/// Returns the script of the TypeScript compiler, which Node runs.
pub fn typescript_compiler() -> PathBuf {
    tool("typescript/node_modules/typescript/bin/tsc")
}

/// Returns GitHub's description of its REST API.
pub fn rest_description() -> PathBuf {
    tool("openapi/node_modules/@octokit/openapi/generated/api.github.com.json")
}

/// Returns Stripe's description of its REST API.
pub fn stripe_description() -> PathBuf {
    tool("services/stripe.openapi.json")
}

/// Returns the answer to an introspection query of Shopify's Storefront API.
pub fn shopify_introspection() -> PathBuf {
    tool("services/shopify.introspection.json")
}

/// Returns the Python interpreter that has a client for Agent Skills installed.
pub fn skills_client() -> PathBuf {
    tool("skills-client/bin/python")
}
