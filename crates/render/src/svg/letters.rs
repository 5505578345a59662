//! Strokes of letters beyond ASCII: letters with marks, such as é and ő, and letters of their own,
//! such as ß and ł. They cover the Latin alphabets of Europe (Latin-1 and Latin-2, and more).

/// Place of a mark on its letter.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// Centered above the letter.
    Above,
    /// Centered below the letter.
    Below,
    /// Below the right half of the letter.
    Tail,
    /// At the upper right corner of the letter.
    Corner,
}

/// Mark that letters share, with its strokes around the origin.
pub(super) struct Mark {
    pub(super) strokes: &'static str,
    pub(super) side: Side,
    /// Character that adds the mark to the letter before it.
    combining: char,
    /// Letters with the mark, each followed by the letter without it.
    letters: &'static str,
}

const fn mark(combining: char, side: Side, strokes: &'static str, letters: &'static str) -> Mark {
    Mark {
        strokes,
        side,
        combining,
        letters,
    }
}

#[rustfmt::skip]
static MARKS: [Mark; 15] = [
    mark('\u{300}', Side::Above, "M-1.4 2.2L0.6 0", "ÀAàaÈEèeÌIìiÒOòoÙUùuǸNǹnẀWẁwỲYỳy"),
    mark('\u{301}', Side::Above, "M1.4 2.2L-0.6 0", "ÁAáaÉEéeÍIíiÓOóoÚUúuÝYýyĆCćcĹLĺlŃNńnŔRŕrŚSśsŹZźzǴGǵgẂWẃw"),
    mark('\u{302}', Side::Above, "M-1.8 0L0 2L1.8 0", "ÂAâaÊEêeÎIîiÔOôoÛUûuĈCĉcĜGĝgĤHĥhĴJĵjŜSŝsŴWŵwŶYŷyẐZẑz"),
    mark('\u{303}', Side::Above, "M-2 0.4Q-1 2.2 0 1.2Q1 0.2 2 1.8", "ÃAãaÑNñnÕOõoĨIĩiŨUũuẼEẽe"),
    mark('\u{304}', Side::Above, "M-1.9 1L1.9 1", "ĀAāaĒEēeĪIīiŌOōoŪUūu"),
    mark('\u{306}', Side::Above, "M-1.8 2Q-1.6 0 0 0Q1.6 0 1.8 2", "ĂAăaĔEĕeĞGğgĬIĭiŎOŏoŬUŭu"),
    mark('\u{307}', Side::Above, "M0 1L0 1.1", "ĊCċcĖEėeĠGġgİIŻZżz"),
    mark('\u{308}', Side::Above, "M-1.5 1L-1.5 1.1M1.5 1L1.5 1.1", "ÄAäaËEëeÏIïiÖOöoÜUüuŸYÿyẄWẅw"),
    mark('\u{30a}', Side::Above, "M0 0Q-1.3 0 -1.3 1.2Q-1.3 2.4 0 2.4Q1.3 2.4 1.3 1.2Q1.3 0 0 0", "ÅAåaŮUůu"),
    mark('\u{30b}', Side::Above, "M-1.4 0L-0.4 2.2M0.8 0L2 2.2", "ŐOőoŰUűu"),
    mark('\u{30c}', Side::Above, "M-1.8 2L0 0L1.8 2", "ČCčcĎDĚEěeŇNňnŘRřrŠSšsŤTŽZžzǍAǎaǦGǧg"),
    mark('\u{315}', Side::Corner, "M1.4 10L0.8 7.8", "ďdťtĽLľl"),
    mark('\u{326}', Side::Below, "M0.4 -1.2Q0.4 -2.2 -0.5 -2.9", "ȘSșsȚTțtĢGģgĶKķkĻLļlŅNņnŖRŗr"),
    mark('\u{327}', Side::Below, "M0 0L0 -0.8Q1.4 -0.8 1.4 -1.8Q1.4 -2.9 -0.9 -2.7", "ÇCçcŞSşsŢTţt"),
    mark('\u{328}', Side::Tail, "M0.6 0Q-0.8 -1 -0.8 -1.9Q-0.8 -2.9 0.8 -2.7", "ĄAąaĘEęeĮIįiŲUųuǪOǫo"),
];

/// Returns the letter without its mark, and the mark. Returns `None` if the letter has none.
pub(super) fn marked(c: char) -> Option<(char, &'static Mark)> {
    MARKS.iter().find_map(|mark| {
        let letters: Vec<char> = mark.letters.chars().collect();
        let mut pairs = letters.chunks_exact(2);
        pairs.find_map(|pair| match pair {
            [letter, base] if *letter == c => Some((*base, mark)),
            _ => None,
        })
    })
}

/// Returns the mark that this character adds to the letter before it.
pub(super) fn combining(c: char) -> Option<&'static Mark> {
    MARKS.iter().find(|mark| mark.combining == c)
}

