//! Adding classes, and properties of classes that are there.

use super::{
    Class, ClassDefinition, ClassId, Kind, KindDefinition, Owner, Property, PropertyDefinition,
    PropertyId, Relation, Relationship, Schema, SpecificDefinition,
};
use crate::error::{Error, Rule};
use crate::reader::Word;

impl Schema {
    /// Add definitions; nothing is added where one of them is wrong. Says whether there was something new.
    pub(crate) fn extend(&mut self, definitions: &[ClassDefinition]) -> Result<bool, Error> {
        let mut grown = self.clone();
        for definition in definitions {
            grown.add_class(&definition.name);
        }
        for definition in definitions {
            grown.set_parent(definition)?;
        }
        for definition in definitions {
            let class = grown.expect_class(&definition.name)?;
            for property in &definition.properties {
                grown.add_to_class(class, property)?;
            }
        }
        grown.check_names()?;
        let is_new = grown.print() != self.print();
        *self = grown;
        Ok(is_new)
    }

    fn add_class(&mut self, name: &Word) {
        if self.class_named(&name.text).is_none() {
            self.classes.push(Class { name: name.text.clone(), parent: None, own: Vec::new() });
        }
    }

    fn set_parent(&mut self, definition: &ClassDefinition) -> Result<(), Error> {
        let Some(parent) = &definition.parent else { return Ok(()) };
        let class = self.expect_class(&definition.name)?;
        let above = self.expect_class(parent)?;
        if self.is_a(above, class) {
            let message = format!("class {:?} would be a kind of itself", definition.name.text);
            return Err(Error::check(Rule::Declared, parent.at, message));
        }
        match self.class(class).parent {
            Some(known) if known != above => {
                let message = format!(
                    "class {:?} is declared as a kind of {:?} already",
                    definition.name.text,
                    self.class(known).name
                );
                Err(Error::check(Rule::Declared, parent.at, message))
            }
            _ => {
                self.classes[class.0 as usize].parent = Some(above);
                Ok(())
            }
        }
    }

    pub(crate) fn expect_class(&self, name: &Word) -> Result<ClassId, Error> {
        self.class_named(&name.text).ok_or_else(|| self.unknown_class(name))
    }

    fn add_to_class(
        &mut self,
        class: ClassId,
        definition: &PropertyDefinition,
    ) -> Result<(), Error> {
        let own = &self.class(class).own;
        let known = own.iter().copied().find(|id| self.property(*id).name == definition.name.text);
        match known {
            Some(known) => self.grow(known, definition),
            None => {
                let id = self.add(Owner::Class(class), definition)?;
                self.classes[class.0 as usize].own.push(id);
                Ok(())
            }
        }
    }

    /// A property that is declared again: the same, with more context or more specific relationships at most.
    fn grow(&mut self, known: PropertyId, definition: &PropertyDefinition) -> Result<(), Error> {
        let differs = |schema: &Schema| {
            let message = format!(
                "{:?} is declared otherwise already; a schema can grow, not change",
                schema.path(known)
            );
            Error::check(Rule::Declared, definition.name.at, message)
        };
        let property = self.property(known);
        if property.is_many != definition.is_many {
            return Err(differs(self));
        }
        match (&property.kind, &definition.kind) {
            (
                Kind::Attribute { value, is_key },
                KindDefinition::Attribute { value: new_value, is_key: new_key },
            ) if (value, is_key) == (new_value, new_key) => Ok(()),
            (
                Kind::Relationship(known_as),
                KindDefinition::Relationship {
                    relation,
                    target,
                    inverse,
                    identification,
                    context,
                    specifics,
                },
            ) => {
                let text = |word: &Option<Word>| word.as_ref().map(|word| word.text.clone());
                let is_same = known_as.relation == *relation
                    && known_as.target == self.expect_class(target)?
                    && known_as.inverse == text(inverse)
                    && known_as.identification == text(identification);
                if !is_same {
                    return Err(differs(self));
                }
                self.grow_context(known, context)?;
                self.grow_specifics(known, specifics)
            }
            _ => Err(differs(self)),
        }
    }

