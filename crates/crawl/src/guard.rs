//! Keeping the crawl out of the network it runs in.
//!
//! A page may link, redirect or point its name at `127.0.0.1`, a router or the metadata service of a cloud. Two gates stand
//! against that, and both are needed: [`Guard::check`] for every address that is asked for, each hop of a redirect
//! included, because clients do not resolve literal addresses; and the [resolver](Resolve), whose answers are what is
//! connected to, so that a name cannot show one address to a check and another to the connection.
//!
//! What people name themselves is theirs to name: a seed inside the network opens its own host at its own port, and no other. The usual
//! ports of http and https count as one, because servers send from one to the other.
//! Behind a proxy the proxy resolves names, and only the first gate is left; allow the proxy's host itself with
//! [`Guard::allow_host`].

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use std::collections::HashMap;
use std::error::Error;
use std::fmt;
use std::future::Future;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use url::{Host, Url};

/// Networks of IPv4 that are not the public internet, as address and length of the prefix: the special-purpose
/// registry of IANA, and one address that a cloud answers on from inside.
const INSIDE_V4: [(Ipv4Addr, u32); 17] = [
    (Ipv4Addr::new(0, 0, 0, 0), 8),
    (Ipv4Addr::new(10, 0, 0, 0), 8),
    (Ipv4Addr::new(100, 64, 0, 0), 10),
    (Ipv4Addr::new(127, 0, 0, 0), 8),
    (Ipv4Addr::new(168, 63, 129, 16), 32), // the wire server of Azure
    (Ipv4Addr::new(169, 254, 0, 0), 16),
    (Ipv4Addr::new(172, 16, 0, 0), 12),
    (Ipv4Addr::new(192, 0, 0, 0), 24),
    (Ipv4Addr::new(192, 0, 2, 0), 24),
    (Ipv4Addr::new(192, 88, 99, 0), 24),
    (Ipv4Addr::new(192, 168, 0, 0), 16),
    (Ipv4Addr::new(198, 18, 0, 0), 15),
    (Ipv4Addr::new(198, 51, 100, 0), 24),
    (Ipv4Addr::new(203, 0, 113, 0), 24),
    (Ipv4Addr::new(224, 0, 0, 0), 4),
    (Ipv4Addr::new(240, 0, 0, 0), 4),
    (Ipv4Addr::BROADCAST, 32),
];

/// Ends of names that never leave a network.
const LOCAL_ENDS: [&str; 6] =
    ["localhost", "localdomain", "local", "internal", "home.arpa", "ip6-loopback"];

/// Whether an address belongs to the public internet.
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let is_in = |network: Ipv4Addr, prefix: u32| {
        (address.to_bits() ^ network.to_bits()).leading_zeros() >= prefix
    };
    !INSIDE_V4.iter().any(|(network, prefix)| is_in(*network, *prefix))
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    match address.segments() {
        // Another spelling of IPv4, and the well-known prefix of NAT64.
        [0, 0, 0, 0, 0, 0xFFFF, high, low] | [0x64, 0xFF9B, 0, 0, 0, 0, high, low] => {
            is_public_v4(joined(high, low))
        }
        // 6to4: packets go to the IPv4 address within.
        [0x2002, high, low, ..] => is_public_v4(joined(high, low)),
        // Protocol assignments: Teredo, benchmarking, ORCHID.
        [0x2001, 0..=0x1FF, ..] => false,
        // Documentation.
        [0x2001, 0xDB8, ..] | [0x3FFF, 0..=0xFFF, ..] => false,
        // All that is global unicast today. Loopback, unique local, link-local, site-local, multicast, the deprecated
        // IPv4-compatible ones and everything not yet given out lie outside.
        [first, ..] => first & 0xE000 == 0x2000,
    }
}

fn joined(high: u16, low: u16) -> Ipv4Addr {
    Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low))
}

/// Why an address is not asked for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// An address that leads to no host.
    #[error("\"{0}\" names no host")]
    NoHost(String),
    /// A literal address that is not of the public internet.
    #[error("\"{0}\" is no public address; to crawl it, name it as a seed")]
    InsideAddress(String),
    /// A name that means this machine or its network.
    #[error("\"{0}\" is a name inside this network; to crawl it, name it as a seed")]
    InsideName(String),
    /// A host inside that was named, at a port that was not.
    #[error(
        "\"{0}\" is another port of a host inside this network; to crawl it, name it as a seed"
    )]
    OtherPort(String),
    /// A name whose addresses are all inside.
    #[error(
        "\"{host}\" leads to {address}, which is no public address; to crawl it, name it as a seed"
    )]
    LeadsInside {
        /// The name.
        host: String,
        /// The first of its addresses.
        address: IpAddr,
    },
}

