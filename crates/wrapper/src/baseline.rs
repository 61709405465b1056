//! How a wrapper reads the pages that it was learnt from.
//!
//! Not always as they were learnt: places that no element tells apart are read as one another, and a page may have what the
//! machine cannot follow. Such a column is there less often than was learnt on every page that comes, and nothing has changed.
//! So `check` compares with what is read here.

use crate::check::Tallies;
use crate::data::Data;
use crate::extract::{Extractor, Status, Wrapper};
use crate::schema::{AsRead, Field, SEPARATOR};
use page::Page;
use std::borrow::Borrow;

/// So many pages are read again: enough for shares, and few against what it takes to learn.
pub(crate) const N_PAGES: usize = 40;
/// Pages with more leaves are not, because these take long; nor more leaves in all.
const MAX_LEAVES: usize = 3_000;
const MAX_LEAVES_IN_ALL: usize = 30_000;
/// Shares that differ by less than this are the same.
const MIN_DIFFERENCE: f64 = 0.02;

/// A wrapper that knows how it reads pages, of which it is known what is on them.
pub(crate) fn with_baseline<P: Borrow<Page>>(wrapper: Wrapper, pages: &[(P, &Data)]) -> Wrapper {
    let (mut learnt, mut read) = (Tallies::new(&wrapper), Tallies::new(&wrapper));
    let mut extractor = Extractor::new(&wrapper);
    let (mut n_pages, mut n_unfit, mut n_leaves) = (0, 0, 0);
    for (page, data) in pages {
        let page: &Page = page.borrow();
        let leaves = page.leaves();
        n_leaves += leaves.len();
        if leaves.len() > MAX_LEAVES || n_leaves > MAX_LEAVES_IN_ALL {
            continue;
        }
        n_pages += 1;
        learnt.add(data);
        let assigned = extractor.assign(page, &leaves);
        let found = extractor.finish(&leaves, &assigned);
        n_unfit += u32::from(found.status != Status::Verified);
        if found.status != Status::Failed {
            read.add(&found.data);
        }
    }
    if n_pages == 0 {
        return wrapper;
    }
    let mut schema = wrapper.learnt().clone();
    schema.unfit = thousandths(f64::from(n_unfit) / f64::from(n_pages));
    set(&mut schema.fields, &learnt, &read, "");
    if schema == *wrapper.learnt() {
        return wrapper;
    }
    Wrapper::new(schema, wrapper.machine().clone())
}

fn set(fields: &mut [Field], learnt: &Tallies<'_>, read: &Tallies<'_>, within: &str) {
    for field in fields.iter_mut().filter(|field| field.is_data()) {
        let path = format!("{within}{}", field.name());
        let (before, now) = (learnt.share(&path), read.share(&path).unwrap_or(0.0));
        let difference = before.map_or(0.0, |before| now - before);
        let odd = read.odd_share(&path);
        let is_read_as_learnt = difference.abs() < MIN_DIFFERENCE && odd < MIN_DIFFERENCE;
        let density = thousandths(f64::from(field.density()) / 1000.0 + difference);
        let as_read = (!is_read_as_learnt).then(|| AsRead { density, odd: thousandths(odd) });
        match field {
            Field::Column(column) => column.as_read = as_read,
            Field::Set(it) => {
                it.as_read = as_read;
                set(&mut it.fields, learnt, read, &format!("{path}{SEPARATOR}"));
            }
        }
    }
}

fn thousandths(share: f64) -> u32 {
    (share.clamp(0.0, 1.0) * 1000.0).round() as u32
}
