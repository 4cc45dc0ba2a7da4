//! A small HTTP server on loopback. A test says what it answers.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::Value;

/// A request as it arrived.
#[derive(Clone, Debug)]
pub(super) struct Received {
    pub(super) method: String,
    pub(super) path: String,
    pub(super) query: Vec<(String, String)>,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: String,
}

pub(super) struct Reply {
    pub(super) status: u16,
    pub(super) headers: Vec<(&'static str, String)>,
    pub(super) body: String,
}

impl Reply {
    pub(super) fn json(status: u16, body: &Value) -> Self {
        Self {
            status,
            headers: vec![("content-type", "application/json".to_owned())],
            body: body.to_string(),
        }
    }
}

impl Received {
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        let found = headers.find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    /// Returns the fields of a body that is a form.
    pub(super) fn form(&self) -> Vec<(String, String)> {
        pairs(&self.body)
    }
}

type Script = dyn Fn(&Received) -> Reply + Send + Sync;

pub(super) struct Server {
    pub(super) url: String,
    received: Arc<Mutex<Vec<Received>>>,
}

impl Server {
    pub(super) fn start(script: impl Fn(&Received) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let received = Arc::new(Mutex::new(Vec::new()));
        let (script, log): (Arc<Script>, _) = (Arc::new(script), Arc::clone(&received));
        // The thread ends with the process of the tests.
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (script, log) = (Arc::clone(&script), Arc::clone(&log));
                std::thread::spawn(move || serve(stream, &*script, &log));
            }
        });
        Self { url, received }
    }

    pub(super) fn received(&self) -> Vec<Received> {
        self.received.lock().unwrap().clone()
    }

    /// Returns the last request.
    pub(super) fn last(&self) -> Received {
        self.received().pop().unwrap()
    }
}

fn serve(stream: TcpStream, script: &Script, log: &Mutex<Vec<Received>>) {
    let mut reader = BufReader::new(stream);
    while let Some(request) = read(&mut reader) {
        log.lock().unwrap().push(request.clone());
        let reply = script(&request);
        let mut text = format!(
            "HTTP/1.1 {} Status\r\ncontent-length: {}\r\n",
            reply.status,
            reply.body.len()
        );
        for (name, value) in &reply.headers {
            text.push_str(&format!("{name}: {value}\r\n"));
        }
        text.push_str("\r\n");
        text.push_str(&reply.body);
        if reader.get_mut().write_all(text.as_bytes()).is_err() {
            return;
        }
    }
}

fn read(reader: &mut BufReader<TcpStream>) -> Option<Received> {
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let mut words = line.split(' ');
    let (method, target) = (words.next()?.to_owned(), words.next()?.to_owned());
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        match line.trim_end().split_once(':') {
            Some((name, value)) => headers.push((name.to_owned(), value.trim().to_owned())),
            None => break,
        }
    }
    let (path, query) = target.split_once('?').unwrap_or((&target, ""));
    let mut request = Received {
        method,
        path: path.to_owned(),
        query: pairs(query),
        headers,
        body: String::new(),
    };
    let length = request
        .header("content-length")
        .unwrap_or("0")
        .parse()
        .unwrap();
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    request.body = String::from_utf8(body).unwrap();
    Some(request)
}

fn pairs(text: &str) -> Vec<(String, String)> {
    let pairs = url::form_urlencoded::parse(text.as_bytes());
    pairs.into_owned().collect()
}
