//! What does not fit, with its parts for programs and in words for people.

use std::fmt;

/// Something on a page that does not fit its wrapper, or that is new though the page fits.
///
/// ```
/// use wrapper::{Extractor, ProblemKind, learn};
///
/// let page = |title: &str, rest: &str| page::parse(format!("<h1>{title}</h1>{rest}").as_bytes());
/// let pages = ["Dune", "Emma", "Kim"].map(|title| page(title, "<p class=price>$5</p>"));
/// let wrapper = learn(pages.into(), &Default::default())?.wrapper;
///
/// let found = Extractor::new(&wrapper).extract(&page("She", "<aside>Sold out</aside>"));
/// let problem = &found.problems[0];
/// assert_eq!((problem.kind, problem.leaf), (ProblemKind::New, Some(1)));
/// assert_eq!((&*problem.text, &*problem.path), ("Sold out", "html/body/aside"));
/// assert_eq!((problem.after.as_deref(), &*problem.expected), (Some("title"), &["\"$5\"".into()][..]));
/// # Ok::<(), wrapper::LearnError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Problem {
    /// What is wrong.
    pub kind: ProblemKind,
    /// The leaf, if it is one.
    pub leaf: Option<usize>,
    /// What the leaf says; of a long text the start.
    pub text: String,
    /// The tags from the root to the leaf.
    pub path: String,
    /// The place of the template that the leaf comes after: the name of a column, or what is written there, in quotes.
    /// None at the start of a page.
    pub after: Option<String>,
    /// What stands there on other pages, the most frequent first: names of columns, or what is written there, in quotes.
    /// Of many only the first.
    pub expected: Vec<String>,
    /// The place of the template that is most like where the leaf stands, if there is one.
    pub nearest: Option<String>,
}

/// What is wrong with a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProblemKind {
    /// A leaf stands where nothing like it ever stood. A few of these among others that fit are no harm.
    New,
    /// A label says something else.
    Reworded,
    /// A leaf has a place in the template, but must not come after the one before it.
    OutOfOrder,
    /// The page ends where something must follow.
    TooShort,
    /// Much is missing that every page had.
    Missing {
        /// How many places.
        n: usize,
        /// Of how many that every page had.
        of: usize,
    },
    /// Many leaves stand in elements of other classes: the markup has changed.
    OtherClasses {
        /// How many leaves.
        n: usize,
        /// Of how many on the page.
        of: usize,
    },
    /// There are more problems than are told.
    More {
        /// How many.
        n: usize,
    },
}

impl ProblemKind {
    /// Its name in files and messages.
    pub fn name(self) -> &'static str {
        match self {
            ProblemKind::New => "new",
            ProblemKind::Reworded => "reworded",
            ProblemKind::OutOfOrder => "out_of_order",
            ProblemKind::TooShort => "too_short",
            ProblemKind::Missing { .. } => "missing",
            ProblemKind::OtherClasses { .. } => "other_classes",
            ProblemKind::More { .. } => "more",
        }
    }
}

impl Problem {
    /// A problem of the page as a whole.
    pub(crate) fn of_page(kind: ProblemKind) -> Problem {
        Problem {
            kind,
            leaf: None,
            text: String::new(),
            path: String::new(),
            after: None,
            expected: Vec::new(),
            nearest: None,
        }
    }

    /// `; after title, price is expected`
    fn write_expected(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.expected.is_empty() {
            return Ok(());
        }
        let expected = self.expected.join(" or ");
        match &self.after {
            Some(after) => write!(f, "; after {after}, {expected} is expected"),
            None => write!(f, "; {expected} is expected first"),
        }
    }

    /// `; the nearest place is price`
    fn write_nearest(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.nearest {
            Some(nearest) => write!(f, "; the nearest place is {nearest}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let said = format_args!("{:?} at {}", self.text, self.path).to_string();
        match self.kind {
            ProblemKind::New => {
                write!(f, "{said} is new")?;
                self.write_expected(f)?;
                self.write_nearest(f)
            }
            ProblemKind::Reworded => {
                write!(f, "{said} should say {}", self.expected.join(" or "))
            }
            ProblemKind::OutOfOrder => {
                write!(f, "{said}")?;
                if let Some(nearest) = &self.nearest {
                    write!(f, ", which looks like {nearest},")?;
                }
                match &self.after {
                    Some(after) => write!(f, " must not stand right after {after}")?,
                    None => write!(f, " must not stand at the start of a page")?,
                }
                match &*self.expected {
                    [] => Ok(()),
                    expected => write!(f, "; {} is expected", expected.join(" or ")),
                }
            }
            ProblemKind::TooShort if self.leaf.is_none() => write!(f, "the page shows nothing"),
            ProblemKind::TooShort => {
                write!(f, "the page must not end with {said}")?;
                self.write_expected(f)
            }
            ProblemKind::Missing { n, of } => {
                write!(f, "{n} of {of} things are missing that every page had")?;
                match &*self.expected {
                    [] => Ok(()),
                    expected if expected.len() == n => write!(f, ": {}", expected.join(", ")),
                    expected => write!(f, ": {} and others", expected.join(", ")),
                }
            }
            ProblemKind::OtherClasses { n, of } => {
                write!(f, "{n} of {of} leaves stand in elements of other classes")
            }
            ProblemKind::More { n } => write!(f, "and {n} more"),
        }
    }
}
