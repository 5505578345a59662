//! Files of training rows: positions as input planes, with the moves and results that the network
//! learns.
//!
//! A file is a header of 16 bytes and rows of equal size. All numbers are little-endian. The
//! header:
//!
//! - the 8 bytes `omnigoTR`
//! - the version (u16)
//! - width and height of the board (u8 each)
//! - bytes per row (u32)
//!
//! A row, from the point of view of the player to move:
//!
//! - the planes of each point (u32)
//! - the value of the komi plane (f32)
//! - the move played (u16; the number of points stands for a pass)
//! - the winner (i8: 1 the player to move, −1 the opponent, 0 unknown or a draw)
//! - flags (u8: 1 if the score is known, 2 if the ownership is known)
//! - the score in half points (i16)
//! - two zero bytes
//! - the ownership of each point in percent (i8), padded to a multiple of four bytes
//!
//! That is version 1. Version 2 adds [`SHARES`] pairs, the largest share first, unused ones zero. A
//! pair is a move (u16, as above) and its share of a search's visits (u16, in units of 1/65535).
//!
//! Version 3 holds labels of a teacher. It has the pairs of version 2, with the teacher's
//! probabilities, and three differences:
//!
//! - the winner is always unknown
//! - the score is in units of 1/16 point
//! - the two bytes after it are the win probability (u16, in units of 1/65535)
//!
//! A file may end within a row if it is still being written or if its writer was stopped. Readers
//! ignore that row.

use std::io::{self, Write};

use crate::net::features::{FORBIDDEN, OPPONENT, OWN};

/// Maximum number of moves per row with their shares of a search's visits.
pub const SHARES: usize = 32;
/// Size of a header in bytes.
pub const HEADER: usize = 16;

const MAGIC: &[u8; 8] = b"omnigoTR";
/// Stored value of a share or a probability of 1.
const WHOLE: f32 = 65535.0;
/// Maximum score in points that a row stores. Larger scores are clamped.
const MOST_SCORE: f32 = 500.0;

/// Kind of the rows' move data. The number is the version of the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The move played.
    Played = 1,
    /// The move played and the distribution of a search's visits.
    Searched = 2,
    /// The outputs of a teacher.
    Labeled = 3,
}

impl Kind {
    /// Returns the number of score units in a point.
    fn units(self) -> f32 {
        match self {
            Kind::Played | Kind::Searched => 2.0,
            Kind::Labeled => 16.0,
        }
    }

    /// Returns the number of pairs of a move and its share.
    fn shares(self) -> usize {
        match self {
            Kind::Played => 0,
            Kind::Searched | Kind::Labeled => SHARES,
        }
    }
}

/// The header of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Kind of the rows.
    pub kind: Kind,
    /// Columns of the board.
    pub width: usize,
    /// Rows of the board.
    pub height: usize,
}

/// A position and its results, from the point of view of the player to move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    /// Input planes of each point.
    pub planes: Vec<u32>,
    /// Value of the komi plane.
    pub komi: f32,
    /// The move played, or the teacher's first choice: a point, or the number of points for a pass.
    pub target: usize,
    /// True if the player to move won; `None` if unknown or drawn.
    pub won: Option<bool>,
    /// Win probability of the teacher. Only rows of [`Kind::Labeled`] store it.
    pub win: Option<f32>,
    /// Final score lead in points, or that of the teacher; `None` if the game was not counted.
    pub score: Option<f32>,
    /// Ownership of each point at the end, in percent; `None` if unknown.
    pub ownership: Option<Vec<i8>>,
    /// Moves and their shares of a search's visits, or their probabilities, the largest first.
    /// Empty in rows of [`Kind::Played`].
    pub shares: Vec<(usize, f32)>,
}

/// Error: the bytes are not a file of rows.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a file of training rows, expected version 1 to 3")]
pub struct NoRows;

/// A file of rows.
#[derive(Debug)]
pub struct Rows<'a> {
    /// The file's header.
    pub header: Header,
    bytes: &'a [u8],
}

impl Header {
    /// Returns the number of points of the board.
    pub fn points(&self) -> usize {
        self.width * self.height
    }

    /// Returns the size of a row in bytes.
    pub fn row_size(&self) -> usize {
        (5 * self.points() + 12).next_multiple_of(4) + 4 * self.kind.shares()
    }

    /// Returns the header's bytes.
    pub fn bytes(&self) -> [u8; HEADER] {
        let mut bytes = [0; HEADER];
        bytes[..8].copy_from_slice(MAGIC);
        bytes[8..10].copy_from_slice(&(self.kind as u16).to_le_bytes());
        // The network's sides are at most 19 and fit into a byte.
        bytes[10..12].copy_from_slice(&[self.width as u8, self.height as u8]);
        bytes[12..].copy_from_slice(&(self.row_size() as u32).to_le_bytes());
        bytes
    }

