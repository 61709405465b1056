//! What stands in for `objects` where the feature `s3` is off: addresses are known, and say what is missing.

use super::error::InputError;
use std::convert::Infallible;
use std::io::{self, Read};

pub(super) enum Named {
    Object(Place),
    #[allow(dead_code)] // as the other has it
    Several(Place),
}

pub(super) struct Place(String);

/// There is none.
pub(super) struct Object(Infallible);

impl Named {
    pub(super) fn parse(address: &str) -> Option<Named> {
        let is_object = address.starts_with("s3://") || address.starts_with("s3a://");
        is_object.then(|| Named::Object(Place(address.to_owned())))
    }
}

pub(super) fn list(place: &Place) -> Result<Vec<String>, InputError> {
    Err(place.missing())
}

impl Place {
    fn missing(&self) -> InputError {
        InputError::Object {
            address: self.0.clone(),
            reason: "this build reads no object stores; build it with the feature s3, or copy the object to a file".to_owned(),
        }
    }
}

impl Object {
    pub(super) fn open(place: &Place) -> Result<Object, InputError> {
        Err(place.missing())
    }

    pub(super) fn len(&self) -> u64 {
        match self.0 {}
    }
}

impl Read for Object {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        match self.0 {}
    }
}
