//! What a plan says of the network that its pages are to give.
//!
//! The domain is data: which classes there are is told by a schema, which pages give objects of which class by the plan.

use network::merge::Rules;
use serde::Deserialize;
use std::collections::BTreeMap;
use thiserror::Error;

/// The part `[network]` of a plan.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// The schema: the name of one that is built in, or a file.
    pub schema: String,
    /// The class of what the home page is about.
    pub root: String,
    /// Words that headings have beside the name of what the page is about.
    #[serde(default)]
    pub page_words: Vec<String>,
    /// Words that a name has here and lacks there.
    #[serde(default)]
    pub loose_words: Vec<String>,
    /// Classes that words in a name tell, the first that fits.
    #[serde(default, rename = "class")]
    pub classes: Vec<ClassWords>,
    /// The specific role that each rank is.
    #[serde(default)]
    pub ranks: BTreeMap<String, String>,
    /// Where this share of a list leads to someone, those are doubted that do not.
    #[serde(default = "most")]
    pub most: f64,
    /// Where a smaller share of a list leads to someone, all that do not are doubted.
    #[serde(default = "few")]
    pub few: f64,
    /// What pages of each kind give.
    pub gives: Vec<Gives>,
}

/// Words that tell a class.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClassWords {
    /// The class.
    pub name: String,
    /// The words.
    pub words: Vec<String>,
}

/// What pages of a kind give.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gives {
    /// The kind of page.
    pub kind: String,
    /// Units that it lists are objects of this class, in what the page is about.
    pub units: Option<String>,
    /// People that it lists have this role in what the page is about.
    pub people: Option<String>,
    /// So many people make a list of them.
    #[serde(default)]
    pub at_least: usize,
}

fn most() -> f64 {
    0.6
}

fn few() -> f64 {
    0.2
}

/// Why a plan gives no network.
#[derive(Debug, Error)]
pub enum RecipeError {
    /// Its part `[network]` says something that plans do not say.
    #[error("the plan's [network]: {0}")]
    Toml(String),
    /// It names a kind of page that the plan does not have.
    #[error("the plan's [network] names the kind {0:?}, which is no kind of the plan")]
    Kind(String),
}

impl Recipe {
    /// Read it from a plan, if the plan has one.
    pub fn of(plan: &crawl::Plan) -> Result<Option<Recipe>, RecipeError> {
        let Some(table) = plan.network() else { return Ok(None) };
        let recipe = Recipe::deserialize(table.clone());
        let recipe = recipe.map_err(|error| RecipeError::Toml(error.to_string()))?;
        let is_known = |gives: &&Gives| !plan.kinds().any(|kind| kind == gives.kind);
        match recipe.gives.iter().find(is_known) {
            Some(gives) => Err(RecipeError::Kind(gives.kind.clone())),
            None => Ok(Some(recipe)),
        }
    }

    /// What is particular to the field; `nesting` says which class may contain which.
    pub(super) fn rules(&self, nesting: Vec<(String, String)>) -> Rules {
        let classes = self.classes.iter().map(|it| (it.name.clone(), it.words.clone())).collect();
        Rules {
            page_words: self.page_words.clone(),
            loose_words: self.loose_words.clone(),
            classes,
            nesting,
            most: self.most,
            few: self.few,
        }
    }

    /// What pages of a kind give.
    pub(super) fn gives(&self, kind: Option<&str>) -> Option<&Gives> {
        self.gives.iter().find(|gives| Some(gives.kind.as_str()) == kind)
    }
}
