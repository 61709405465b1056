use super::*;
use std::collections::VecDeque;

fn url(text: &str) -> Url {
    Url::parse(text).unwrap()
}

fn guard(seeds: &[&str]) -> Guard {
    let seeds: Vec<Url> = seeds.iter().map(|seed| url(seed)).collect();
    Guard::new(false, seeds.iter())
}

#[test]
fn addresses_inside_are_not_public() {
    for inside in [
        "0.0.0.0",
        "0.1.2.3",
        "10.0.0.1",
        "10.255.255.255",
        "100.64.0.1",
        "100.100.100.200",
        "100.127.255.255",
        "127.0.0.1",
        "127.255.255.254",
        "168.63.129.16",
        "169.254.0.1",
        "169.254.169.254",
        "172.16.0.1",
        "172.31.255.255",
        "192.0.0.192",
        "192.0.2.1",
        "192.88.99.1",
        "192.168.1.1",
        "198.18.0.1",
        "198.19.255.255",
        "198.51.100.7",
        "203.0.113.7",
        "224.0.0.1",
        "239.255.255.250",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::8.8.8.8",
        "::127.0.0.1",
        "::ffff:10.0.0.1",
        "::ffff:127.0.0.1",
        "::ffff:169.254.169.254",
        "::ffff:0:127.0.0.1",
        "64:ff9b::7f00:1",
        "64:ff9b::a9fe:a9fe",
        "64:ff9b:1::808:808",
        "100::1",
        "2001::1",
        "2001:0:4136:e378:8000:63bf:3fff:fdd2",
        "2001:2::1",
        "2001:10::1",
        "2001:20::1",
        "2001:db8::1",
        "2002:7f00:1::1",
        "2002:c0a8:101::",
        "3fff::1",
        "3fff:fff::1",
        "4000::1",
        "5f00::1",
        "fc00::1",
        "fd00:ec2::254",
        "fe80::1",
        "fec0::1",
        "ff02::1",
        "ffff::1",
    ] {
        assert!(!is_public(inside.parse().unwrap()), "{inside}");
    }
}

#[test]
fn addresses_of_the_internet_are_public() {
    for public in [
        "1.1.1.1",
        "8.8.8.8",
        "9.255.255.255",
        "11.0.0.0",
        "100.63.255.255",
        "100.128.0.0",
        "126.255.255.255",
        "128.0.0.1",
        "168.63.129.17",
        "169.253.255.255",
        "172.15.255.255",
        "172.32.0.0",
        "192.0.1.1",
        "192.167.255.255",
        "198.17.255.255",
        "198.20.0.0",
        "223.255.255.255",
        "::ffff:8.8.8.8",
        "64:ff9b::808:808",
        "2002:808:808::1",
        "2001:200::1",
        "2001:4860:4860::8888",
        "2606:4700::1111",
        "2a00:1450::1",
        "3ffe::1",
        "3fff:1000::1",
    ] {
        assert!(is_public(public.parse().unwrap()), "{public}");
    }
}

