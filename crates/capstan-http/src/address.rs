//! Which addresses stay on this machine.

use url::{Host, Url};

/// Whether an address stays on this machine: `localhost`, a name below it, or a loopback IP address.
pub fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(ip)) => ip.is_loopback(),
        Some(Host::Ipv6(ip)) => ip.is_loopback(),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(address: &str, expected: bool) {
        assert_eq!(
            is_loopback(&Url::parse(address).unwrap()),
            expected,
            "{address}"
        );
    }

    #[test]
    fn only_this_machine_is_loopback() {
        check("http://localhost:8080/x", true);
        check("https://LOCALHOST", true);
        check("http://api.localhost", true);
        check("http://127.0.0.1", true);
        check("http://127.9.9.9", true);
        check("http://[::1]:1", true);
        check("http://localhost.example.org", false);
        check("http://notlocalhost", false);
        check("http://10.0.0.1", false);
        check("http://0.0.0.0", false);
        check("http://[::2]", false);
        check("data:localhost", false);
    }
}
