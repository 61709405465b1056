//! What repeats on a page, and what it is about.
//!
//! One page goes in, without any other of its site; record sets, repeating units, people and organisations come out. What a field
//! is about (names of people, words of departments, titles and their ranks) is data, in `dictionaries/`.