    /// Reads a header.
    ///
    /// # Errors
    /// If the bytes are not a header.
    pub fn read(bytes: &[u8; HEADER]) -> Result<Header, NoRows> {
        let [magic @ .., _, _, _, _, _, _, _, _] = bytes;
        let [.., v0, v1, width, height, s0, s1, s2, s3] = *bytes;
        let kind = match u16::from_le_bytes([v0, v1]) {
            1 => Kind::Played,
            2 => Kind::Searched,
            3 => Kind::Labeled,
            _ => return Err(NoRows),
        };
        let header = Header {
            kind,
            width: width.into(),
            height: height.into(),
        };
        let size = u32::from_le_bytes([s0, s1, s2, s3]) as usize;
        if magic == MAGIC && size == header.row_size() {
            Ok(header)
        } else {
            Err(NoRows)
        }
    }
}

/// A position is decided if one side has a lower win probability than this.
const DECIDED: f32 = 0.1;

/// Returns true if a position with this win probability is open: neither side is close to winning.
pub fn is_open(win: f32) -> bool {
    (DECIDED..=1.0 - DECIDED).contains(&win)
}

impl Row {
    /// Returns true if the player to move could play at `at` without suicide. Always true for a
    /// pass.
    pub fn is_open(&self, at: usize) -> bool {
        const CLOSED: u32 = 1 << OWN | 1 << OPPONENT | 1 << FORBIDDEN;
        self.planes.get(at).is_none_or(|bits| bits & CLOSED == 0)
    }

    /// Writes the row to a file with this header.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, header: &Header, out: &mut impl Write) -> io::Result<()> {
        let points = header.points();
        let mut row = Vec::with_capacity(header.row_size());
        for point in 0..points {
            let bits = self.planes.get(point).copied().unwrap_or(0);
            row.extend(bits.to_le_bytes());
        }
        row.extend(self.komi.to_le_bytes());
        row.extend((self.target as u16).to_le_bytes());
        let winner = self.won.map_or(0i8, |won| if won { 1 } else { -1 });
        row.push(winner as u8);
        row.push(u8::from(self.score.is_some()) | u8::from(self.ownership.is_some()) << 1);
        let units = header.kind.units();
        let score = self.score.unwrap_or(0.0).clamp(-MOST_SCORE, MOST_SCORE) * units;
        row.extend((score.round() as i16).to_le_bytes());
        let win = self.win.filter(|_| header.kind == Kind::Labeled);
        let win = win.unwrap_or(0.0).clamp(0.0, 1.0) * WHOLE;
        row.extend((win.round() as u16).to_le_bytes());
        let owners = self.ownership.as_deref().unwrap_or(&[]);
        row.extend((0..points).map(|point| owners.get(point).copied().unwrap_or(0) as u8));
        row.resize(row.len().next_multiple_of(4), 0);
        let shares = self.shares.iter().copied();
        let pairs = shares.chain(std::iter::repeat((0, 0.0)));
        for (at, share) in pairs.take(header.kind.shares()) {
            row.extend((at as u16).to_le_bytes());
            row.extend(((share.clamp(0.0, 1.0) * WHOLE).round() as u16).to_le_bytes());
        }
        out.write_all(&row)
    }

    /// Reads a row of a file with this header. `None` if the bytes are too short.
    fn read(header: &Header, bytes: &[u8]) -> Option<Row> {
        let points = header.points();
        let (planes, rest) = bytes.split_at_checked(4 * points)?;
        let (&[k0, k1, k2, k3, t0, t1, winner, flags, s0, s1, w0, w1], rest) =
            rest.split_first_chunk()?;
        let (owners, _) = rest.split_at_checked(points)?;
        let (_, shares) = rest.split_at_checked((5 * points).next_multiple_of(4) - 4 * points)?;
        let shares = shares.as_chunks::<4>().0.iter();
        let share = |&[m0, m1, n0, n1]: &[u8; 4]| {
            let share = f32::from(u16::from_le_bytes([n0, n1])) / WHOLE;
            (share > 0.0).then_some((usize::from(u16::from_le_bytes([m0, m1])), share))
        };
        Some(Row {
            planes: planes
                .as_chunks::<4>()
                .0
                .iter()
                .map(|&bits| u32::from_le_bytes(bits))
                .collect(),
            komi: f32::from_le_bytes([k0, k1, k2, k3]),
            target: usize::from(u16::from_le_bytes([t0, t1])),
            won: (winner != 0).then_some(winner == 1),
            win: (header.kind == Kind::Labeled)
                .then_some(f32::from(u16::from_le_bytes([w0, w1])) / WHOLE),
            score: (flags & 1 == 1)
                .then_some(f32::from(i16::from_le_bytes([s0, s1])) / header.kind.units()),
            ownership: (flags & 2 == 2).then(|| owners.iter().map(|&o| o as i8).collect()),
            shares: shares.filter_map(share).collect(),
        })
    }
}

