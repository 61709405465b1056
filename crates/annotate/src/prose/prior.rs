//! What features of prose are worth on articles of many sites. Written by `cargo xtask model`, from the pages that the model of
//! articles is learnt from.

use super::{N_ALL, Worth};

/// By feature.
pub(super) const PRIOR: [Worth; N_ALL] = [
    Worth { mean: 1.761, spread: 1.049, weights: [0.517, 0.728] }, // words
    Worth { mean: 0.427, spread: 0.486, weights: [-0.532, -0.719] }, // links
    Worth { mean: 0.417, spread: 0.697, weights: [-0.269, -0.335] }, // marks
    Worth { mean: 0.220, spread: 0.414, weights: [0.613, 0.686] }, // ends a sentence
    Worth { mean: 0.587, spread: 0.392, weights: [-0.221, -0.259] }, // capitals
    Worth { mean: 0.046, spread: 0.158, weights: [-0.485, -0.565] }, // digits
    Worth { mean: 0.142, spread: 0.340, weights: [0.142, 0.144] }, // bold
    Worth { mean: 0.110, spread: 0.313, weights: [0.282, 0.289] }, // heading
    Worth { mean: 0.004, spread: 0.064, weights: [-0.371, -0.390] }, // names a time
    Worth { mean: 0.002, spread: 0.050, weights: [-0.610, -0.703] }, // mail address
    Worth { mean: 0.004, spread: 0.059, weights: [-0.305, -0.345] }, // copyright
    Worth { mean: 1.754, spread: 1.054, weights: [0.061, 0.061] }, // words before
    Worth { mean: 0.430, spread: 0.486, weights: [-0.220, -0.238] }, // links before
    Worth { mean: 1.756, spread: 1.054, weights: [0.170, 0.186] }, // words after
    Worth { mean: 0.428, spread: 0.486, weights: [-0.183, -0.204] }, // links after
    Worth { mean: 0.530, spread: 0.499, weights: [-0.292, -0.229] }, // called furniture
    Worth { mean: 0.780, spread: 0.414, weights: [0.117, 0.135] }, // called body
    Worth { mean: 0.025, spread: 0.156, weights: [-0.747, -0.651] }, // called comments
    Worth { mean: 0.161, spread: 0.340, weights: [-0.082, -0.043] }, // prose in parent
    Worth { mean: 0.239, spread: 0.396, weights: [0.440, 0.039] }, // prose in grandparent
    Worth { mean: 0.431, spread: 0.463, weights: [0.109, 0.206] }, // links in parent
    Worth { mean: 0.459, spread: 0.498, weights: [0.833, 0.841] }, // in region
    Worth { mean: 1.197, spread: 1.169, weights: [0.260, 0.157] }, // repeats above
    Worth { mean: 0.128, spread: 0.275, weights: [0.046, 0.010] }, // prose of its kind
    Worth { mean: 0.249, spread: 0.400, weights: [-0.056, -0.205] }, // kind is prose
    Worth { mean: 0.063, spread: 0.163, weights: [0.087, 0.076] }, // prose of its kind before
    Worth { mean: 5.927, spread: 24.141, weights: [-1.078, -0.854] }, // kind starts
    Worth { mean: 0.468, spread: 0.396, weights: [0.026, -0.254] }, // prose before
    Worth { mean: 0.528, spread: 0.396, weights: [0.167, -0.246] }, // prose after
    Worth { mean: 0.126, spread: 0.276, weights: [0.132, 0.164] }, // run of prose
    Worth { mean: 14.392, spread: 13.327, weights: [-0.443, -0.487] }, // from last prose
    Worth { mean: 13.915, spread: 13.109, weights: [-0.430, -0.487] }, // to next prose
    Worth { mean: 11.676, spread: 25.019, weights: [0.744, 0.725] }, // from first paragraph
    Worth { mean: 5.021, spread: 3.433, weights: [-0.632, -1.114] }, // words from first paragraph
    Worth { mean: 0.699, spread: 0.459, weights: [0.745, 0.895] }, // after first paragraph
    Worth { mean: -4.590, spread: 1.217, weights: [0.337, 0.328] }, // from title
    Worth { mean: 0.709, spread: 0.454, weights: [0.029, 0.040] }, // after title
    Worth { mean: 0.091, spread: 0.480, weights: [-0.205, -0.191] }, // times so far
    Worth { mean: 0.017, spread: 0.140, weights: [-0.131, -0.164] }, // times near
    Worth { mean: 0.056, spread: 0.231, weights: [-0.189, -0.120] }, // comments announced
    Worth { mean: 0.049, spread: 0.204, weights: [-0.272, -0.342] }, // prose before comments
    Worth { mean: -3.895, spread: 3.997, weights: [0.000, -1.174] }, // odds
    Worth { mean: 0.217, spread: 0.347, weights: [0.000, 0.437] }, // likely in parent
    Worth { mean: 0.173, spread: 0.364, weights: [0.000, -0.241] }, // share of likely in parent
    Worth { mean: 0.254, spread: 0.422, weights: [0.000, 0.317] }, // share of likely in grandparent
    Worth { mean: 0.236, spread: 0.359, weights: [0.000, 0.491] }, // likely of its kind
    Worth { mean: 2.238, spread: 1.433, weights: [0.000, 0.142] }, // to nearest sure
    Worth { mean: 2.677, spread: 1.296, weights: [0.000, 0.127] }, // to farther sure
    Worth { mean: 4.711, spread: 2.022, weights: [0.000, -0.141] }, // levels to farther sure
    Worth { mean: 4.246, spread: 2.134, weights: [0.000, 0.008] }, // levels to nearer sure
    Worth { mean: 0.380, spread: 0.485, weights: [0.000, 0.288] }, // between sure ones
];
