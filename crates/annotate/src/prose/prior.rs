//! What features of prose are worth on articles of many sites. Written by `cargo xtask model`, from the pages that the model of
//! articles is learnt from.

use super::{N_ALL, Worth};

/// By feature.
pub(super) const PRIOR: [Worth; N_ALL] = [
    Worth { mean: 1.761, spread: 1.049, weights: [0.504, 0.722] }, // words
    Worth { mean: 0.427, spread: 0.486, weights: [-0.524, -0.713] }, // links
    Worth { mean: 0.417, spread: 0.697, weights: [-0.270, -0.336] }, // marks
    Worth { mean: 0.220, spread: 0.414, weights: [0.610, 0.686] }, // ends a sentence
    Worth { mean: 0.587, spread: 0.392, weights: [-0.215, -0.252] }, // capitals
    Worth { mean: 0.046, spread: 0.158, weights: [-0.481, -0.567] }, // digits
    Worth { mean: 0.142, spread: 0.340, weights: [0.151, 0.155] }, // bold
    Worth { mean: 0.110, spread: 0.313, weights: [0.278, 0.295] }, // heading
    Worth { mean: 0.004, spread: 0.064, weights: [-0.418, -0.417] }, // names a time
    Worth { mean: 0.002, spread: 0.050, weights: [-0.615, -0.710] }, // mail address
    Worth { mean: 0.004, spread: 0.059, weights: [-0.308, -0.342] }, // copyright
    Worth { mean: 1.754, spread: 1.054, weights: [0.068, 0.067] }, // words before
    Worth { mean: 0.430, spread: 0.486, weights: [-0.179, -0.196] }, // links before
    Worth { mean: 1.756, spread: 1.054, weights: [0.173, 0.190] }, // words after
    Worth { mean: 0.428, spread: 0.486, weights: [-0.167, -0.187] }, // links after
    Worth { mean: 0.530, spread: 0.499, weights: [-0.287, -0.230] }, // called furniture
    Worth { mean: 0.780, spread: 0.414, weights: [0.141, 0.158] }, // called body
    Worth { mean: 0.025, spread: 0.156, weights: [-0.767, -0.662] }, // called comments
    Worth { mean: 0.161, spread: 0.340, weights: [-0.081, -0.064] }, // prose in parent
    Worth { mean: 0.239, spread: 0.396, weights: [0.447, 0.034] }, // prose in grandparent
    Worth { mean: 0.431, spread: 0.463, weights: [0.116, 0.216] }, // links in parent
    Worth { mean: 0.459, spread: 0.498, weights: [0.834, 0.836] }, // in region
    Worth { mean: 1.197, spread: 1.169, weights: [0.250, 0.145] }, // repeats above
    Worth { mean: 0.128, spread: 0.275, weights: [0.055, 0.019] }, // prose of its kind
    Worth { mean: 0.249, spread: 0.400, weights: [-0.045, -0.181] }, // kind is prose
    Worth { mean: 0.063, spread: 0.163, weights: [0.077, 0.071] }, // prose of its kind before
    Worth { mean: 5.927, spread: 24.141, weights: [-1.068, -0.842] }, // kind starts
    Worth { mean: 0.468, spread: 0.396, weights: [-0.157, -0.360] }, // prose before
    Worth { mean: 0.528, spread: 0.396, weights: [-0.025, -0.368] }, // prose after
    Worth { mean: 0.126, spread: 0.276, weights: [0.133, 0.162] }, // run of prose
    Worth { mean: 14.392, spread: 13.327, weights: [-0.376, -0.411] }, // from last prose
    Worth { mean: 13.915, spread: 13.109, weights: [-0.399, -0.452] }, // to next prose
    Worth { mean: 11.676, spread: 25.019, weights: [0.763, 0.751] }, // from first paragraph
    Worth { mean: 5.021, spread: 3.433, weights: [-0.610, -1.092] }, // words from first paragraph
    Worth { mean: 0.699, spread: 0.459, weights: [0.722, 0.844] }, // after first paragraph
    Worth { mean: -4.590, spread: 1.217, weights: [0.370, 0.367] }, // from title
    Worth { mean: 0.709, spread: 0.454, weights: [-0.049, -0.027] }, // after title
    Worth { mean: 0.091, spread: 0.480, weights: [-0.188, -0.176] }, // times so far
    Worth { mean: 0.017, spread: 0.140, weights: [-0.133, -0.170] }, // times near
    Worth { mean: 0.056, spread: 0.231, weights: [-0.187, -0.113] }, // comments announced
    Worth { mean: 0.049, spread: 0.204, weights: [-0.263, -0.337] }, // prose before comments
    Worth { mean: -3.769, spread: 3.891, weights: [0.000, -1.162] }, // odds
    Worth { mean: 0.217, spread: 0.346, weights: [0.000, 0.443] }, // likely in parent
    Worth { mean: 0.173, spread: 0.364, weights: [0.000, -0.222] }, // share of likely in parent
    Worth { mean: 0.254, spread: 0.422, weights: [0.000, 0.353] }, // share of likely in grandparent
    Worth { mean: 0.236, spread: 0.358, weights: [0.000, 0.472] }, // likely of its kind
    Worth { mean: 2.240, spread: 1.432, weights: [0.000, 0.135] }, // to nearest sure
    Worth { mean: 2.679, spread: 1.295, weights: [0.000, 0.116] }, // to farther sure
    Worth { mean: 4.729, spread: 2.016, weights: [0.000, -0.120] }, // levels to farther sure
    Worth { mean: 4.253, spread: 2.131, weights: [0.000, 0.041] }, // levels to nearer sure
    Worth { mean: 0.373, spread: 0.484, weights: [0.000, 0.333] }, // between sure ones
];
