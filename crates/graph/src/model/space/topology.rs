//! Ways to define a finite topology. All are converted to smallest open sets.

use std::collections::HashSet;

use super::{MOST_ENTRIES, MOST_WORK, SpaceError};
use omnigo_base::vertex::Vertex;

/// Topology on points numbered from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Topology {
    /// The smallest open set that contains each point.
    MinOpen(Vec<Vec<usize>>),
    /// Open sets such that every open set is a union of them. The whole space may be omitted.
    Base(Vec<Vec<usize>>),
    /// Any sets; defines the coarsest topology in which they are open.
    Subbase(Vec<Vec<usize>>),
    /// Pairs (x, y): y lies in every open set that contains x. Pairs that follow by transitivity
    /// may be omitted.
    Order(Vec<(usize, usize)>),
    /// Every open set; the empty set may be omitted.
    Opens(Vec<Vec<usize>>),
}

impl Topology {
    /// Returns the smallest open set of each of `points` points, each ascending.
    ///
    /// # Errors
    /// Names the set that violates the conditions of a topology.
    pub(super) fn min_open(&self, points: usize) -> Result<Vec<Vec<Vertex>>, SpaceError> {
        match self {
            Topology::MinOpen(lists) => {
                if lists.len() != points {
                    return Err(SpaceError::SetCount {
                        sets: lists.len(),
                        points,
                    });
                }
                let lists = sets(lists, points, "min_open of point", "min_open")?;
                check_min_open(&lists)?;
                Ok(lists)
            }
            Topology::Base(lists) => {
                let members = sets(lists, points, "member of base", "base")?;
                let lists = meets(&members, points)?;
                let known: HashSet<&[Vertex]> = members.iter().map(Vec::as_slice).collect();
                for (point, meet) in lists.iter().enumerate() {
                    // A smallest open set is a union of members only if it is itself a member.
                    if meet.len() < points && !known.contains(meet.as_slice()) {
                        let meet = show(meet);
                        return Err(SpaceError::NoBase { point, meet });
                    }
                }
                Ok(lists)
            }
            Topology::Subbase(lists) => meets(
                &sets(lists, points, "member of subbase", "subbase")?,
                points,
            ),
            Topology::Order(pairs) => reachable(pairs, points),
            Topology::Opens(lists) => {
                let opens = sets(lists, points, "open set", "opens")?;
                check_opens(&opens, points)?;
                meets(&opens, points)
            }
        }
    }
}

/// Converts the lists to ascending sets and checks that their points exist. In messages, `one`
/// names a list, and `all` names all lists.
pub(super) fn sets(
    lists: &[Vec<usize>],
    points: usize,
    one: &str,
    all: &'static str,
) -> Result<Vec<Vec<Vertex>>, SpaceError> {
    if lists.iter().map(Vec::len).sum::<usize>() > MOST_ENTRIES {
        return Err(SpaceError::TooLarge(all));
    }
    let read = |(number, list): (usize, &Vec<usize>)| {
        if let Some(&point) = list.iter().find(|&&point| point >= points) {
            let set = format!("{one} {number}");
            return Err(SpaceError::NoPoint {
                set,
                number,
                point,
                points,
            });
        }
        let mut set: Vec<Vertex> = list.iter().map(|&point| Vertex::at(point)).collect();
        set.sort_unstable();
        set.dedup();
        Ok(set)
    };
    lists.iter().enumerate().map(read).collect()
}

/// Returns the text of a set for messages, shortened after 12 points.
pub(super) fn show(set: &[Vertex]) -> String {
    const MOST: usize = 12;
    let shown: Vec<String> = set
        .iter()
        .take(MOST)
        .map(|point| point.index().to_string())
        .collect();
    let more = if set.len() > MOST { ", …" } else { "" };
    format!("[{}{more}]", shown.join(", "))
}

fn check_min_open(lists: &[Vec<Vertex>]) -> Result<(), SpaceError> {
    let mut stamps = vec![usize::MAX; lists.len()];
    let mut work = 0;
    for (point, list) in lists.iter().enumerate() {
        for other in list {
            stamps[other.index()] = point;
        }
        if stamps[point] != point {
            let set = show(list);
            return Err(SpaceError::Lacks { point, set });
        }
        for other in list {
            let inner = &lists[other.index()];
            work += inner.len();
            if work > MOST_WORK {
                return Err(SpaceError::TooLarge("min_open"));
            }
            if inner.iter().any(|y| stamps[y.index()] != point) {
                return Err(SpaceError::NotInside {
                    point,
                    set: show(list),
                    other: other.index(),
                    inner: show(inner),
                });
            }
        }
    }
    Ok(())
}

