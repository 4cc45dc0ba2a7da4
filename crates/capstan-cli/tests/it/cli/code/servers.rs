//! MCP servers for tests: a few lines of shell.

use std::os::unix::fs::PermissionsExt as _;

use serde_json::json;

use crate::cli::harness::{Place, program};

/// Answers like a server with two tools, and one that cannot be used.
const STATION: &str = r#"#!SHELL
while read -r line; do
  id=${line#*\"id\":}; id=${id%%[,\}]*}
  case $line in
    *'"initialize"'*) result='{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"weather-station","version":"1"}}' ;;
    *'"tools/list"'*) result='{"tools":[{"name":"forecast","description":"Tell the weather of a place","inputSchema":{"type":"object","properties":{"place":{"type":"string"},"days":{"type":"integer","default":3}},"required":["place"]}},{"name":"has blanks"},{"name":"alarm","description":"Sound the alarm","inputSchema":{"type":"object"}}]}' ;;
    *'"tools/call"'*) result='{"content":[{"type":"text","text":"sunny"}]}' ;;
    *'"notifications/'*) continue ;;
    *) printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"unknown"}}\n' "$id"; continue ;;
  esac
  printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$result"
done
"#;

/// A place whose configuration has a server that works, one that dies and one that says nothing.
pub(super) fn place() -> Place {
    let place = Place::new();
    let sh = program("sh").expect("a shell is installed");
    let sh = sh.to_str().unwrap();
    let station = place.path().join("station");
    std::fs::write(&station, STATION.replace("SHELL", sh)).unwrap();
    std::fs::set_permissions(&station, std::fs::Permissions::from_mode(0o755)).unwrap();
    let servers = json!({"mcpServers": {
        "weather": {"command": station},
        "dead": {"command": sh, "args": ["-c", "echo no luck >&2; exit 3"]},
        "mute": {"command": sh, "args": ["-c", "while read -r line; do :; done"]},
    }});
    std::fs::write(place.path().join("servers.json"), servers.to_string()).unwrap();
    place
}

/// The flags that make the servers known.
pub(super) fn flags(place: &Place) -> [String; 2] {
    let file = place.path().join("servers.json");
    ["--mcp-servers".to_owned(), file.display().to_string()]
}
