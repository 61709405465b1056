//! A network, open.

use crate::apply::apply;
use crate::error::Error;
use crate::facts::Facts;
use crate::query::{self, Answer, Query};
use crate::reader::Reader;
use crate::schema::{
    ClassDefinition, Schema, class_definition, definitions, print_class, sees_class,
};
use crate::statement::{Statement, read_statement};
use crate::store::{
    Access, Database, Source, connect, make_tables, make_views, read_schema, shown,
    write_definitions,
};
use std::time::Duration;

/// A network in a database.
pub struct Network {
    pub(crate) db: Box<dyn Database>,
    pub(crate) schema: Schema,
    store: String,
}

/// What came of a statement.
#[derive(Clone, Debug, PartialEq)]
pub enum Done {
    /// The schema has grown, or was like this.
    Defined,
    /// Facts were written; so many of them are new.
    Changed(u64),
    /// What a query found.
    Answer(Answer),
}

impl Network {
    /// Open a network: a file, or a database by its address (`postgres://…`). It is made where there is none, also in the file of a
    /// crawl.
    pub fn open(store: &str) -> Result<Network, Error> {
        Network::open_for(store, Access::Write)
    }

    /// Open a network that is there.
    pub fn open_existing(store: &str) -> Result<Network, Error> {
        Network::open_for(store, Access::Read)
    }

    fn open_for(store: &str, access: Access) -> Result<Network, Error> {
        let mut db = connect(store, access)?;
        let store = shown(store);
        make_tables(db.as_mut(), &store, access == Access::Write)?;
        let schema = read_schema(db.as_mut())?;
        Ok(Network { db, schema, store })
    }

    /// Throw away all facts; the schema stays.
    pub fn clear(&mut self) -> Result<(), Error> {
        self.in_transaction(|db, _| {
            let tables =
                ["object", "attribute", "edge", "role", "evidence", "alias", "join", "source"];
            for table in tables {
                db.execute(&format!("DELETE FROM net_{table}"), &[])?;
            }
            db.execute("DELETE FROM doubt", &[]).map(|_| ())
        })
    }

    /// What there may be in it.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// Where it is, without passwords.
    pub fn store(&self) -> &str {
        &self.store
    }

    /// How long to wait while others write, before that is an error.
    pub fn set_patience(&mut self, patience: Duration) -> Result<(), Error> {
        self.db.set_patience(patience)
    }

    /// Add the classes of a text to the schema. What is there already is no mistake.
    pub fn define(&mut self, text: &str) -> Result<(), Error> {
        self.add_definitions(&definitions(text)?)
    }

    fn add_definitions(&mut self, classes: &[ClassDefinition]) -> Result<(), Error> {
        let mut checked = self.schema.clone();
        if !checked.extend(classes)? {
            return Ok(());
        }
        let text: String = classes.iter().map(|class| print_class(class) + "\n").collect();
        self.in_transaction(|db, schema| {
            // Someone else may have added to it meanwhile.
            let mut grown = read_schema(db)?;
            if grown.extend(classes)? {
                write_definitions(db, &grown, &text)?;
                make_views(db, &grown)?;
            }
            *schema = grown;
            Ok(())
        })
    }

    /// Write facts in one transaction: all that `work` does, or nothing if it fails.
    pub fn change<T>(
        &mut self,
        source: &Source,
        work: impl FnOnce(&mut Facts<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.in_transaction(|db, schema| {
            let mut facts = Facts::begin(db, schema, source)?;
            let done = work(&mut facts)?;
            facts.end()?;
            Ok(done)
        })
    }

    /// Read without writing, through the same calls.
    pub fn look<T>(
        &mut self,
        work: impl FnOnce(&mut Facts<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        work(&mut Facts::reading(self.db.as_mut(), &self.schema))
    }

    fn in_transaction<T>(
        &mut self,
        work: impl FnOnce(&mut dyn Database, &mut Schema) -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.db.begin()?;
        let kept = self.schema.clone();
        let done = work(self.db.as_mut(), &mut self.schema)
            .and_then(|done| self.db.batch("COMMIT").map(|()| done));
        if done.is_err() {
            let _ = self.db.batch("ROLLBACK");
            self.schema = kept;
        }
        done
    }

    /// Run the statements of a text, each in a transaction of its own. At the first that is wrong it ends; those before it stay.
    pub fn run(&mut self, text: &str, source: &Source) -> Result<Vec<Done>, Error> {
        let mut all = Vec::new();
        self.run_each(text, source, |_, done| {
            all.push(done);
            Ok(())
        })?;
        Ok(all)
    }

    /// The same, handing on what came of each statement as it is done.
    pub fn run_each(
        &mut self,
        text: &str,
        source: &Source,
        mut each: impl FnMut(&mut Network, Done) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut reader = Reader::new(text);
        while !reader.is_at_end() {
            let mut classes = Vec::new();
            while sees_class(&mut reader) {
                classes.push(class_definition(&mut reader)?);
            }
            let done = match classes.is_empty() {
                // Classes name each other, so those that follow each other come together.
                false => self.add_definitions(&classes).map(|()| Done::Defined)?,
                true => {
                    let statement = read_statement(&mut reader, &self.schema)?;
                    self.run_statement(&statement, source)?
                }
            };
            each(self, done)?;
        }
        Ok(())
    }

    /// Run one statement.
    pub fn run_statement(&mut self, statement: &Statement, source: &Source) -> Result<Done, Error> {
        match statement {
            Statement::Class(class) => {
                self.add_definitions(std::slice::from_ref(class))?;
                Ok(Done::Defined)
            }
            Statement::Change(change) => {
                let n_new = self.change(source, |facts| {
                    apply(facts, change)?;
                    Ok(facts.n_new())
                })?;
                Ok(Done::Changed(n_new))
            }
            Statement::Query(query) => Ok(Done::Answer(self.ask(query)?)),
        }
    }

    /// Ask a query, as text.
    pub fn query(&mut self, text: &str) -> Result<Answer, Error> {
        let query = query::parse(text, &self.schema)?;
        self.ask(&query)
    }

    /// Ask a query.
    pub fn ask(&mut self, query: &Query) -> Result<Answer, Error> {
        query::answer(self.db.as_mut(), &self.schema, query)
    }

    /// The SQL of a query, and how the database goes about it.
    pub fn explain(&mut self, text: &str) -> Result<String, Error> {
        let query = query::parse(text, &self.schema)?;
        query::explain(self.db.as_mut(), &self.schema, &query)
    }

    /// Have the database look at what it holds, after much was written: its plans get better by that.
    pub fn analyze(&mut self) -> Result<(), Error> {
        self.db.batch("ANALYZE")
    }
}
