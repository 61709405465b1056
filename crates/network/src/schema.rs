//! What there may be in a network: classes, their attributes, relationships and roles.
//!
//! In comes text (`class Name isa Name [ … ];`), out comes a [`Schema`]. Schemas only grow: a text may add classes, and properties
//! to classes that are there. So the numbers of classes and properties, which the database has, stay what they are.

mod check;
mod extend;
mod parse;
mod print;
mod value;

pub(crate) use check::{NAME, known};
pub(crate) use parse::{class_definition, sees_class};
pub use print::print_class;
pub use value::ValueType;

use crate::error::Error;
use crate::reader::{Reader, Word};
use std::collections::BTreeSet;

/// A class, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClassId(pub(crate) u32);

/// An attribute, relationship, role or specific relationship, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PropertyId(pub(crate) u32);

/// The classes and properties of a network.
#[derive(Clone, Debug, Default)]
pub struct Schema {
    classes: Vec<Class>,
    properties: Vec<Property>,
}

/// A class.
#[derive(Clone, Debug)]
pub struct Class {
    /// What it is called.
    pub name: String,
    /// What it is a kind of.
    pub parent: Option<ClassId>,
    /// What it declares itself.
    pub own: Vec<PropertyId>,
}

/// How objects are related.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Relation {
    /// One object and another.
    Normal,
    /// A whole and its parts, which have their path name by it.
    Contain,
    /// A unit and those who play a role in it.
    Role,
}

impl Relation {
    /// All, in the order of the language.
    pub const ALL: [Relation; 3] = [Relation::Normal, Relation::Contain, Relation::Role];

    /// Its word in the language.
    pub fn word(self) -> &'static str {
        match self {
            Relation::Normal => "normal",
            Relation::Contain => "contain",
            Relation::Role => "role",
        }
    }
}

/// An attribute, or a relationship with all that hangs on it.
#[derive(Clone, Debug)]
pub struct Property {
    /// What it is called.
    pub name: String,
    /// What declares it.
    pub owner: Owner,
    /// Whether there may be more than one.
    pub is_many: bool,
    /// An attribute or a relationship.
    pub kind: Kind,
}

/// What a property is declared by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// A class.
    Class(ClassId),
    /// A role, whose context has it.
    Context(PropertyId),
    /// A generic relationship, of which this is a specific one.
    Generic(PropertyId),
}

/// What a property is.
#[derive(Clone, Debug)]
pub enum Kind {
    /// A value.
    Attribute {
        /// Of which type.
        value: ValueType,
        /// Whether it is unique in the container.
        is_key: bool,
    },
    /// Another object.
    Relationship(Relationship),
}

/// A relationship from objects of one class to those of another.
#[derive(Clone, Debug)]
pub struct Relationship {
    /// Which kind.
    pub relation: Relation,
    /// What it leads to.
    pub target: ClassId,
    /// What it is called from the other end.
    pub inverse: Option<String>,
    /// What says, in the context, which role it is.
    pub identification: Option<String>,
    /// What the context has, without what generic roles add to it.
    pub context: Vec<PropertyId>,
    /// The specific relationships right below it.
    pub specifics: Vec<PropertyId>,
}

static NO_CLASS: Class = Class { name: String::new(), parent: None, own: Vec::new() };
static NO_PROPERTY: Property = Property {
    name: String::new(),
    owner: Owner::Class(ClassId(u32::MAX)),
    is_many: true,
    kind: Kind::Attribute { value: ValueType::String, is_key: false },
};

/// A class as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassDefinition {
    /// What it is called.
    pub name: Word,
    /// What it is a kind of.
    pub parent: Option<Word>,
    /// What it declares.
    pub properties: Vec<PropertyDefinition>,
}

/// A property as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropertyDefinition {
    /// What it is called.
    pub name: Word,
    /// A star behind its type.
    pub is_many: bool,
    /// What it is.
    pub kind: KindDefinition,
}

