//! The key under which the tools of a server are remembered: another configuration may have other
//! tools.

use std::fmt::Write as _;

use capstan_core::Redactor;
use serde_json::json;
use sha2::{Digest, Sha256};

use super::secrecy::is_secret_name;
use super::{ServerConfig, Transport};

/// Hashes what a server is started with. Secrets are left out, so that nobody can find one by
/// guessing; another secret does not change the tools.
pub(crate) fn fingerprint(config: &ServerConfig) -> String {
    let shown = |(name, value): &(String, capstan_core::Secret)| {
        let value = (!is_secret_name(name)).then(|| value.expose().to_owned());
        json!([name, value])
    };
    let content = match &config.transport {
        Transport::Stdio {
            command,
            args,
            env,
            cwd,
        } => json!({
            "command": command,
            "args": args,
            "env": env.iter().map(shown).collect::<Vec<_>>(),
            "cwd": cwd,
        }),
        Transport::Http { url, headers } => json!({
            "url": url.as_str(),
            "headers": headers.iter().map(shown).collect::<Vec<_>>(),
        }),
    };
    let content = content.to_string();
    let masked = Redactor::new(config.secrets());
    let hash = Sha256::digest(masked.text(&content).as_bytes());
    let mut hex = String::with_capacity(2 * hash.len());
    for byte in hash {
        // Writing to a string cannot fail.
        let _ = write!(hex, "{byte:02x}");
    }
    hex
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::ServerName;
    use capstan_core::Secret;

    fn with(args: &[&str], env: &[(&str, &str)]) -> String {
        let transport = Transport::Stdio {
            command: "node".to_owned(),
            args: args.iter().map(|arg| (*arg).to_owned()).collect(),
            env: env
                .iter()
                .map(|(name, value)| ((*name).to_owned(), Secret::new(*value)))
                .collect(),
            cwd: None,
        };
        let name = ServerName::parse("x").unwrap();
        fingerprint(&ServerConfig::new(name, transport))
    }

    #[test]
    fn another_configuration_is_another_fingerprint_but_another_secret_is_not() {
        let plain = with(&["a"], &[("TOOLS", "all")]);
        assert_eq!(plain.len(), 64);
        assert_ne!(plain, with(&["b"], &[("TOOLS", "all")]));
        assert_ne!(plain, with(&["a"], &[("TOOLS", "few")]));
        let secret = with(&["a"], &[("API_KEY", "one-of-many")]);
        assert_eq!(secret, with(&["a"], &[("API_KEY", "another-one")]));
    }
}
