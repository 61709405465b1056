//! Runs the hostile server of the tests until it is stopped: `cargo run --example hostile -- [PORT]`.

#[path = "../tests/hostile/mod.rs"]
mod hostile;

use std::io;

fn main() -> io::Result<()> {
    let port = std::env::args().nth(1).and_then(|port| port.parse().ok()).unwrap_or(0);
    let server = hostile::Server::start_at(port)?;
    println!("{}", server.address().port());
    loop {
        std::thread::park();
    }
}