/// What a property is, as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KindDefinition {
    /// `[@] name: type`
    Attribute {
        /// The type.
        value: ValueType,
        /// An @ before the name.
        is_key: bool,
    },
    /// `relation name(inverse x, id y): Class [ context ] { specifics }`
    Relationship {
        /// Which kind.
        relation: Relation,
        /// The class it leads to.
        target: Word,
        /// What it is called from the other end.
        inverse: Option<Word>,
        /// What says which role it is.
        identification: Option<Word>,
        /// What its context has.
        context: Vec<PropertyDefinition>,
        /// The specific relationships.
        specifics: Vec<SpecificDefinition>,
    },
}

/// A specific relationship as it is written: `name [ context ] { specifics }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecificDefinition {
    /// What it is called.
    pub name: Word,
    /// What its context has on top.
    pub context: Vec<PropertyDefinition>,
    /// More specific ones.
    pub specifics: Vec<SpecificDefinition>,
}

impl Schema {
    /// Read a schema.
    ///
    /// ```
    /// let schema = network::Schema::parse("class Person [ born: int ];")?;
    /// assert!(schema.class_named("Person").is_some());
    /// # Ok::<(), network::Error>(())
    /// ```
    pub fn parse(text: &str) -> Result<Schema, Error> {
        let mut schema = Schema::default();
        schema.extend(&definitions(text)?)?;
        Ok(schema)
    }

    /// All classes.
    pub fn classes(&self) -> impl Iterator<Item = (ClassId, &Class)> {
        (0..).map(ClassId).zip(&self.classes)
    }

    /// All properties, those of contexts and specific ones too.
    pub fn properties(&self) -> impl Iterator<Item = (PropertyId, &Property)> {
        (0..).map(PropertyId).zip(&self.properties)
    }

    /// A class by its number.
    pub fn class(&self, id: ClassId) -> &Class {
        // Numbers come from files too, and those may be damaged.
        self.classes.get(id.0 as usize).unwrap_or(&NO_CLASS)
    }

    /// A property by its number.
    pub fn property(&self, id: PropertyId) -> &Property {
        self.properties.get(id.0 as usize).unwrap_or(&NO_PROPERTY)
    }

    /// The relationship that a property is; none if it is an attribute.
    pub fn relationship(&self, id: PropertyId) -> Option<&Relationship> {
        match &self.property(id).kind {
            Kind::Relationship(relationship) => Some(relationship),
            Kind::Attribute { .. } => None,
        }
    }

    /// A class by its name.
    pub fn class_named(&self, name: &str) -> Option<ClassId> {
        self.classes().find(|(_, class)| class.name == name).map(|(id, _)| id)
    }

    /// A class and what it is a kind of, the class first.
    pub fn ancestors(&self, class: ClassId) -> impl Iterator<Item = ClassId> {
        std::iter::successors(Some(class), |class| self.class(*class).parent)
    }

    /// Whether one class is another or a kind of it.
    pub fn is_a(&self, class: ClassId, other: ClassId) -> bool {
        self.ancestors(class).any(|ancestor| ancestor == other)
    }

    /// A class and all kinds of it.
    pub fn kinds_of(&self, class: ClassId) -> BTreeSet<ClassId> {
        self.classes().map(|(id, _)| id).filter(|id| self.is_a(*id, class)).collect()
    }

    /// What objects of a class may have: what it declares and what those above it declare.
    pub fn properties_of(&self, class: ClassId) -> impl Iterator<Item = PropertyId> {
        let mut chain: Vec<ClassId> = self.ancestors(class).collect();
        chain.reverse();
        chain.into_iter().flat_map(|class| self.class(class).own.iter().copied())
    }

    /// A property and all specific ones below it.
    pub fn below(&self, id: PropertyId) -> Vec<PropertyId> {
        let mut all = vec![id];
        let mut next = 0;
        while let Some(id) = all.get(next).copied() {
            all.extend(self.relationship(id).into_iter().flat_map(|it| &it.specifics));
            next += 1;
        }
        all
    }

