//! Doing what statements say.
//!
//! Names become objects by the schema: of the class that is expected, in the container that is named, made where an insert finds
//! none. What can be told from the statement alone is checked here, the rest by [`Facts`].

mod inverse;
mod items;
mod relations;
mod resolve;

use crate::error::Error;
pub(crate) use items::no_property;

use crate::facts::{Facts, ObjectId};
use crate::schema::{ClassId, PropertyId};
use crate::statement::{Action, Change};

/// What items are about.
#[derive(Clone, Copy)]
enum Subject {
    /// An object of a class.
    Object(ObjectId, ClassId),
    /// A role that someone plays.
    Context(crate::facts::ContextId, PropertyId),
}

impl Subject {
    fn holder(self) -> crate::facts::Holder {
        match self {
            Subject::Object(object, _) => object.into(),
            Subject::Context(context, _) => context.into(),
        }
    }
}

/// Run an insert, update or delete.
pub(crate) fn apply(facts: &mut Facts<'_>, change: &Change) -> Result<(), Error> {
    let at = change.object.at();
    let object = resolve::path(facts, &change.object, change.action == Action::Insert)?;
    let class = facts.class_of(object)?;
    if change.action == Action::Delete && change.items.is_empty() {
        return facts.delete_object(object).map_err(|error| error.or_at(at));
    }
    let subject = Subject::Object(object, class);
    change.items.iter().try_for_each(|item| items::apply(facts, subject, item, change.action))
}
