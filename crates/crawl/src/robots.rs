//! What a site allows: its `robots.txt`, by RFC 9309.
//!
//! In come the status and the bytes that a server answered; out come the rules for one crawler. Lines and groups are
//! read by `robotxt`. Three things are done here, because it sees them differently from the RFC:
//!
//! - A line `User-agent: Pagemill/1.0` is for `pagemill`: only the product token counts (section 2.2.1). It compares
//!   whole values, so such lines are rewritten first.
//! - `%2A` and `%24` in a rule are the characters `*` and `$` (section 2.2.3). It compares them with the bare
//!   characters of addresses, and never finds them.
//! - Characters that are encoded on one side and bare on the other are the same (section 2.2.2). It keeps reserved ones
//!   apart, and knows nothing of the `'` and `^` that parsing an address encodes. Both sides are decoded here.

use robotxt::{BYTE_LIMIT, Robots};
use std::borrow::Cow;
use std::time::Duration;
use url::{Position, Url};

/// More maps than any site lists.
const MAX_SITEMAPS: usize = 1_000;
/// Searching for wildcards costs; a file of nothing else would cost milliseconds for each address.
const MAX_WILDCARDS: usize = 2_000;
/// As `robotxt` takes them.
const AGENT_SPELLINGS: [&[u8]; 3] = [b"user-agent", b"user agent", b"useragent"];

/// What one crawler may ask a site for.
///
/// ```
/// # use url::Url;
/// let body = b"User-agent: *\nDisallow: /private/\nCrawl-delay: 2\n";
/// let rules = crawl::robots::Rules::of_answer(200, body, "pagemill");
/// assert!(!rules.allows(&Url::parse("http://shop.example/private/a")?));
/// assert!(rules.allows(&Url::parse("http://shop.example/public")?));
/// # Ok::<(), url::ParseError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Rules {
    /// The rule that wins comes first.
    rules: Vec<Rule>,
    delay: Option<Duration>,
    sitemaps: Vec<Url>,
}

#[derive(Clone, Debug)]
struct Rule {
    /// What stands between the wildcards, decoded; never empty.
    parts: Vec<String>,
    /// Whether the address has to end where the rule does.
    is_anchored: bool,
    is_allow: bool,
}

impl Rules {
    /// The rules for an agent, by what a server answered after redirects were followed.
    ///
    /// The agent is a product token: letters, `-` and `_`.
    pub fn of_answer(status: u16, body: &[u8], agent: &str) -> Rules {
        match status {
            200..300 => Rules::parse(body, agent),
            // There is no file, so there are no rules. This holds for 401 and 403 too (section 2.3.1.3).
            400..500 => Rules { rules: Vec::new(), delay: None, sitemaps: Vec::new() },
            _ => Rules::unreachable(),
        }
    }

    /// The rules of a site that could not be asked: nothing is allowed (section 2.3.1.4).
    pub fn unreachable() -> Rules {
        let everything = Rule { parts: vec![String::new()], is_anchored: false, is_allow: false };
        Rules { rules: vec![everything], delay: None, sitemaps: Vec::new() }
    }

    /// Whether an address of the site may be asked for.
    pub fn allows(&self, url: &Url) -> bool {
        let path = &url[Position::BeforePath..Position::AfterQuery];
        if path == "/robots.txt" {
            return true;
        }
        let path = decoded(path);
        self.rules.iter().find(|rule| rule.matches(&path)).is_none_or(|rule| rule.is_allow)
    }

    /// The pause between two requests that the site asks for, as it says: maybe years.
    pub fn delay(&self) -> Option<Duration> {
        self.delay
    }

    /// The site's maps, as it gives them: maybe on other hosts.
    pub fn sitemaps(&self) -> &[Url] {
        &self.sitemaps
    }