    /// A property and the generic ones above it, itself first.
    pub fn generics(&self, id: PropertyId) -> impl Iterator<Item = PropertyId> {
        std::iter::successors(Some(id), |id| match self.property(*id).owner {
            Owner::Generic(generic) => Some(generic),
            _ => None,
        })
    }

    /// The most generic relationship that a specific one is below.
    pub fn root(&self, id: PropertyId) -> PropertyId {
        self.generics(id).last().unwrap_or(id)
    }

    /// The class that declares a relationship, also through generic ones and contexts.
    pub fn declaring_class(&self, id: PropertyId) -> ClassId {
        match self.property(id).owner {
            Owner::Class(class) => class,
            Owner::Context(property) | Owner::Generic(property) => self.declaring_class(property),
        }
    }

    /// What the context of a role has, with what generic roles give it.
    pub fn context_of(&self, role: PropertyId) -> Vec<PropertyId> {
        let mut chain: Vec<PropertyId> = self.generics(role).collect();
        chain.reverse();
        let own = |id| self.relationship(id).into_iter().flat_map(|it| it.context.iter().copied());
        chain.into_iter().flat_map(own).collect()
    }

    /// A relationship's path from the class down: `College.Faculty.Professors`.
    pub fn path(&self, id: PropertyId) -> String {
        let property = self.property(id);
        match property.owner {
            Owner::Class(class) => format!("{}.{}", self.class(class).name, property.name),
            Owner::Context(above) | Owner::Generic(above) => {
                format!("{}.{}", self.path(above), property.name)
            }
        }
    }

    /// What an object of a class has under a name. Specific relationships are found by their own names too, unless several are
    /// called so; what is declared at the top comes first.
    pub fn property_named(&self, class: ClassId, name: &str) -> Option<PropertyId> {
        let is_named = |id: &PropertyId| self.property(*id).name == name;
        let top = self.properties_of(class).find(is_named);
        top.or_else(|| {
            let mut below =
                self.properties_of(class).flat_map(|id| self.below(id)).filter(is_named);
            below.next().filter(|_| below.next().is_none())
        })
    }

    /// What the context of a role has under a name.
    pub fn context_named(&self, role: PropertyId, name: &str) -> Option<PropertyId> {
        self.context_of(role).into_iter().find(|id| self.property(*id).name == name)
    }

    /// The top relationships that objects of a class are at the other end of, under the name of an inverse.
    pub fn inverses_named(&self, class: ClassId, name: &str) -> Vec<PropertyId> {
        let leads_here = |it: &Relationship| {
            it.inverse.as_deref() == Some(name)
                && (self.is_a(class, it.target) || self.is_a(it.target, class))
        };
        let is_top = |property: &Property| matches!(property.owner, Owner::Class(_));
        self.properties()
            .filter(|(id, property)| {
                is_top(property) && self.relationship(*id).is_some_and(leads_here)
            })
            .map(|(id, _)| id)
            .collect()
    }

    /// The names of all inverses that objects of a class have.
    pub fn inverse_names(&self, class: ClassId) -> BTreeSet<&str> {
        self.properties()
            .filter_map(|(id, _)| self.relationship(id))
            .filter(|it| self.is_a(class, it.target))
            .filter_map(|it| it.inverse.as_deref())
            .collect()
    }

    /// What says, in a context, which role it is.
    pub fn identification(&self, role: PropertyId) -> Option<&str> {
        self.relationship(self.root(role)).and_then(|it| it.identification.as_deref())
    }

    /// Whether a class contains something, or has roles: a unit rather than one of those who play them.
    pub fn is_unit(&self, class: ClassId) -> bool {
        self.properties_of(class)
            .filter_map(|id| self.relationship(id))
            .any(|it| it.relation != Relation::Normal)
    }
}

/// The classes of a text, as they are written.
pub(crate) fn definitions(text: &str) -> Result<Vec<ClassDefinition>, Error> {
    let mut reader = Reader::new(text);
    let mut all = Vec::new();
    while !reader.is_at_end() {
        if !sees_class(&mut reader) {
            return Err(reader.expected("\"class\""));
        }
        all.push(class_definition(&mut reader)?);
    }
    Ok(all)
}