    fn grow_context(
        &mut self,
        role: PropertyId,
        context: &[PropertyDefinition],
    ) -> Result<(), Error> {
        for definition in context {
            match self.below_named(role, |it| &it.context, &definition.name) {
                Some(known) => self.grow(known, definition)?,
                None => {
                    self.check_in_context(definition)?;
                    let id = self.add(Owner::Context(role), definition)?;
                    self.relationship_mut(role, |it| it.context.push(id));
                }
            }
        }
        Ok(())
    }

    fn grow_specifics(
        &mut self,
        generic: PropertyId,
        specifics: &[SpecificDefinition],
    ) -> Result<(), Error> {
        for definition in specifics {
            let id = match self.below_named(generic, |it| &it.specifics, &definition.name) {
                Some(known) => known,
                None => self.add_specific(generic, definition),
            };
            self.grow_context(id, &definition.context)?;
            self.grow_specifics(id, &definition.specifics)?;
        }
        Ok(())
    }

    /// What a relationship has of a name, in its context or among what is specific of it.
    fn below_named(
        &self,
        relationship: PropertyId,
        pick: fn(&Relationship) -> &Vec<PropertyId>,
        name: &Word,
    ) -> Option<PropertyId> {
        let all = pick(self.relationship(relationship)?).iter().copied();
        all.into_iter().find(|id| self.property(*id).name == name.text)
    }

    fn add_specific(&mut self, generic: PropertyId, definition: &SpecificDefinition) -> PropertyId {
        let above = self.property(generic);
        let kind = match &above.kind {
            Kind::Relationship(it) => Kind::Relationship(Relationship {
                context: Vec::new(),
                specifics: Vec::new(),
                ..it.clone()
            }),
            attribute => attribute.clone(),
        };
        let (name, is_many) = (definition.name.text.clone(), above.is_many);
        let id = self.push(Property { name, owner: Owner::Generic(generic), is_many, kind });
        self.relationship_mut(generic, |it| it.specifics.push(id));
        id
    }

    fn add(&mut self, owner: Owner, definition: &PropertyDefinition) -> Result<PropertyId, Error> {
        let (name, is_many) = (definition.name.text.clone(), definition.is_many);
        let plain = |kind| Property { name, owner, is_many, kind };
        match &definition.kind {
            KindDefinition::Attribute { value, is_key } => {
                Ok(self.push(plain(Kind::Attribute { value: *value, is_key: *is_key })))
            }
            KindDefinition::Relationship {
                relation,
                target,
                inverse,
                identification,
                context,
                specifics,
            } => {
                let relationship = Relationship {
                    relation: *relation,
                    target: self.expect_class(target)?,
                    inverse: inverse.as_ref().map(|word| word.text.clone()),
                    identification: identification.as_ref().map(|word| word.text.clone()),
                    context: Vec::new(),
                    specifics: Vec::new(),
                };
                let id = self.push(plain(Kind::Relationship(relationship)));
                self.grow_context(id, context)?;
                self.grow_specifics(id, specifics)?;
                Ok(id)
            }
        }
    }

    /// A context has what is true of a player in it: values and plain relationships.
    fn check_in_context(&self, definition: &PropertyDefinition) -> Result<(), Error> {
        match &definition.kind {
            KindDefinition::Relationship { relation, inverse, .. }
                if *relation != Relation::Normal || inverse.is_some() =>
            {
                let message = format!(
                    "{:?} cannot be in a context: it has attributes, and normal relationships without an inverse",
                    definition.name.text
                );
                Err(Error::check(Rule::Context, definition.name.at, message))
            }
            KindDefinition::Attribute { is_key: true, .. } => {
                let message =
                    format!("{:?} cannot be a key: it is in a context", definition.name.text);
                Err(Error::check(Rule::Key, definition.name.at, message))
            }
            _ => Ok(()),
        }
    }

    fn push(&mut self, property: Property) -> PropertyId {
        let id = u32::try_from(self.properties.len()).unwrap_or(u32::MAX);
        self.properties.push(property);
        PropertyId(id)
    }

    fn relationship_mut(&mut self, id: PropertyId, change: impl FnOnce(&mut Relationship)) {
        if let Kind::Relationship(it) = &mut self.properties[id.0 as usize].kind {
            change(it);
        }
    }
}
