//! Who asks twice does not want to wait.

use std::io::Write as _;
use std::net::TcpStream;

use super::server::Server;
use crate::cli::harness::Place;

#[test]
fn the_second_signal_ends_it_at_once() {
    let place = Place::new();
    let server = Server::start(&place, &[]);
    // Somebody is not done with asking, and would be waited for.
    let mut slow = TcpStream::connect(&server.address).unwrap();
    let head = format!(
        "POST /api/capabilities/issue.view/dependencies HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{{",
        server.address
    );
    slow.write_all(head.as_bytes()).unwrap();
    assert_eq!(server.get("/health").status, 200);
    server.send(&place, "-TERM");
    while TcpStream::connect(&server.address).is_ok() {
        std::thread::yield_now();
    }
    assert_eq!(server.stop(&place, "-INT"), Some(130));
}
