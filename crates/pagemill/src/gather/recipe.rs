//! What a plan says of the network that its pages are to give.
//!
//! The domain is data: which classes there are is told by a schema, which pages give objects of which class by the plan.

use network::Schema;
use network::merge::{Rules, Same, ThingRules};
use network::schema::Kind;
use page::DataType;
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
    /// What objects are known by that are read off records, or off pages of their own.
    #[serde(default, rename = "object")]
    pub objects: Vec<ObjectWords>,
}

/// What objects of a class are known by.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ObjectWords {
    /// The class.
    pub class: String,
    /// What makes two of them one.
    #[serde(default, deserialize_with = "same")]
    pub same: Same,
    /// Properties without which there is none.
    #[serde(default)]
    pub needs: Vec<String>,
    /// What pages call each property, the surest first.
    #[serde(default)]
    pub words: BTreeMap<String, Vec<String>>,
    /// The type of data that a property's values are, such as `money`.
    #[serde(default)]
    pub types: BTreeMap<String, String>,
}

impl ObjectWords {
    /// All properties that something is said of.
    pub(super) fn properties(&self) -> impl Iterator<Item = &str> {
        let typed = self.types.keys().filter(|it| !self.words.contains_key(*it));
        self.words.keys().chain(typed).map(String::as_str)
    }
}

fn same<'de, D: serde::Deserializer<'de>>(input: D) -> Result<Same, D::Error> {
    match String::deserialize(input)?.as_str() {
        "url" => Ok(Same::Url),
        "name" => Ok(Same::Name),
        "place" => Ok(Same::Place),
        other => Err(serde::de::Error::custom(format_args!(
            "objects are the same by \"url\", \"name\" or \"place\", not by {other:?}"
        ))),
    }
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
    /// Each page is about an object of this class.
    pub object: Option<String>,
    /// The records that it lists are objects of this class, in what the page is about.
    pub records: Option<String>,
    /// What is listed in several places is in one, and has this relationship to the others.
    pub elsewhere: Option<String>,
    /// The steps of the way from the home page, which the page shows, are objects of this class, each in the one before.
    pub trail: Option<String>,
}

impl Gives {
    /// Whether there are records to be read, or pages of things.
    pub(super) fn has_things(&self) -> bool {
        self.object.is_some()
    }
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
    /// It names a class that the schema does not have.
    #[error("the plan speaks of the class {0:?}, which the schema does not have")]
    Class(String),
    /// It names a property that its class does not have.
    #[error("the plan speaks of {class}.{property}, which the schema does not have")]
    Property {
        /// The class.
        class: String,
        /// The property.
        property: String,
    },
    /// It names a type that data does not have.
    #[error("the plan wants {property:?} to be {name:?}, which is no type of data")]
    Type {
        /// The property.
        property: String,
        /// The type.
        name: String,
    },
    /// Records without a word for what they have.
    #[error(
        "the plan says that pages of kind {0:?} list records, and nothing of what these have: it needs an [[network.object]] for their class"
    )]
    Records(String),
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

    /// See that all it names is there: a plan that does not fit its schema is refused before anything is read.
    pub(super) fn check(&self, schema: &Schema) -> Result<(), RecipeError> {
        let units =
            self.gives.iter().flat_map(|it| [&it.units, &it.object, &it.records, &it.trail]);
        let objects = self.objects.iter().map(|it| &it.class);
        let classes = units.flatten().chain(objects).chain([&self.root]);
        let classes = classes.chain(self.classes.iter().map(|it| &it.name));
        for class in classes {
            schema.class_named(class).ok_or_else(|| RecipeError::Class(class.clone()))?;
        }
        let unwritten =
            |it: &&Gives| it.records.as_deref().is_some_and(|it| self.object(it).is_none());
        if let Some(gives) = self.gives.iter().find(unwritten) {
            return Err(RecipeError::Records(gives.kind.clone()));
        }
        self.objects.iter().try_for_each(|object| object.check(schema))
    }

    /// What objects of a class are known by.
    pub(super) fn object(&self, class: &str) -> Option<&ObjectWords> {
        self.objects.iter().find(|object| object.class == class)
    }

    /// The relationship to other places that list an object of a class.
    pub(super) fn elsewhere(&self, class: &str) -> Option<&str> {
        let lists = self.gives.iter().filter(|it| it.records.as_deref() == Some(class));
        lists.filter_map(|it| it.elsewhere.as_deref()).next()
    }

    /// Whether pages are read for records, or for things they are about.
    pub(super) fn has_things(&self) -> bool {
        self.gives.iter().any(Gives::has_things)
    }

    /// What makes things the same, and which of their attributes have one value.
    pub(super) fn thing_rules(&self, schema: &Schema) -> ThingRules {
        let same = self.objects.iter().map(|it| (it.class.clone(), it.same)).collect();
        let mut rules = ThingRules { same, ..ThingRules::default() };
        for (id, class) in schema.classes() {
            let properties = schema.properties_of(id).map(|it| schema.property(it));
            let single = properties
                .filter(|it| matches!(it.kind, Kind::Attribute { .. }) && !it.is_many)
                .map(|it| (class.name.clone(), it.name.clone()));
            rules.singles.extend(single);
        }
        rules
    }

    /// What pages of a kind give.
    pub(super) fn gives(&self, kind: Option<&str>) -> Option<&Gives> {
        self.gives.iter().find(|gives| Some(gives.kind.as_str()) == kind)
    }
}

impl ObjectWords {
    fn check(&self, schema: &Schema) -> Result<(), RecipeError> {
        let class = schema.class_named(&self.class);
        let is_known = |property: &str| {
            property == super::mapping::NAME
                || class.is_some_and(|class| schema.property_named(class, property).is_some())
        };
        let named = self.properties().chain(self.needs.iter().map(String::as_str));
        if let Some(property) = named.into_iter().find(|it| !is_known(it)) {
            let (class, property) = (self.class.clone(), property.to_owned());
            return Err(RecipeError::Property { class, property });
        }
        match self.types.iter().find(|(_, name)| DataType::from_name(name).is_none()) {
            Some((property, name)) => {
                Err(RecipeError::Type { property: property.clone(), name: name.clone() })
            }
            None => Ok(()),
        }
    }
}
