//! A million objects and three million facts into SQLite, and the five queries of the model on them.
//!
//! Fails below 20,000 facts a second, above 50 ms a query with one bound end, and where a plan looks through a whole table.

use network::{ClassId, Error, Facts, Network, ObjectId, PropertyId, Source};
use std::process::ExitCode;
use std::time::{Duration, Instant};

const N_UNIVERSITIES: usize = 100;
const N_COLLEGES: usize = 10;
const N_DEPARTMENTS: usize = 10;
const N_OBJECTS: usize = 1_000_000;
/// Facts of a transaction: few enough for the log of SQLite to stay small.
const N_TOGETHER: usize = 20_000;
const MIN_FACTS_A_SECOND: f64 = 20_000.0;
const MAX_QUERY: Duration = Duration::from_millis(50);
const MIN_FACTS: usize = 3_000_000;
const N_RUNS: usize = 5;

const SCHEMA: &str = "
    class University [ founded: int, contain colleges(inverse belongsTo): College*,
        role President(inverse worksIn, id title): Person [since: int] ];
    class College [ contain departments(inverse belongsTo): Department*,
        role Faculty(inverse worksIn, id title): Person* [since: int] { Professors [chair: string], Associate Professors, Lecturers } ];
    class Department [ role Staff(inverse worksIn, id title): Person* [since: int] ];
    class Person [ email: email* ];";

const QUERIES: [&str; 5] = [
    "query College \"College 7.3\"[Faculty: $p] construct $p",
    "query Person \"Person 4711\"[worksIn: $o] construct $o",
    "query College \"College 7.3\"[$role: $p[since: $y]] construct $p, $role, $y",
    "query University $u[$r1: $p], College \"College 0.7\"[$r2: $p] construct $p, $r1, $r2",
    "query Person $p[name: \"Person 4999\"], not Person $p[worksIn: $o] construct $p",
];

struct Ids {
    classes: [ClassId; 4],
    colleges: PropertyId,
    departments: PropertyId,
    president: PropertyId,
    roles: [PropertyId; 3],
    staff: PropertyId,
    email: PropertyId,
}

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<bool, Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("network.db");
    let mut network = Network::open(&file.display().to_string())?;
    network.define(SCHEMA)?;
    let start = Instant::now();
    let (n_objects, n_facts) = load(&mut network)?;
    let took = start.elapsed();
    network.analyze()?;
    let rate = n_facts as f64 / took.as_secs_f64();
    let size = std::fs::metadata(&file)?.len() as f64 / 1e6;
    println!(
        "{n_objects} objects and {n_facts} facts in {:.1} s: {rate:.0} facts a second, {size:.0} MB",
        took.as_secs_f64()
    );
    let mut is_good = rate >= MIN_FACTS_A_SECOND && n_facts >= MIN_FACTS;
    for query in QUERIES {
        is_good &= measure(&mut network, query)?;
    }
    Ok(is_good)
}

fn measure(network: &mut Network, query: &str) -> Result<bool, Error> {
    let mut times = Vec::new();
    let mut n_rows = 0;
    for _ in 0..N_RUNS {
        let start = Instant::now();
        if let network::Answer::Table(table) = network.query(query)? {
            n_rows = table.rows.len();
        }
        times.push(start.elapsed());
    }
    times.sort();
    let (median, plan) = (times[N_RUNS / 2], network.explain(query)?);
    let scans: Vec<&str> = plan.lines().filter(|line| is_scan(line)).collect();
    println!("{:8.2} ms  {n_rows:5} rows  {query}", median.as_secs_f64() * 1e3);
    scans.iter().for_each(|scan| println!("             {scan}"));
    // A query that finds nothing says little of how long it takes to find something.
    Ok(median <= MAX_QUERY && scans.is_empty() && n_rows > 0)
}

/// A look at all rows of a table, without an index.
fn is_scan(line: &str) -> bool {
    line.contains("SCAN")
        && !line.contains("USING")
        && !line.contains("SCAN t")
        && !line.contains("CONSTANT ROW")
}

