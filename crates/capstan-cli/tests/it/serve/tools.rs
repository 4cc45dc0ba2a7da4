//! Tools have the names that others chose; in an address they are written with percent signs.

use std::os::unix::fs::PermissionsExt as _;

use serde_json::json;

use super::server::Server;
use crate::cli::harness::{Place, program};

/// Answers like a server with three tools.
const SERVER: &str = r#"#!SHELL
while read -r line; do
  id=${line#*\"id\":}; id=${id%%[,\}]*}
  case $line in
    *'"initialize"'*) result='{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"files","version":"1"}}' ;;
    *'"tools/list"'*) result='{"tools":[{"name":"read/all","inputSchema":{"type":"object"}},{"name":"note:add","inputSchema":{"type":"object"}},{"name":"v1.get","inputSchema":{"type":"object"}}]}' ;;
    *'"notifications/'*) continue ;;
    *) printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"unknown"}}\n' "$id"; continue ;;
  esac
  printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$result"
done
"#;

#[test]
fn names_of_tools_are_written_with_percent_signs() {
    let place = Place::new();
    let sh = program("sh").expect("a shell is installed");
    let script = place.write("files", SERVER.replace("SHELL", sh.to_str().unwrap()));
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    let servers = json!({"mcpServers": {"files": {"command": script}}});
    let servers = place.write("servers.json", servers.to_string());
    let server = Server::start(&place, &["--mcp-servers", servers.to_str().unwrap()]);

    for tool in ["files.read/all", "files.note:add", "files.v1.get"] {
        let written = tool.replace('/', "%2F").replace(':', "%3A");
        let made = server.relate(&written, "issue.view", "sequence");
        assert_eq!(made.status, 201, "{made:?}");
        assert_eq!(made.json()["dependency"]["from_capability_id"], tool);
        let one = format!("/api/capabilities/{written}/dependencies/issue.view");
        assert_eq!(made.header("location"), Some(&*one));
        let back = server.relate("issue.view", tool, "alternative");
        assert_eq!(back.status, 201, "{back:?}");
        let list = server.json(&format!("/api/capabilities/{written}/dependencies"));
        assert_eq!(
            (&list["capability_id"], &list["total"]),
            (&json!(tool), &json!(2))
        );
        let near = server.json(&format!("/api/graph/neighbors?capability={written}"));
        assert_eq!(near["neighbors"][0]["id"], "issue.view");
        let gone = server.ask(&format!("DELETE {one}"), &[], "");
        assert_eq!(gone.status, 200, "{gone:?}");
    }
    let tools = server.json("/api/capabilities?kind=tool&domain=files");
    assert_eq!(tools["total"], 3);
    assert_eq!(tools["capabilities"][0]["dependencies_count"], 1);
}
