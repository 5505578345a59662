//! Text of positions: one character per point, in index order.

use omnigo_base::color::Color;
use omnigo_base::text::{one_of, quote};
use omnigo_base::vertex::Vertex;
use omnigo_graph::goban::Goban;

/// Reason why a text is not a position of a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// A character or the number of characters is wrong.
    #[error("syntax error: {0}")]
    Syntax(String),
    /// A stone is on a point that no placement covers, on a large go-space.
    #[error("{0}")]
    Uncovered(String),
}

/// Describes the text of a position with `colors` colors on this board, for error messages.
pub fn expected_position(goban: &Goban, colors: usize) -> String {
    let symbols: Vec<String> = Color::all(colors)
        .map(|color| color.symbol().to_string())
        .collect();
    let (points, symbols) = (goban.points(), symbols.join(", "));
    format!("{points} of the characters {symbols} and .")
}

/// Reads a position from a text with one character per point, in index order.
///
/// # Errors
/// If a character or the length of the text is wrong. Also on a large go-space, if a stone is on a
/// point that no placement covers.
pub fn read_position(
    goban: &Goban,
    colors: usize,
    text: &str,
) -> Result<Vec<Option<Color>>, PositionError> {
    let points = goban.points();
    let mut position = Vec::with_capacity(points);
    for symbol in text.chars() {
        let point = match symbol {
            '.' => None,
            symbol => match Color::from_symbol(symbol) {
                Some(color) if color.index() < colors => Some(color),
                _ => {
                    let symbols = Color::all(colors).map(|color| color.symbol().to_string());
                    let expected = one_of(symbols.chain([".".to_string()]));
                    let problem = format!(
                        "character '{symbol}' in position '{}', expected {expected}",
                        quote(text)
                    );
                    return Err(PositionError::Syntax(problem));
                }
            },
        };
        position.push(point);
    }
    if position.len() != points {
        let problem = format!(
            "position '{}' has {} character{}, expected {}",
            quote(text),
            position.len(),
            if position.len() == 1 { "" } else { "s" },
            expected_position(goban, colors)
        );
        return Err(PositionError::Syntax(problem));
    }
    if let Some(space) = goban.space()
        && !space.is_light()
        && let Some(index) = (0..points)
            .filter(|&index| position.get(index).is_some_and(Option::is_some))
            .find(|&index| !space.is_covered(Vertex::at(index)))
    {
        return Err(PositionError::Uncovered(format!(
            "point {index} of position '{}' is in no placement, expected '.' there: this go-space is too large for stones on such points",
            quote(text)
        )));
    }
    Ok(position)
}