impl Refusal {
    /// The refusal that caused an error of a client, if one did.
    pub fn find<'e>(error: &'e (dyn Error + 'static)) -> Option<&'e Refusal> {
        causes(error).find_map(|cause| cause.downcast_ref())
    }
}

/// An error and what caused it. One of the system may hold another, which is not its source but has one.
pub(crate) fn causes<'e>(
    error: &'e (dyn Error + 'static),
) -> impl Iterator<Item = &'e (dyn Error + 'static)> {
    std::iter::successors(Some(error), |error| {
        let error: &'e (dyn Error + 'static) = *error;
        match error.downcast_ref::<io::Error>().and_then(io::Error::get_ref) {
            Some(held) => Some(held as &(dyn Error + 'static)),
            None => error.source(),
        }
    })
}

/// What a [`Lookup`] is about to answer.
pub type Answers = Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send>>;

/// Where addresses of names come from.
pub trait Lookup: Send + Sync {
    /// The addresses of a name, at this moment.
    fn lookup(&self, name: &str) -> Answers;
}

/// The resolver of the system.
struct SystemLookup;

impl Lookup for SystemLookup {
    fn lookup(&self, name: &str) -> Answers {
        let name = name.to_owned();
        Box::pin(async move {
            let found = tokio::net::lookup_host((name, 0)).await?;
            Ok(found.map(|address| address.ip()).collect())
        })
    }
}

/// Decides which hosts may be connected to. Clones are one guard.
#[derive(Clone)]
pub struct Guard {
    allow_private: bool,
    hosts: Arc<Mutex<HashMap<String, Known>>>,
    lookup: Arc<dyn Lookup>,
}

/// What is known of a host that was named.
#[derive(Clone, Debug)]
struct Known {
    standing: Standing,
    /// At which ports it may be asked; all, if there are none.
    ports: Vec<u16>,
}

impl Known {
    fn has_port(&self, port: Option<u16>) -> bool {
        self.ports.is_empty() || port.is_some_and(|port| self.ports.contains(&port))
    }
}

/// The usual ports of http and https.
const WEB: [u16; 2] = [80, 443];

/// Where a host may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    /// It may be anywhere.
    Allowed,
    /// A seed: its first answer tells whether it is a host inside.
    Named,
    /// Was public when first seen, and has to stay so.
    Public,
}