#[test]
fn no_spelling_of_a_host_inside_passes() {
    let guard = guard(&["http://shop.example/"]);
    for inside in [
        "http://127.0.0.1/",
        "http://127.1/",
        "http://2130706433/",
        "http://0x7f000001/",
        "http://0x7f.1/",
        "http://0177.0.0.1/",
        "http://017700000001/",
        "http://127.0.0.1./",
        "http://127.0.0.1:8080/",
        "http://user@127.0.0.1/",
        "http://①②⑦.0.0.1/",
        "http://127。0。0。1/",
        "http://%31%32%37.0.0.1/",
        "http:127.0.0.1/",
        "http:\\\\127.0.0.1/",
        "http://0/",
        "http://0.0.0.0/",
        "http://10.1/",
        "http://192.168.257/",
        "http://169.254.169.254/latest/meta-data/",
        "http://2852039166/",
        "http://0xA9.0xFE.0xA9.0xFE/",
        "http://[::]/",
        "http://[::1]/",
        "http://[0:0:0:0:0:0:0:1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://[::ffff:7f00:1]/",
        "http://[0:0:0:0:0:ffff:a9fe:a9fe]/",
        "http://[::127.0.0.1]/",
        "http://[64:ff9b::127.0.0.1]/",
        "http://[2002:7f00:1::]/",
        "http://[fd00:ec2::254]/",
        "http://[fe80::1]/",
        "http://[fec0::1]/",
        "http://[ff02::1]/",
        "http://localhost/",
        "http://LOCALHOST:80/",
        "http://localhost./",
        "http://localhost../",
        "http://loc%61lhost/",
        "http://ｌｏｃａｌｈｏｓｔ/",
        "http://a.b.localhost/",
        "http://localhost.localdomain/",
        "http://ip6-localhost/",
        "http://metadata.google.internal/",
        "http://printer.local/",
        "http://router.home.arpa/",
    ] {
        let Ok(url) = Url::parse(inside) else {
            // No address at all, so nobody can ask for it.
            assert!(["http://localhost../"].contains(&inside), "{inside}");
            continue;
        };
        assert!(guard.check(&url).is_err(), "{inside} as {url}");
    }
}

#[test]
fn hosts_of_the_internet_pass() {
    let guard = guard(&[]);
    for public in [
        "http://shop.example/",
        "https://8.8.8.8/",
        "http://[2606:4700::1111]/",
        "http://localhost.example/",
        "http://mylocalhost.example/",
        "http://notlocal/",
        "http://international/",
    ] {
        assert_eq!(guard.check(&url(public)), Ok(()), "{public}");
    }
    assert!(matches!(guard.check(&url("data:text/html,x")), Err(Refusal::NoHost(_))));
    assert!(matches!(guard.check(&url("file:///etc/passwd")), Err(Refusal::NoHost(_))));
}

#[test]
fn a_seed_opens_its_own_host_and_port_only() {
    let seeds =
        ["http://127.0.0.1:8000/", "http://127.0.0.1:8001/", "http://Localhost/", "http://[::1]/a"];
    let guard = guard(&[&seeds[..], &["http://8.8.8.8/"]].concat());
    for open in [
        "http://127.0.0.1:8000/b",
        "http://2130706433:8001/",
        "http://localhost./",
        "https://localhost/",
        "http://[::1]/",
        "http://8.8.8.8:9/",
    ] {
        assert_eq!(guard.check(&url(open)), Ok(()), "{open}");
    }
    for closed in [
        "http://127.0.0.1/",
        "http://127.0.0.1:9200/",
        "http://localhost:8000/",
        "https://[::1]:8443/",
        "http://127.0.0.2/",
        "http://a.localhost/",
        "http://[::ffff:127.0.0.1]/",
    ] {
        assert!(guard.check(&url(closed)).is_err(), "{closed}");
    }
    let refused = guard.check(&url("http://localhost:8000/")).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "\"localhost:8000\" is another port of a host inside this network; to crawl it, name it as a seed"
    );
    assert!(Guard::new(true, [].into_iter()).check(&url("http://10.0.0.1/")).is_ok());
}

#[test]
fn a_proxy_can_be_allowed() {
    let guard = guard(&[]);
    for host in ["127.0.0.1", "[::1]", "Proxy.Internal."] {
        guard.allow_host(host);
    }
    for open in ["http://127.0.0.1:3128/", "http://[::1]:1/", "http://proxy.internal/"] {
        assert_eq!(guard.clone().check(&url(open)), Ok(()), "{open}");
    }
    assert!(guard.check(&url("http://other.internal/")).is_err());
}

/// A name of which nobody knew that it is inside until it was asked for.
#[test]
fn a_name_that_leads_inside_is_open_at_its_port_only() {
    let guard = guard(&["http://intranet.example:8000/"]).with_lookup(script(&["10.0.0.1"]));
    assert!(run(guard.addresses("intranet.example")).is_ok());
    assert_eq!(guard.check(&url("http://intranet.example:8000/a")), Ok(()));
    assert!(guard.check(&url("http://intranet.example:9200/")).is_err());
}

