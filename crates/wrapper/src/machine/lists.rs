//! Short lists by number, in one piece of memory: most have one item or none.

#[derive(Clone, Debug)]
pub(super) struct Lists<T> {
    /// By number, where its list ends. It starts where the one before ends.
    ends: Vec<usize>,
    items: Vec<T>,
}

impl<T: Ord> Lists<T> {
    /// Lists of items with their numbers; each is sorted and has an item once.
    pub(super) fn of(mut items: Vec<(usize, T)>) -> Lists<T> {
        items.sort_unstable();
        items.dedup();
        let n_lists = items.last().map_or(0, |(number, _)| number + 1);
        let mut ends = vec![0; n_lists];
        items.iter().for_each(|(number, _)| ends[*number] += 1);
        let mut end = 0;
        for own in &mut ends {
            end += *own;
            *own = end;
        }
        Lists { ends, items: items.into_iter().map(|(_, item)| item).collect() }
    }
}

impl<T> Lists<T> {
    /// The list of a number; an empty one if it has none.
    #[inline]
    pub(super) fn get(&self, number: usize) -> &[T] {
        let Some(end) = self.ends.get(number) else { return &[] };
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.items[start..*end]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_have_what_was_given_with_their_numbers() {
        let lists = Lists::of(vec![(4, 'b'), (1, 'x'), (4, 'a'), (4, 'b')]);
        let all: Vec<&[char]> = (0..6).map(|number| lists.get(number)).collect();
        assert_eq!(all, [&[][..], &['x'], &[], &[], &['a', 'b'], &[]]);
        assert_eq!(Lists::<char>::of(Vec::new()).get(0), &[]);
    }
}
