//! A hand-written HTTP server that performs the actions of a test, byte by byte.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::time::{Duration, sleep};

/// What the server does after it has read a request.
#[derive(Clone, Debug)]
pub(crate) enum Action {
    Send(Vec<u8>),
    /// Sends spaces, one at a time, until the client disconnects.
    Drip,
    /// Sends nothing until the client disconnects.
    Hang,
    Close,
    Reset,
}

/// A request as it arrived.
#[derive(Clone, Debug)]
pub(crate) struct ReceivedRequest {
    /// The number of the connection on which it arrived, from 0.
    pub(crate) connection: usize,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl ReceivedRequest {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().skip(1).find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }

    pub(crate) fn line(&self) -> &str {
        self.head.lines().next().unwrap_or_default()
    }
}

pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    seen: Arc<Mutex<Vec<ReceivedRequest>>>,
    counts: watch::Receiver<Counts>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    requests: usize,
    opened: usize,
    ended: usize,
}

type Script = dyn Fn(usize, &ReceivedRequest) -> Vec<Action> + Send + Sync;

impl Server {
    /// Starts a server. `script` returns the actions for the nth request, from 0.
    pub(crate) async fn start(
        script: impl Fn(usize, &ReceivedRequest) -> Vec<Action> + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let (sender, counts) = watch::channel(Counts::default());
        let (script, sender): (Arc<Script>, _) = (Arc::new(script), Arc::new(sender));
        let record = Arc::clone(&seen);
        tokio::spawn(async move {
            let mut connection = 0;
            while let Ok((stream, _)) = listener.accept().await {
                sender.send_modify(|counts| counts.opened += 1);
                let (script, record) = (Arc::clone(&script), Arc::clone(&record));
                let sender = Arc::clone(&sender);
                tokio::spawn(async move {
                    serve(stream, connection, &*script, &record, &sender).await;
                    sender.send_modify(|counts| counts.ended += 1);
                });
                connection += 1;
            }
        });
        Self {
            address,
            seen,
            counts,
        }
    }

    /// Starts a server with the same actions for every request.
    pub(crate) async fn always(acts: Vec<Action>) -> Self {
        Self::start(move |_, _| acts.clone()).await
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub(crate) fn seen(&self) -> Vec<ReceivedRequest> {
        self.seen.lock().unwrap().clone()
    }

    pub(crate) fn connections(&self) -> usize {
        self.counts.borrow().opened
    }

    /// Waits until that many requests have arrived.
    pub(crate) async fn requests(&self, number: usize) {
        let mut counts = self.counts.clone();
        counts
            .wait_for(|counts| counts.requests >= number)
            .await
            .unwrap();
    }

    /// Waits until that many connections have ended.
    pub(crate) async fn ended(&self, number: usize) {
        let mut counts = self.counts.clone();
        counts
            .wait_for(|counts| counts.ended >= number)
            .await
            .unwrap();
    }
}

/// Returns an HTTP answer with its `Content-Length`.
pub(crate) fn answer(status: &str, headers: &str, body: impl AsRef<[u8]>) -> Action {
    let body = body.as_ref();
    let length = body.len();
    let mut bytes =
        format!("HTTP/1.1 {status}\r\n{headers}Content-Length: {length}\r\n\r\n").into_bytes();
    bytes.extend_from_slice(body);
    Action::Send(bytes)
}

pub(crate) fn json(status: &str, body: &str) -> Action {
    answer(status, "Content-Type: application/json\r\n", body)
}

async fn serve(
    mut stream: TcpStream,
    connection: usize,
    script: &Script,
    record: &Mutex<Vec<ReceivedRequest>>,
    counts: &watch::Sender<Counts>,
) {
    while let Some((head, body)) = read_request(&mut stream).await {
        let seen = ReceivedRequest {
            connection,
            head,
            body,
        };
        let number = {
            let mut record = record.lock().unwrap();
            record.push(seen.clone());
            record.len() - 1
        };
        counts.send_modify(|counts| counts.requests += 1);
        for act in script(number, &seen) {
            match act {
                Action::Send(bytes) => {
                    if stream.write_all(&bytes).await.is_err() {
                        return;
                    }
                }
                Action::Drip => {
                    while stream.write_all(b" ").await.is_ok() {
                        sleep(Duration::from_millis(10)).await;
                    }
                    return;
                }
                Action::Hang => {
                    let mut byte = [0];
                    while matches!(stream.read(&mut byte).await, Ok(1)) {}
                    return;
                }
                Action::Close => return,
                Action::Reset => {
                    stream.set_zero_linger().unwrap();
                    return;
                }
            }
        }
    }
}

async fn read_request(stream: &mut TcpStream) -> Option<(String, String)> {
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break end + 4;
        }
        read_some(stream, &mut bytes).await?;
    };
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
    let length: usize = head
        .lines()
        .filter_map(|line| line.split_once(':'))
        .find(|(name, _)| name.eq_ignore_ascii_case("content-length"))
        .map_or(0, |(_, value)| value.trim().parse().unwrap());
    while bytes.len() < end + length {
        read_some(stream, &mut bytes).await?;
    }
    let body = String::from_utf8(bytes[end..end + length].to_vec()).unwrap();
    Some((head, body))
}

async fn read_some(stream: &mut TcpStream, bytes: &mut Vec<u8>) -> Option<()> {
    match stream.read_buf(bytes).await {
        Ok(0) | Err(_) => None,
        Ok(_) => Some(()),
    }
}