fn ids(network: &Network) -> Option<Ids> {
    let schema = network.schema();
    let [university, college, department, person] =
        ["University", "College", "Department", "Person"].map(|name| schema.class_named(name));
    let (university, college, department, person) = (university?, college?, department?, person?);
    Some(Ids {
        classes: [university, college, department, person],
        colleges: schema.property_named(university, "colleges")?,
        departments: schema.property_named(college, "departments")?,
        president: schema.property_named(university, "President")?,
        roles: [
            schema.property_named(college, "Professors")?,
            schema.property_named(college, "Associate Professors")?,
            schema.property_named(college, "Lecturers")?,
        ],
        staff: schema.property_named(department, "Staff")?,
        email: schema.property_named(person, "email")?,
    })
}

fn load(network: &mut Network) -> Result<(usize, usize), Box<dyn std::error::Error>> {
    let ids = ids(network).ok_or("the schema lacks something")?;
    let page = Source::page("https://example.org/", 1);
    let (mut colleges, mut departments, mut universities) = (Vec::new(), Vec::new(), Vec::new());
    network.change(&page, |facts| {
        units(facts, &ids, &mut universities, &mut colleges, &mut departments)
    })?;
    let n_units = universities.len() + colleges.len() + departments.len();
    let n_people = N_OBJECTS - n_units;
    let mut n_facts = 0;
    for start in (0..n_people).step_by(N_TOGETHER) {
        let end = n_people.min(start + N_TOGETHER);
        n_facts += network.change(&page, |facts| {
            let mut n_facts = 0;
            for person in start..end {
                n_facts +=
                    add_person(facts, &ids, person, (&universities, &colleges, &departments))?;
            }
            Ok(n_facts)
        })?;
    }
    Ok((N_OBJECTS, n_facts))
}

fn units(
    facts: &mut Facts<'_>,
    ids: &Ids,
    universities: &mut Vec<ObjectId>,
    colleges: &mut Vec<ObjectId>,
    departments: &mut Vec<ObjectId>,
) -> Result<(), Error> {
    for u in 0..N_UNIVERSITIES {
        let university = facts.add_object(ids.classes[0], &format!("University {u}"), None)?;
        universities.push(university);
        for c in 0..N_COLLEGES {
            let college = facts.add_object(
                ids.classes[1],
                &format!("College {u}.{c}"),
                Some((university, ids.colleges)),
            )?;
            colleges.push(college);
            for d in 0..N_DEPARTMENTS {
                let name = format!("Department {u}.{c}.{d}");
                departments.push(facts.add_object(
                    ids.classes[2],
                    &name,
                    Some((college, ids.departments)),
                )?);
            }
        }
    }
    Ok(())
}

/// A person with a mail address, a role and what is true in it; some have more than one, and few have none.
fn add_person(
    facts: &mut Facts<'_>,
    ids: &Ids,
    n: usize,
    (universities, colleges, departments): (&[ObjectId], &[ObjectId], &[ObjectId]),
) -> Result<usize, Error> {
    facts.set_source(
        &Source::page(format!("https://example.org/{}", n / 100), 1).at(format!("li[{}]", n % 100)),
    )?;
    let person = facts.add_object(ids.classes[3], &format!("Person {n}"), None)?;
    facts.attribute(person, ids.email, &format!("p{n}@example.org"))?;
    if n % 1000 == 999 {
        return Ok(1);
    }
    let since = (1950 + n % 75).to_string();
    let (unit, role) = match n % 2 {
        0 => (colleges[n / 2 % colleges.len()], ids.roles[n % 3]),
        _ => (departments[n / 2 % departments.len()], ids.staff),
    };
    let context = facts.role(unit, role, person)?;
    let schema = facts.schema();
    if let Some(attribute) = schema.context_named(role, "since") {
        facts.attribute(context, attribute, &since)?;
    }
    let mut n_facts = 3;
    if n.is_multiple_of(20) {
        facts.role(departments[n % departments.len()], ids.staff, person)?;
        n_facts += 1;
    }
    if n < universities.len() {
        facts.role(universities[n], ids.president, person)?;
        n_facts += 1;
    }
    Ok(n_facts)
}
