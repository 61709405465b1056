//! Names that schemas must not use twice, and names that they do not have.

use super::{ClassId, Kind, Owner, PropertyId, Schema};
use crate::error::{Error, Rule};
use crate::reader::Word;
use std::collections::BTreeMap;

/// What every object has.
pub(crate) const NAME: &str = "name";

impl Schema {
    pub(super) fn check_names(&self) -> Result<(), Error> {
        for (class, _) in self.classes() {
            self.check_class(class)?;
        }
        for (id, property) in self.properties() {
            if self.relationship(id).is_some() {
                self.check_context(id)?;
            }
            if property.name == NAME && !matches!(property.owner, Owner::Generic(_)) {
                let message =
                    format!("{:?} cannot be declared: every object has a name", self.path(id));
                return Err(Error::check(Rule::Declared, None, message));
            }
        }
        Ok(())
    }

    fn check_class(&self, class: ClassId) -> Result<(), Error> {
        let mut known: BTreeMap<&str, PropertyId> = BTreeMap::new();
        for id in self.properties_of(class) {
            if let Some(other) = known.insert(&self.property(id).name, id) {
                let message =
                    format!("{:?} and {:?} have the same name", self.path(other), self.path(id));
                return Err(Error::check(Rule::Declared, None, message));
            }
        }
        self.check_inverses(class, &known)
    }

    /// An inverse is a name of the class at the other end. Relationships of one kind may share it.
    fn check_inverses(
        &self,
        class: ClassId,
        own: &BTreeMap<&str, PropertyId>,
    ) -> Result<(), Error> {
        let mut kinds: BTreeMap<&str, PropertyId> = BTreeMap::new();
        for (id, property) in self.properties() {
            let Some(it) = self.relationship(id) else { continue };
            let Some(inverse) = it.inverse.as_deref().filter(|_| self.is_a(class, it.target))
            else {
                continue;
            };
            if matches!(property.owner, Owner::Generic(_)) {
                continue;
            }
            let same_kind = |other: &PropertyId| {
                self.relationship(*other).map(|other| other.relation) == Some(it.relation)
            };
            let clash = match kinds.get(inverse).filter(|other| !same_kind(other)) {
                Some(other) => Some(*other),
                None => own.get(inverse).copied(),
            };
            if let Some(other) = clash {
                let message = format!(
                    "inverse {inverse:?} of {:?} takes the name of {:?}",
                    self.path(id),
                    self.path(other)
                );
                return Err(Error::check(Rule::Inverse, None, message));
            }
            if inverse == NAME {
                let message = format!("inverse of {:?} takes the name of the name", self.path(id));
                return Err(Error::check(Rule::Inverse, None, message));
            }
            kinds.entry(inverse).or_insert(id);
        }
        Ok(())
    }

    fn check_context(&self, role: PropertyId) -> Result<(), Error> {
        let mut known: BTreeMap<&str, PropertyId> = BTreeMap::new();
        for id in self.context_of(role) {
            let name = self.property(id).name.as_str();
            if let Some(other) = known.insert(name, id) {
                let message =
                    format!("{:?} and {:?} have the same name", self.path(other), self.path(id));
                return Err(Error::check(Rule::Declared, None, message));
            }
            if self.identification(role) == Some(name) {
                let message = format!("{:?} takes the name of the identification", self.path(id));
                return Err(Error::check(Rule::Declared, None, message));
            }
        }
        let mut specifics: BTreeMap<&str, PropertyId> = BTreeMap::new();
        for id in self.below(role) {
            if let Some(other) = specifics.insert(&self.property(id).name, id) {
                let message =
                    format!("{:?} and {:?} have the same name", self.path(other), self.path(id));
                return Err(Error::check(Rule::Declared, None, message));
            }
        }
        Ok(())
    }

    pub(crate) fn unknown_class(&self, name: &Word) -> Error {
        let names: Vec<&str> = self.classes().map(|(_, class)| class.name.as_str()).collect();
        let message = format!("no class is called {:?}{}", name.text, known(&names));
        Error::check(Rule::Declared, name.at, message)
    }

    /// What a class has, for messages.
    pub(crate) fn names_of(&self, class: ClassId) -> Vec<&str> {
        let own = self.properties_of(class).map(|id| self.property(id).name.as_str());
        own.chain(self.inverse_names(class)).collect()
    }

    /// Whether a property is an attribute.
    pub(crate) fn is_attribute(&self, id: PropertyId) -> bool {
        matches!(self.property(id).kind, Kind::Attribute { .. })
    }
}

/// The names that there are, for messages.
pub(crate) fn known(names: &[&str]) -> String {
    const MAX_NAMES: usize = 12;
    let shown: Vec<&str> = names.iter().copied().take(MAX_NAMES).collect();
    match names.len() {
        0 => "; there is none yet".to_owned(),
        n if n > MAX_NAMES => format!("; there are {}, …", shown.join(", ")),
        _ => format!("; there are {}", shown.join(", ")),
    }
}
