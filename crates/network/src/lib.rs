//! The information network: one object for each thing of the world, with all that pages say of it.
//!
//! A schema says which classes, relationships and roles there are; statements insert, update and delete; queries find. It is kept in
//! a database, together with where each fact was read. `merge` makes objects of what many pages say.

pub mod merge;