impl Guard {
    /// A guard for a crawl from these seeds. A seed inside the network allows exactly its own host and port.
    ///
    /// Where the name of a seed leads is seen when it is first resolved: at inside addresses only, it is a host inside;
    /// otherwise it is bound to public addresses from then on.
    pub fn new<'u>(allow_private: bool, named: impl Iterator<Item = &'u Url>) -> Guard {
        let guard = Guard { allow_private, hosts: Arc::default(), lookup: Arc::new(SystemLookup) };
        named.for_each(|url| guard.name(url));
        guard
    }

    /// Take an address for one that the user named, as seeds are.
    pub fn name(&self, url: &Url) {
        let Some(host) = url.host() else { return };
        let standing = match &host {
            Host::Domain(name) if !is_local_name(bare(name)) => Standing::Named,
            // For a public address this changes nothing.
            _ => Standing::Allowed,
        };
        let Some(port) = url.port_or_known_default() else { return };
        let ports: &[u16] = if WEB.contains(&port) { &WEB } else { &[port] };
        let mut hosts = self.hosts();
        let known = hosts
            .entry(spelled(&host))
            .or_insert_with(|| Known { standing, ports: ports.to_vec() });
        // What may be asked at all ports stays so.
        if !known.ports.is_empty() {
            known.ports.extend(ports);
        }
    }

    /// Let the proxies that the environment names be anywhere.
    pub fn allow_proxies(&self) {
        for proxy in ["http_proxy", "https_proxy", "all_proxy"] {
            let named = [proxy.to_owned(), proxy.to_ascii_uppercase()];
            let hosts = named.iter().filter_map(|name| Url::parse(&std::env::var(name).ok()?).ok());
            hosts.filter_map(|url| url.host_str().map(str::to_owned)).for_each(|it| {
                self.allow_host(&it);
            });
        }
    }

    /// Take addresses of names from elsewhere.
    pub fn with_lookup(self, lookup: impl Lookup + 'static) -> Guard {
        Guard { lookup: Arc::new(lookup), ..self }
    }

    /// Let a host be anywhere, at any port: a proxy, say. A name or an address, without a port.
    pub fn allow_host(&self, host: &str) {
        let host = match Host::parse(host) {
            Ok(host) => spelled(&host),
            Err(_) => bare(host).to_ascii_lowercase(),
        };
        self.hosts().insert(host, Known { standing: Standing::Allowed, ports: Vec::new() });
    }

    /// Whether an address may be asked for, as far as can be told without resolving its name.
    pub fn check(&self, url: &Url) -> Result<(), Refusal> {
        let host = url.host().ok_or_else(|| Refusal::NoHost(url.as_str().to_owned()))?;
        let name = spelled(&host);
        if name.is_empty() {
            return Err(Refusal::NoHost(url.as_str().to_owned()));
        }
        let port = url.port_or_known_default();
        // Whether it was named and is inside: at this port, and at all.
        let (is_allowed, is_named) = match self.hosts().get(&name) {
            Some(known) if known.standing == Standing::Allowed => (known.has_port(port), true),
            _ => (false, false),
        };
        if self.allow_private || is_allowed {
            return Ok(());
        }
        match host {
            Host::Ipv4(address) if !is_public_v4(address) => Err(Refusal::InsideAddress(name)),
            Host::Ipv6(address) if !is_public_v6(address) => Err(Refusal::InsideAddress(name)),
            Host::Domain(_) if is_named => {
                Err(Refusal::OtherPort(format!("{name}:{}", port.unwrap_or_default())))
            }
            Host::Domain(_) if is_local_name(&name) => Err(Refusal::InsideName(name)),
            _ => Ok(()),
        }
    }

    /// The addresses of a name that may be connected to: at least one.
    async fn addresses(&self, name: &str) -> Result<Vec<IpAddr>, Box<dyn Error + Send + Sync>> {
        let found = self.lookup.lookup(name).await?;
        Ok(self.admit(name, found)?)
    }

    fn admit(&self, name: &str, mut found: Vec<IpAddr>) -> Result<Vec<IpAddr>, Refusal> {
        let host = bare(name).to_ascii_lowercase();
        let has_public = found.iter().any(|address| is_public(*address));
        if self.allow_private || self.settle(&host, &found, has_public) == Some(Standing::Allowed) {
            return Ok(found);
        }
        match found.first() {
            Some(address) if !has_public => Err(Refusal::LeadsInside { host, address: *address }),
            _ => {
                found.retain(|address| is_public(*address));
                Ok(found)
            }
        }
    }

    /// The standing of a host, decided now if it was not yet.
    fn settle(&self, host: &str, found: &[IpAddr], has_public: bool) -> Option<Standing> {
        let mut hosts = self.hosts();
        let standing = &mut hosts.get_mut(host)?.standing;
        if *standing == Standing::Named && !found.is_empty() {
            *standing = if has_public { Standing::Public } else { Standing::Allowed };
        }
        Some(*standing)
    }

    fn hosts(&self) -> MutexGuard<'_, HashMap<String, Known>> {
        // Nothing is left half-done under the lock.
        self.hosts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Guard {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Guard")
            .field("allow_private", &self.allow_private)
            .finish_non_exhaustive()
    }
}

impl Resolve for Guard {
    fn resolve(&self, name: Name) -> Resolving {
        let guard = self.clone();
        Box::pin(async move {
            let addresses = guard.addresses(name.as_str()).await?;
            let addresses = addresses.into_iter().map(|address| SocketAddr::new(address, 0));
            Ok(Box::new(addresses) as Addrs)
        })
    }
}

fn spelled(host: &Host<impl AsRef<str>>) -> String {
    match host {
        Host::Domain(name) => bare(name.as_ref()).to_ascii_lowercase(),
        Host::Ipv4(address) => address.to_string(),
        Host::Ipv6(address) => address.to_string(),
    }
}

/// Without the dots of the root.
fn bare(name: &str) -> &str {
    name.trim_end_matches('.')
}

fn is_local_name(name: &str) -> bool {
    LOCAL_ENDS.iter().any(|end| {
        let start = name.strip_suffix(end);
        start.is_some_and(|start| start.is_empty() || start.ends_with(['.', '-']))
    })
}

#[cfg(test)]
mod tests;
