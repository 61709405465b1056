//! Structure as the paper measures it: how much of one path from the root is in another, in order.

/// A path as the hashes of its tags, at most 64 of them: those nearest to the leaf.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Steps(Vec<u32>);

const MAX_STEPS: usize = 64;

impl Steps {
    pub(crate) fn new<'a>(tags: impl DoubleEndedIterator<Item = &'a str>) -> Steps {
        let mut steps: Vec<u32> = tags.rev().take(MAX_STEPS).map(hash).collect();
        steps.reverse();
        Steps(steps)
    }

    /// Twice the length of the longest common subsequence, over both lengths. Two paths cost as many steps as one of them
    /// has, because a row of the table is the bits of one number (Hyyrö 2004).
    pub(crate) fn similarity(&self, other: &Steps) -> f32 {
        let n = self.0.len() + other.0.len();
        if n == 0 {
            return 0.0;
        }
        let mut row = u64::MAX;
        for step in &other.0 {
            let matches = self
                .0
                .iter()
                .enumerate()
                .fold(0u64, |bits, (nth, it)| bits | u64::from(it == step) << nth);
            let both = row & matches;
            row = row.wrapping_add(both) | (row & !matches);
        }
        let width = self.0.len();
        let mask = if width == MAX_STEPS { u64::MAX } else { (1 << width) - 1 };
        let common = (!row & mask).count_ones();
        2.0 * common as f32 / n as f32
    }
}

fn hash(tag: &str) -> u32 {
    tag.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn similarity(left: &str, right: &str) -> f32 {
        Steps::new(left.split('/')).similarity(&Steps::new(right.split('/')))
    }

    #[test]
    fn common_tags_in_order_count() {
        assert_eq!(similarity("html/body/div/p", "html/body/div/p"), 1.0);
        assert_eq!(similarity("html/body/p", "html/body/div/div/div/p"), 2.0 * 3.0 / 9.0);
        assert_eq!(similarity("a/b/c", "c/b/a"), 2.0 / 6.0);
        assert_eq!(similarity("a/b", "c/d"), 0.0);
        assert_eq!(similarity(&["div"; 100].join("/"), &["div"; 100].join("/")), 1.0);
    }
}
