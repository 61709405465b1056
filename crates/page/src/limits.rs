//! How much one page may cost.
//!
//! HTML's tree construction has no bound of its own: a stack of open elements and a list of open
//! formatting elements grow with the input and are searched for nearly every tag, so a few dozen
//! kilobytes of `<b a><i a>…` keep a conforming parser busy for half a minute. Real pages stay far
//! below every number here; what a hostile page loses to them is in its [notes](crate::Note).

/// Bounds on the parsing of one page. [`Default`] is right for pages from strangers.
///
/// ```
/// use page::{Limits, Note, ParseConfig, parse_with};
///
/// let config = ParseConfig::default().with_limits(Limits { depth: 10, ..Limits::default() });
/// let page = parse_with("<div>".repeat(20).as_bytes(), &config);
/// assert!(matches!(page.notes(), [Note::TooDeep(_)]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the page that are read. Decoded they may be up to three times as many.
    pub bytes: u32,
    /// Elements open at once. Browsers use the same bound.
    pub depth: u32,
    /// Formatting elements that are reopened after each block.
    pub formatting: u32,
    /// Attributes of one tag.
    pub attributes: u32,
    /// Bytes of a tag's name. Paths are written out for every leaf, and longer names are nobody's.
    pub tag_name: u32,
    /// Different tag and attribute names of eight bytes and more, other than the tags that HTML's rules name. All who
    /// walk over the names of a page pay for each.
    pub names: u32,
    /// Steps of tree construction per byte of input; a page may be a million steps ahead. One step is one look at an
    /// open element, a few nanoseconds; ordinary pages need one to five.
    pub work_per_byte: u32,
}

impl Limits {
    /// The bounds of HTML itself, that is, next to none. For pages one wrote oneself.
    pub const UNBOUNDED: Limits = Limits {
        bytes: u32::MAX / 4,
        depth: u32::MAX,
        formatting: u32::MAX,
        attributes: u32::MAX,
        tag_name: u32::MAX,
        names: u32::MAX,
        work_per_byte: u32::MAX,
    };
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            bytes: 256 << 20,
            depth: 512,
            formatting: 256,
            attributes: 1024,
            tag_name: 128,
            names: 4096,
            work_per_byte: 48,
        }
    }
}