/// Gives one list of addresses after the other, the last one for ever.
struct Script(Mutex<VecDeque<Vec<IpAddr>>>);

impl Lookup for Script {
    fn lookup(&self, _: &str) -> Answers {
        let mut script = self.0.lock().unwrap();
        let answer = if script.len() > 1 { script.pop_front() } else { script.front().cloned() };
        Box::pin(async move { answer.ok_or_else(|| io::ErrorKind::NotFound.into()) })
    }
}

fn script(answers: &[&str]) -> Script {
    let addresses = |list: &&str| list.split_whitespace().map(|it| it.parse().unwrap()).collect();
    Script(Mutex::new(answers.iter().map(addresses).collect()))
}

fn run<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

/// What the resolver says, one time after the other.
#[track_caller]
fn check_answers(seed: &str, name: &str, answers: &[&str], expected: &[&str]) {
    let guard = guard(&[seed]).with_lookup(script(answers));
    for expected in expected {
        let said = match run(guard.resolve(name.parse().unwrap())) {
            Ok(found) => found.map(|it| it.ip().to_string()).collect::<Vec<_>>().join(" "),
            Err(error) => match Refusal::find(&*error) {
                Some(Refusal::LeadsInside { address, .. }) => format!("inside: {address}"),
                other => panic!("{other:?}"),
            },
        };
        assert_eq!(said, *expected);
    }
}

#[test]
fn what_is_connected_to_was_judged() {
    let seed = "http://shop.example/";
    check_answers(seed, "a.example", &["8.8.8.8"], &["8.8.8.8"]);
    check_answers(seed, "a.example", &["10.0.0.1 ::1"], &["inside: 10.0.0.1"]);
    check_answers(seed, "a.example", &["10.0.0.1 8.8.8.8 ::1"], &["8.8.8.8"]);
    check_answers(seed, "a.example", &["8.8.8.8", "127.0.0.1"], &["8.8.8.8", "inside: 127.0.0.1"]);
    check_answers(seed, "localhost", &["127.0.0.1"], &["inside: 127.0.0.1"]);
    check_answers(seed, "a.example", &[""], &[""]);
}

#[test]
fn a_seed_that_is_public_stays_so() {
    let seed = "http://shop.example/";
    let (public, inside) = ("8.8.8.8", "127.0.0.1");
    check_answers(seed, "shop.example", &[inside], &[inside, inside]);
    check_answers(seed, "Shop.Example.", &[inside, public, inside], &[inside, public, inside]);
    check_answers(seed, "shop.example", &[public, inside], &[public, "inside: 127.0.0.1"]);
    check_answers(seed, "www.shop.example", &[inside], &["inside: 127.0.0.1"]);
    check_answers("http://localhost/", "localhost", &["::1 127.0.0.1"], &["::1 127.0.0.1"]);
}

#[test]
fn a_client_tells_why_it_did_not_connect() {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let guard = guard(&[]).with_lookup(script(&["127.0.0.1"]));
    let client = reqwest::Client::builder().no_proxy().dns_resolver(guard).build().unwrap();
    let error = run(client.get("http://rebound.example/").send()).unwrap_err();
    let refusal = Refusal::find(&error).unwrap();
    assert_eq!(
        refusal.to_string(),
        "\"rebound.example\" leads to 127.0.0.1, which is no public address; to crawl it, name it as a seed"
    );
    assert_eq!(Refusal::find(&io::Error::other("something else")), None);
}

#[test]
fn the_system_is_asked_by_default() {
    let guard = guard(&["http://localhost/"]);
    let found = run(guard.addresses("localhost")).unwrap();
    assert!(!found.is_empty() && found.iter().all(IpAddr::is_loopback), "{found:?}");
}