/// Returns the width and the strokes of a letter or sign of its own.
#[rustfmt::skip]
pub(super) fn own(c: char) -> Option<(f64, &'static str)> {
    Some(match c {
        'ß' => (5.0, "M0 0L0 7.4Q0 10 2.4 10Q4.6 10 4.6 8Q4.6 6.2 2.4 5.6Q5.4 5.2 5.4 2.6Q5.4 0 2.2 0.1"),
        'Æ' => (10.0, "M0 0L4.6 10L10 10M5.4 5.3L9 5.3M1.6 3.4L5.4 3.4M5.4 10L5.4 0L10 0"),
        'æ' => (9.0, "M0.4 5.8Q1 7 2.6 7Q4.6 7 4.6 4.8L4.6 2.4Q4.2 0 2 0Q0 0 0 1.9Q0 4 4.6 4M4.7 3.8L9.2 3.8Q9.2 7 6.9 7Q4.6 7 4.6 3.5Q4.6 0 7 0Q8.4 0 9 1.4"),
        'Œ' => (10.0, "M10 10L4 10Q0 10 0 5Q0 0 4 0L10 0M5.5 10L5.5 0M5.5 5.3L9 5.3"),
        'œ' => (10.0, "M2.6 7Q0 7 0 3.5Q0 0 2.6 0Q5.2 0 5.2 3.5Q5.2 7 2.6 7M5.2 3.8L10 3.8Q10 7 7.6 7Q5.2 7 5.2 3.5Q5.2 0 7.6 0Q9 0 9.7 1.4"),
        'Ø' => (8.0, "M4 10Q0 10 0 5Q0 0 4 0Q8 0 8 5Q8 10 4 10M0.8 -0.6L7.2 10.6"),
        'ø' => (6.0, "M2.8 7Q0 7 0 3.5Q0 0 2.8 0Q5.6 0 5.6 3.5Q5.6 7 2.8 7M0.4 -0.6L5.2 7.6"),
        'Ł' => (6.0, "M1.2 10L1.2 0L6 0M0 3.6L4 6.4"),
        'ł' => (3.0, "M1.4 10L1.4 1.4Q1.4 0 2.8 0M0 4L2.8 6.2"),
        'Đ' | 'Ð' => (8.0, "M1 0L1 10L3.8 10Q8 10 8 5Q8 0 3.8 0L1 0M0 5.2L4 5.2"),
        'đ' => (6.0, "M5.4 10L5.4 0M5.4 3.5Q5.4 0 2.7 0Q0 0 0 3.5Q0 7 2.7 7Q5.4 7 5.4 3.5M3 8.6L6.6 8.6"),
        'ð' => (5.0, "M2.7 6.2Q0 6.2 0 3.1Q0 0 2.7 0Q5.4 0 5.4 3.5Q5.4 8 1.6 10M1 7.6L4.6 9.6"),
        'Þ' => (6.0, "M0 0L0 10M0 7.8L3 7.8Q6 7.8 6 5.2Q6 2.6 3 2.6L0 2.6"),
        'þ' => (5.0, "M0 10L0 -3M0 3.5Q0 7 2.7 7Q5.4 7 5.4 3.5Q5.4 0 2.7 0Q0 0 0 3.5"),
        'Ħ' => (9.0, "M1 0L1 10M8 0L8 10M1 5.3L8 5.3M0 7.8L9 7.8"),
        'ħ' => (6.0, "M1 10L1 0M1 4Q1.6 7 3.8 7Q6 7 6 4.4L6 0M0 8.6L3 8.6"),
        'ı' => (0.0, "M0 7L0 0"),
        'ȷ' => (2.0, "M2 7L2 -0.8Q2 -3 0 -3"),
        'ŋ' => (5.0, "M0 7L0 0M0 4Q0.6 7 2.8 7Q5 7 5 4.4L5 -0.8Q5 -3 3 -3"),
        '×' => (5.0, "M0.5 6.5L4.5 2.5M4.5 6.5L0.5 2.5"),
        '÷' => (6.0, "M0 4.5L6 4.5M3 7.5L3 7.6M3 1.4L3 1.5"),
        '±' => (6.0, "M3 9L3 3M0 6L6 6M0 1L6 1"),
        '°' => (3.0, "M1.5 10Q0 10 0 8.5Q0 7 1.5 7Q3 7 3 8.5Q3 10 1.5 10"),
        '·' => (0.0, "M0 4L0 4.1"),
        '\u{2010}' | '\u{2011}' | '\u{2212}' => (5.0, "M0 4.5L5 4.5"),
        '–' => (6.0, "M0 4.5L6 4.5"),
        '—' => (9.0, "M0 4.5L9 4.5"),
        '’' | '´' => (1.0, "M1 10L0 7.4"),
        '‘' => (1.0, "M0 10L1 7.4"),
        '”' => (3.0, "M1 10L0 7.4M3.4 10L2.4 7.4"),
        '“' => (3.0, "M0 10L1 7.4M2.4 10L3.4 7.4"),
        '„' => (3.0, "M1 1L0 -1.6M3.4 1L2.4 -1.6"),
        '…' => (6.0, "M0 0L0 0.1M3 0L3 0.1M6 0L6 0.1"),
        '«' => (6.0, "M3 7L0 4L3 1M6 7L3 4L6 1"),
        '»' => (6.0, "M0 7L3 4L0 1M3 7L6 4L3 1"),
        '¡' => (0.0, "M0 -3L0 3.5M0 6.9L0 7"),
        '¿' => (5.0, "M0 -1Q0.3 -3 2.6 -3Q5 -3 5 -0.7Q5 0.7 3.5 1.8Q2.5 2.5 2.5 3.7M2.5 6.9L2.5 7"),
        '£' => (6.0, "M6 8.4Q5.4 10 3.8 10Q1.6 10 1.6 7.6L1.6 2.6Q1.6 0 0 0L6 0M0 5L4.4 5"),
        '€' => (7.0, "M7 8.4Q6 10 4.4 10Q1.4 10 1.4 5Q1.4 0 4.4 0Q6 0 7 1.6M0 6.2L5 6.2M0 4L4.6 4"),
        _ => return None,
    })
}
