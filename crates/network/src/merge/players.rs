//! Those who have roles: one object for each, however many pages name them.

use super::mention::{Evidence, Place, Player};
use super::name;
use super::{Doubt, DoubtKind};
use std::collections::{BTreeMap, BTreeSet};

/// Someone who has roles.
#[derive(Debug, Clone, PartialEq)]
pub struct PlayerObject {
    /// The class.
    pub class: String,
    /// The name as it is written most often.
    pub name: String,
    /// Other ways in which it is written.
    pub aliases: Vec<String>,
    /// E-mail addresses and home pages.
    pub marks: Vec<String>,
}

/// Someone has a role somewhere.
#[derive(Debug, Clone, PartialEq)]
pub struct RoleFact {
    /// Where: the number of a part.
    pub part: usize,
    /// Who: the number of a player.
    pub player: usize,
    /// The role.
    pub role: String,
    /// The most specific role.
    pub specific: Option<String>,
    /// What is true in it.
    pub context: Vec<(String, String)>,
    /// Where it was read.
    pub places: Vec<Place>,
    /// How sure it is.
    pub confidence: f64,
}

/// All mentions of one.
#[derive(Default)]
struct Draft<'a> {
    class: &'a str,
    names: BTreeMap<&'a str, u32>,
    marks: BTreeSet<&'a str>,
    roles: BTreeMap<(usize, &'a str, Option<&'a str>), RoleDraft<'a>>,
}

#[derive(Default)]
struct RoleDraft<'a> {
    context: Vec<&'a (String, String)>,
    places: Vec<Place>,
    confidence: f64,
}

pub(super) fn merge(
    evidence: &Evidence,
    subjects: &[usize],
) -> (Vec<PlayerObject>, Vec<RoleFact>, Vec<Doubt>) {
    let mut drafts: BTreeMap<(&str, String), Draft<'_>> = BTreeMap::new();
    for (page, subject) in evidence.pages.iter().zip(subjects) {
        for player in &page.players {
            let key = (player.class.as_str(), name::person_key(&player.name));
            drafts.entry(key).or_default().take(player, *subject);
        }
    }
    let (mut players, mut roles) = (Vec::new(), Vec::new());
    for draft in drafts.into_values() {
        let number = players.len();
        players.push(draft.object());
        roles.extend(draft.roles.into_iter().map(|((part, role, specific), it)| RoleFact {
            part,
            player: number,
            role: role.to_owned(),
            specific: specific.map(str::to_owned),
            context: it.context.into_iter().cloned().collect(),
            places: it.places,
            confidence: it.confidence,
        }));
    }
    let mut doubts = two_in_one(&players);
    doubts.extend(one_as_two(&players));
    (players, roles, doubts)
}

impl<'a> Draft<'a> {
    fn take(&mut self, player: &'a Player, subject: usize) {
        self.class = &player.class;
        *self.names.entry(&player.name).or_default() += 1;
        self.marks.extend(player.marks.iter().map(String::as_str));
        let specific = player.specific.as_deref();
        let role = self.roles.entry((subject, &player.role, specific)).or_default();
        for said in &player.context {
            if !role.context.iter().any(|known| known.0 == said.0) {
                role.context.push(said);
            }
        }
        if !role.places.contains(&player.place) {
            role.places.push(player.place.clone());
        }
        role.confidence = role.confidence.max(player.confidence);
    }

    fn object(&self) -> PlayerObject {
        let most = self
            .names
            .iter()
            .max_by_key(|(name, n)| (**n, !name.contains(','), std::cmp::Reverse(**name)));
        let name = most.map_or("", |(name, _)| *name);
        PlayerObject {
            class: self.class.to_owned(),
            name: name.to_owned(),
            aliases: self
                .names
                .keys()
                .filter(|it| **it != name)
                .map(|it| (*it).to_owned())
                .collect(),
            marks: self.marks.iter().map(|it| (*it).to_owned()).collect(),
        }
    }
}

/// Those with one name and two e-mail addresses.
fn two_in_one(players: &[PlayerObject]) -> Vec<Doubt> {
    let doubt = |player: &PlayerObject| {
        let mut mails = player.marks.iter().filter(|it| it.contains('@'));
        let (one, other) = (mails.next()?, mails.next()?);
        Some(Doubt {
            kind: DoubtKind::MaybeTwo,
            one: player.name.clone(),
            other: None,
            reason: format!("two e-mail addresses: {one} and {other}"),
            confidence: 0.6,
        })
    };
    players.iter().filter_map(doubt).collect()
}

/// Pairs of names that may be written for one person.
fn one_as_two(players: &[PlayerObject]) -> Vec<Doubt> {
    let mut by_last: BTreeMap<String, Vec<&PlayerObject>> = BTreeMap::new();
    for player in players {
        if let Some(last) = name::words(&player.name).pop() {
            by_last.entry(last).or_default().push(player);
        }
    }
    let mut doubts = Vec::new();
    for bucket in by_last.values() {
        // In large crowds of one name, initials say nothing.
        for (nth, one) in bucket.iter().take(CROWD).enumerate() {
            let others = bucket[nth + 1..].iter().take(CROWD);
            let same = others.filter(|it| name::may_be_same(&one.name, &it.name));
            doubts.extend(same.map(|other| Doubt {
                kind: DoubtKind::MaybeSame,
                one: one.name.clone(),
                other: Some(other.name.clone()),
                reason: "the names agree as far as they go".to_owned(),
                confidence: if one.marks.iter().any(|it| other.marks.contains(it)) {
                    0.9
                } else {
                    0.5
                },
            }));
        }
    }
    doubts
}

/// So many of one last name are compared with each other.
const CROWD: usize = 40;
