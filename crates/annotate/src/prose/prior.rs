//! What features of prose are worth on articles of many sites. Written by `cargo xtask model`, from the pages that the model of
//! articles is learnt from.

use super::N_FEATURES;

/// What is known of a feature.
pub(super) struct Worth {
    /// What is usual, and how far values usually are from it.
    pub(super) mean: f32,
    pub(super) spread: f32,
    /// What a value so far above counts for prose.
    pub(super) weight: f32,
}

/// By feature.
#[rustfmt::skip]
pub(super) const PRIOR: [Worth; N_FEATURES] = [
    Worth { mean: 1.759, spread: 1.049, weight: 0.464 }, // words
    Worth { mean: 0.428, spread: 0.486, weight: -0.493 }, // links
    Worth { mean: 0.416, spread: 0.698, weight: -0.265 }, // marks
    Worth { mean: 0.219, spread: 0.413, weight: 0.623 }, // ends a sentence
    Worth { mean: 0.588, spread: 0.392, weight: -0.229 }, // capitals
    Worth { mean: 0.046, spread: 0.158, weight: -0.518 }, // digits
    Worth { mean: 0.142, spread: 0.340, weight: 0.155 }, // bold
    Worth { mean: 0.110, spread: 0.313, weight: 0.267 }, // heading
    Worth { mean: 0.004, spread: 0.064, weight: -0.411 }, // names a time
    Worth { mean: 0.002, spread: 0.050, weight: -0.620 }, // mail address
    Worth { mean: 0.004, spread: 0.059, weight: -0.285 }, // copyright
    Worth { mean: 1.752, spread: 1.054, weight: 0.029 }, // words before
    Worth { mean: 0.430, spread: 0.486, weight: -0.173 }, // links before
    Worth { mean: 1.753, spread: 1.054, weight: 0.179 }, // words after
    Worth { mean: 0.429, spread: 0.486, weight: -0.155 }, // links after
    Worth { mean: 0.532, spread: 0.499, weight: -0.280 }, // called furniture
    Worth { mean: 0.780, spread: 0.414, weight: 0.144 }, // called body
    Worth { mean: 0.025, spread: 0.156, weight: -0.765 }, // called comments
    Worth { mean: 0.160, spread: 0.339, weight: -0.070 }, // prose in parent
    Worth { mean: 0.238, spread: 0.396, weight: 0.454 }, // prose in grandparent
    Worth { mean: 0.432, spread: 0.463, weight: 0.062 }, // links in parent
    Worth { mean: 0.457, spread: 0.498, weight: 0.834 }, // in region
    Worth { mean: 1.198, spread: 1.171, weight: 0.264 }, // repeats above
    Worth { mean: 0.128, spread: 0.274, weight: 0.031 }, // prose of its kind
    Worth { mean: 0.248, spread: 0.399, weight: -0.028 }, // kind is prose
    Worth { mean: 0.063, spread: 0.162, weight: 0.101 }, // prose of its kind before
    Worth { mean: 5.939, spread: 24.139, weight: -1.061 }, // kind starts
    Worth { mean: 0.469, spread: 0.396, weight: -0.130 }, // prose before
    Worth { mean: 0.527, spread: 0.396, weight: 0.007 }, // prose after
    Worth { mean: 0.126, spread: 0.275, weight: 0.137 }, // run of prose
    Worth { mean: 14.422, spread: 13.328, weight: -0.385 }, // from last prose
    Worth { mean: 13.948, spread: 13.112, weight: -0.378 }, // to next prose
    Worth { mean: 11.677, spread: 25.017, weight: 0.680 }, // from first paragraph
    Worth { mean: 5.024, spread: 3.435, weight: -0.611 }, // words from first paragraph
    Worth { mean: 0.699, spread: 0.458, weight: 0.794 }, // after first paragraph
    Worth { mean: -4.591, spread: 1.219, weight: 0.364 }, // from title
    Worth { mean: 0.709, spread: 0.454, weight: -0.025 }, // after title
    Worth { mean: 0.092, spread: 0.481, weight: -0.171 }, // times so far
    Worth { mean: 0.017, spread: 0.141, weight: -0.109 }, // times near
    Worth { mean: 0.055, spread: 0.228, weight: -0.324 }, // comments announced
    Worth { mean: 0.048, spread: 0.204, weight: -0.195 }, // prose before comments
];