impl<'a> Rows<'a> {
    /// Reads a file's bytes and ignores a truncated last row.
    ///
    /// # Errors
    /// If the bytes are not a file of rows.
    pub fn read(bytes: &'a [u8]) -> Result<Rows<'a>, NoRows> {
        let (header, bytes) = bytes.split_first_chunk().ok_or(NoRows)?;
        let header = Header::read(header)?;
        Ok(Rows { header, bytes })
    }

    /// Returns true if the file has rows and all of them are complete.
    pub fn is_whole(&self) -> bool {
        let size = self.header.row_size();
        !self.bytes.is_empty() && self.rows().count() * size == self.bytes.len()
    }

    /// Returns the rows in the order of the file.
    pub fn rows(&self) -> impl Iterator<Item = Row> + '_ {
        let rows = self.bytes.chunks_exact(self.header.row_size());
        rows.filter_map(|row| Row::read(&self.header, row))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(points: usize) -> Row {
        Row {
            planes: (0..points as u32)
                .map(|i| i.wrapping_mul(2_654_435_761))
                .collect(),
            komi: -0.25,
            target: points,
            won: Some(false),
            win: None,
            score: Some(-10.5),
            ownership: Some((0..points).map(|i| i as i8 - 20).collect()),
            shares: vec![(points, 0.75), (3, 0.25)],
        }
    }

    fn file(kind: Kind, rows: &[Row]) -> Vec<u8> {
        let header = Header {
            kind,
            width: 7,
            height: 5,
        };
        let mut bytes = header.bytes().to_vec();
        for row in rows {
            row.write(&header, &mut bytes).unwrap();
        }
        bytes
    }

    #[test]
    fn open_positions_give_both_sides_a_chance() {
        let open = [0.0, 0.09, 0.1, 0.5, 0.9, 0.91, 1.0].map(is_open);
        assert_eq!(open, [false, false, true, true, true, false, false]);
    }

    #[test]
    fn rows_round_trip_in_every_version() {
        let unknown = Row {
            won: None,
            score: None,
            ownership: None,
            shares: Vec::new(),
            ..row(35)
        };
        let bytes = file(Kind::Searched, &[row(35), unknown.clone()]);
        let found: Vec<Row> = Rows::read(&bytes).unwrap().rows().collect();
        assert_eq!(found.len(), 2);
        assert_eq!(found[1], unknown);
        assert_eq!(found[0].shares[0].0, 35);
        assert!((found[0].shares[0].1 - 0.75).abs() < 1e-4);
        let without = |row: &Row| Row {
            shares: Vec::new(),
            ..row.clone()
        };
        assert_eq!(without(&found[0]), without(&row(35)));
        let old = file(Kind::Played, &[row(35)]);
        let found: Vec<Row> = Rows::read(&old).unwrap().rows().collect();
        assert_eq!(found, [without(&row(35))]);
    }

    #[test]
    fn labels_keep_the_win_probability_and_parts_of_points() {
        let labeled = Row {
            won: None,
            win: Some(0.25),
            score: Some(-3.0625),
            ..row(35)
        };
        let bytes = file(Kind::Labeled, std::slice::from_ref(&labeled));
        let found: Vec<Row> = Rows::read(&bytes).unwrap().rows().collect();
        assert_eq!(found.len(), 1);
        assert!((found[0].win.unwrap() - 0.25).abs() < 1e-4);
        assert_eq!((found[0].score, found[0].won), (labeled.score, None));
        assert_eq!(found[0].ownership, labeled.ownership);
        assert!((found[0].shares[1].1 - 0.25).abs() < 1e-4);
        let far = Row {
            score: Some(1e9),
            win: Some(7.0),
            ..labeled
        };
        let bytes = file(Kind::Labeled, &[far]);
        let found: Vec<Row> = Rows::read(&bytes).unwrap().rows().collect();
        assert_eq!((found[0].score, found[0].win), (Some(500.0), Some(1.0)));
    }

    #[test]
    fn a_truncated_row_is_skipped_and_other_bytes_are_rejected() {
        let bytes = file(Kind::Searched, &[row(35), row(35)]);
        let cut = &bytes[..bytes.len() - 1];
        assert_eq!(Rows::read(cut).unwrap().rows().count(), 1);
        assert!(Rows::read(&bytes).unwrap().is_whole());
        assert!(!Rows::read(cut).unwrap().is_whole());
        let none = file(Kind::Searched, &[]);
        assert!(!Rows::read(&none).unwrap().is_whole());
        assert_eq!(Rows::read(&bytes[..15]).unwrap_err(), NoRows);
        for (at, value) in [(0, b'x'), (8, 4), (10, 8), (12, 0)] {
            let mut other = bytes.clone();
            other[at] = value;
            assert_eq!(Rows::read(&other).unwrap_err(), NoRows, "byte {at}");
        }
    }
}