/// Returns, for each point, the intersection of all members that contain it. This is the set of all
/// points if no member does.
fn meets(members: &[Vec<Vertex>], points: usize) -> Result<Vec<Vec<Vertex>>, SpaceError> {
    let mut around: Vec<Vec<usize>> = vec![Vec::new(); points];
    for (number, member) in members.iter().enumerate() {
        for point in member {
            around[point.index()].push(number);
        }
    }
    let (mut entries, mut work) = (0, 0);
    let mut lists = Vec::with_capacity(points);
    for mut numbers in around {
        // Start with the smallest set, which bounds the size of the intersection.
        numbers.sort_by_key(|&number| members[number].len());
        let (first, rest) = match numbers.split_first() {
            Some((&first, rest)) => (members[first].clone(), rest),
            None => ((0..points).map(Vertex::at).collect(), &[][..]),
        };
        let mut list: Vec<Vertex> = first;
        work += list.len() * (rest.len() + 1);
        entries += list.len();
        if entries > 2 * MOST_ENTRIES || work > MOST_WORK {
            return Err(SpaceError::TooLarge("the open sets"));
        }
        for &number in rest {
            list.retain(|point| members[number].binary_search(point).is_ok());
        }
        lists.push(list);
    }
    Ok(lists)
}

/// Returns the points reachable from each point through the pairs, including the point itself.
fn reachable(pairs: &[(usize, usize)], points: usize) -> Result<Vec<Vec<Vertex>>, SpaceError> {
    if pairs.len() > MOST_ENTRIES {
        return Err(SpaceError::TooLarge("order"));
    }
    let mut next: Vec<Vec<usize>> = vec![Vec::new(); points];
    for (number, &(x, y)) in pairs.iter().enumerate() {
        let worst = x.max(y);
        if worst >= points {
            return Err(SpaceError::NoPoint {
                set: format!("pair {number} of order"),
                number,
                point: worst,
                points,
            });
        }
        next[x].push(y);
    }
    let (mut entries, mut work) = (0, 0);
    let mut stamps = vec![usize::MAX; points];
    let mut lists = Vec::with_capacity(points);
    for x in 0..points {
        stamps[x] = x;
        let mut list = vec![x];
        let mut i = 0;
        while let Some(&y) = list.get(i) {
            i += 1;
            work += next[y].len();
            for &z in &next[y] {
                if stamps[z] != x {
                    stamps[z] = x;
                    list.push(z);
                }
            }
            if entries + list.len() > MOST_ENTRIES || work > MOST_WORK {
                return Err(SpaceError::TooLarge("order"));
            }
        }
        entries += list.len();
        list.sort_unstable();
        lists.push(list.into_iter().map(Vertex::at).collect());
    }
    Ok(lists)
}

/// Checks that the list contains the whole space, and each union and intersection of two listed
/// sets.
fn check_opens(opens: &[Vec<Vertex>], points: usize) -> Result<(), SpaceError> {
    let longest = opens.iter().map(Vec::len).max().unwrap_or(0);
    if opens.len().saturating_mul(opens.len()) > MOST_WORK / (2 * longest + 1) {
        return Err(SpaceError::TooLarge("opens"));
    }
    let known: HashSet<&[Vertex]> = opens.iter().map(Vec::as_slice).collect();
    let all: Vec<Vertex> = (0..points).map(Vertex::at).collect();
    let listed = |set: &[Vertex], what: &dyn Fn() -> String| {
        if set.is_empty() || known.contains(set) {
            Ok(())
        } else {
            Err(SpaceError::NotListed {
                what: what(),
                set: show(set),
            })
        }
    };
    listed(&all, &|| "the whole space".to_string())?;
    for (i, a) in opens.iter().enumerate() {
        for b in &opens[..i] {
            let both: Vec<Vertex> = b
                .iter()
                .filter(|point| a.binary_search(point).is_ok())
                .copied()
                .collect();
            listed(&both, &|| {
                format!("the intersection of {} and {}", show(b), show(a))
            })?;
            let mut either: Vec<Vertex> = a.iter().chain(b).copied().collect();
            either.sort_unstable();
            either.dedup();
            listed(&either, &|| {
                format!("the union of {} and {}", show(b), show(a))
            })?;
        }
    }
    Ok(())
}