    fn parse(body: &[u8], agent: &str) -> Rules {
        // One byte more, by which it sees that the last line was cut.
        let body = &body[..body.len().min(BYTE_LIMIT + 1)];
        let robots = Robots::parse(&with_tokens(body, agent), agent);
        let mut n_wildcards = 0;
        let rules = robots.rules().iter().filter_map(|rule| {
            let rule = Rule::parse(rule.pattern(), rule.is_allow());
            n_wildcards += usize::from(rule.parts.len() > 1);
            if n_wildcards > MAX_WILDCARDS { rule.without_wildcards() } else { Some(rule) }
        });
        let mut sitemaps = robots.sitemaps().to_vec();
        sitemaps.truncate(MAX_SITEMAPS);
        Rules { rules: rules.collect(), delay: robots.crawl_delay(), sitemaps }
    }
}

impl Rule {
    fn parse(pattern: &str, is_allow: bool) -> Rule {
        let (pattern, is_anchored) = match pattern.strip_suffix('$') {
            Some(pattern) => (pattern, true),
            None => (pattern, false),
        };
        let parts = pattern.split('*').map(decoded).collect();
        Rule { parts, is_anchored, is_allow }
    }

    /// A simpler rule that allows nothing which this one does not.
    fn without_wildcards(mut self) -> Option<Rule> {
        if self.parts.len() > 1 {
            self.parts.truncate(1);
            self.is_anchored = false;
            return (!self.is_allow).then_some(self);
        }
        Some(self)
    }

    /// Each part at its first place behind the one before, which leaves most for those that follow.
    fn matches(&self, path: &str) -> bool {
        let [first, others @ ..] = &*self.parts else { return false };
        let Some(mut rest) = path.strip_prefix(&**first) else { return false };
        let [middle @ .., last] = others else { return !self.is_anchored || rest.is_empty() };
        for part in middle {
            match rest.find(&**part) {
                Some(at) => rest = &rest[at + part.len()..],
                None => return false,
            }
        }
        if self.is_anchored { rest.ends_with(&**last) } else { rest.contains(&**last) }
    }
}

/// With all percent-encoding undone, each byte as the character of its number: the bytes need not be UTF-8, and the
/// search in texts is linear.
fn decoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let encoded = (*first == b'%').then(|| hex_byte(tail)).flatten();
        out.push(char::from(encoded.unwrap_or(*first)));
        rest = if encoded.is_some() { &tail[2..] } else { tail };
    }
    out
}

fn hex_byte(digits: &[u8]) -> Option<u8> {
    let digit = |at: usize| char::from(*digits.get(at)?).to_digit(16);
    u8::try_from(digit(0)? * 16 + digit(1)?).ok()
}

/// The file with each line for our token saying just that.
fn with_tokens<'b>(body: &'b [u8], agent: &str) -> Cow<'b, [u8]> {
    let mut out: Vec<u8> = Vec::new();
    let mut copied_to = 0;
    let mut at = 0;
    for line in body.split(|byte| b"\r\n\0".contains(byte)) {
        if let Some(range) = extra_of_agent(line, agent.as_bytes()) {
            out.extend_from_slice(&body[copied_to..at + range.start]);
            copied_to = at + range.end;
        }
        at += line.len() + 1;
    }
    if copied_to == 0 {
        return Cow::Borrowed(body);
    }
    out.extend_from_slice(&body[copied_to..]);
    Cow::Owned(out)
}

/// Where in a line that names our token stands what follows it: a version, say.
fn extra_of_agent(line: &[u8], agent: &[u8]) -> Option<std::ops::Range<usize>> {
    let trimmed = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line).trim_ascii_start();
    let spelling = AGENT_SPELLINGS.iter().find(|spelling| {
        trimmed.get(..spelling.len()).is_some_and(|start| start.eq_ignore_ascii_case(spelling))
    })?;
    let behind = trimmed[spelling.len()..].trim_ascii_start();
    let value = behind.strip_prefix(b":").unwrap_or(behind).trim_ascii_start();
    let is_part = |byte: &&u8| byte.is_ascii_alphabetic() || b"-_".contains(byte);
    let n_token = value.iter().take_while(is_part).count();
    let start = line.len() - value.len() + n_token;
    let is_ours = n_token > 0 && value[..n_token].eq_ignore_ascii_case(agent);
    (is_ours && start < line.len()).then_some(start..line.len())
}

#[cfg(test)]
mod tests;
