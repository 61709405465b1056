//! The paths of labelled spots.

use super::Lesson;
use crate::path::Atlas;
use page::Paths;
use std::collections::BTreeMap;

/// The paths of labelled spots.
pub(super) struct KnownPaths {
    /// By element.
    paths: Vec<Vec<KnownPath>>,
    atlas: Atlas,
}

struct KnownPath {
    tags: Vec<String>,
    sites: Vec<usize>,
}

/// So many paths of an element are kept: those of most sites.
const MAX_PATHS: usize = 48;

impl KnownPaths {
    pub(super) fn of(lessons: &[Lesson<'_>], n_elements: usize) -> KnownPaths {
        let mut sites: Vec<BTreeMap<Vec<String>, Vec<usize>>> = vec![BTreeMap::new(); n_elements];
        for lesson in lessons {
            for (spot, class) in lesson.sheet.spots.iter().zip(&lesson.classes) {
                let Some(element) = usize::from(*class).checked_sub(1) else { continue };
                let Some(tags) = lesson.sheet.tags(spot) else { continue };
                let known = sites[element].entry(tags).or_default();
                if known.last() != Some(&lesson.site) {
                    known.push(lesson.site);
                }
            }
        }
        let paths = sites.into_iter().map(|paths| {
            let mut paths: Vec<(Vec<String>, Vec<usize>)> = paths.into_iter().collect();
            paths.sort_by(|a, b| b.1.len().cmp(&a.1.len()).then_with(|| a.0.cmp(&b.0)));
            paths.truncate(MAX_PATHS);
            paths.into_iter().map(|(tags, sites)| KnownPath { tags, sites }).collect()
        });
        let paths: Vec<Vec<KnownPath>> = paths.collect();
        let tags = |paths: &Vec<KnownPath>| paths.iter().map(|it| it.tags.clone()).collect();
        let atlas = Atlas::new(&paths.iter().map(tags).collect::<Vec<_>>());
        KnownPaths { paths, atlas }
    }

    pub(super) fn kept(&self) -> Vec<Vec<Vec<String>>> {
        let tags = |paths: &Vec<KnownPath>| paths.iter().map(|it| it.tags.clone()).collect();
        self.paths.iter().map(tags).collect()
    }

    /// The similarity of each path of a page to those of each element that another site has.
    pub(super) fn similarities(&self, paths: &Paths, site: usize) -> Vec<f32> {
        let known: Vec<&KnownPath> = self.paths.iter().flatten().collect();
        self.atlas.similarities(paths, |nth| known[nth].sites.iter().any(|it| *it != site))
    }
}
