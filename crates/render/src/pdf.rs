//! Conversion of SVG pictures to PDF: pages of vector graphics, which printers and word processors
//! read.
//!
//! `usvg` reads the picture, as for PNG, and `pdf-writer` writes the file. The crate `svg2pdf` does
//! both, but it needs an older `usvg`, so that each build would compile two versions of it. The
//! module draws what the pictures of omnigo contain: filled and stroked paths with plain colors,
//! gradients, and opacity.

use std::collections::BTreeSet;
use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use pdf_writer::types::{ColorSpaceOperand, FunctionShadingType, LineCapStyle, LineJoinStyle};
use pdf_writer::{Content, Filter, Finish, Name, Pdf, Rect, Ref};
use resvg::tiny_skia::{PathSegment, Point, Transform};
use resvg::usvg::{
    Fill, FillRule, Group, LineCap, LineJoin, Node, Options, Paint, Path, Stop, Stroke, Tree,
};

use super::png::without_fonts;

/// Points of a page per pixel of a picture: 72 points and 96 pixels are an inch.
const SCALE: f32 = 0.75;
/// Maximum length of a side of a page, in points. Readers refuse longer ones.
const LONGEST: f32 = 14_400.0;

/// Error: a picture cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum PdfError {
    /// The text is not SVG.
    #[error("cannot draw: {0}")]
    Svg(#[from] resvg::usvg::Error),
    /// The page cannot be compressed.
    #[error("cannot write PDF: {0}")]
    Writing(#[from] std::io::Error),
}

/// Returns an SVG text as a PDF of one page. The SVG gives the size; huge pictures are reduced.
///
/// ```
/// use omnigo_render::pdf::pdf;
/// let svg = r#"<svg xmlns="http://www.w3.org/2000/svg" width="4" height="2"><rect width="4" height="2"/></svg>"#;
/// assert!(pdf(svg).unwrap().starts_with(b"%PDF-1."));
/// assert!(pdf("no picture").is_err());
/// ```
///
/// # Errors
/// If the text is not SVG.
pub fn pdf(svg: &str) -> Result<Vec<u8>, PdfError> {
    pages(&[svg])
}

/// Returns several SVG texts as a PDF with a page for each. Each SVG gives the size of its page.
///
/// # Errors
/// If a text is not SVG.
pub fn pages(svgs: &[&str]) -> Result<Vec<u8>, PdfError> {
    let drawn: Vec<Page> = svgs
        .iter()
        .map(|svg| Page::draw(svg))
        .collect::<Result<_, PdfError>>()?;
    let mut numbers = (1..).map(Ref::new);
    let mut next = || numbers.next().unwrap_or(Ref::new(1));
    let (catalog, tree) = (next(), next());
    let ids: Vec<Ref> = drawn.iter().map(|_| next()).collect();
    let mut pdf = Pdf::new();
    pdf.catalog(catalog).pages(tree);
    let count = i32::try_from(ids.len()).unwrap_or(i32::MAX);
    pdf.pages(tree).kids(ids.iter().copied()).count(count);
    for (page, &id) in drawn.into_iter().zip(&ids) {
        page.write(&mut pdf, (tree, id), &mut next)?;
    }
    Ok(pdf.finish())
}

/// Gradient as a pattern of the page.
struct Shading {
    kind: FunctionShadingType,
    coordinates: Vec<f32>,
    matrix: Transform,
    stops: Vec<(f32, [f32; 3])>,
}

/// Page that is being drawn.
struct Page {
    /// Width and height in points.
    size: [f32; 2],
    base: Transform,
    content: Content,
    /// Opacities of fills and strokes in use, from 0 to 255.
    alphas: BTreeSet<(u8, u8)>,
    shadings: Vec<Shading>,
}

impl Page {
    /// Draws an SVG text.
    fn draw(svg: &str) -> Result<Page, PdfError> {
        let tree = Tree::from_str(&without_fonts(svg), &Options::default())?;
        let (width, height) = (tree.size().width(), tree.size().height());
        let scale = SCALE.min(LONGEST / width.max(height));
        let (wide, high) = (width * scale, height * scale);
        let mut page = Page {
            size: [wide, high],
            // PDF counts upward from the lower left corner.
            base: Transform::from_row(scale, 0.0, 0.0, -scale, 0.0, high),
            content: Content::new(),
            alphas: BTreeSet::new(),
            shadings: Vec::new(),
        };
        page.group(tree.root(), 1.0);
        Ok(page)
    }

    /// Draws a group with its members. Pictures nest a few groups only, so recursion is shallow.
    /// The opacity of a group applies to each member, because members do not overlap.
    fn group(&mut self, group: &Group, opacity: f32) {
        let opacity = opacity * group.opacity().get();
        for node in group.children() {
            match node {
                Node::Group(inner) => self.group(inner, opacity),
                Node::Path(path) if path.is_visible() => self.path(path, opacity),
                Node::Path(_) | Node::Image(_) | Node::Text(_) => {}
            }
        }
    }

    fn path(&mut self, path: &Path, opacity: f32) {
        let matrix = self.base.pre_concat(path.abs_transform());
        self.content.save_state();
        self.content.transform(row(matrix));
        let alpha = |own: Option<f32>| {
            let share = own.unwrap_or(1.0) * opacity;
            (share.clamp(0.0, 1.0) * 255.0).round() as u8
        };
        let alphas = (
            alpha(path.fill().map(|fill| fill.opacity().get())),
            alpha(path.stroke().map(|stroke| stroke.opacity().get())),
        );
        if alphas != (255, 255) {
            self.alphas.insert(alphas);
            self.content
                .set_parameters(Name(alpha_name(alphas).as_bytes()));
        }
        if let Some(fill) = path.fill() {
            self.fill(fill, matrix);
        }
        if let Some(stroke) = path.stroke() {
            self.stroke(stroke);
        }
        self.outline(path);
        let even_odd = path.fill().map(Fill::rule) == Some(FillRule::EvenOdd);
        match (path.fill().is_some(), path.stroke().is_some()) {
            (true, true) if even_odd => self.content.fill_even_odd_and_stroke(),
            (true, true) => self.content.fill_nonzero_and_stroke(),
            (true, false) if even_odd => self.content.fill_even_odd(),
            (true, false) => self.content.fill_nonzero(),
            (false, true) => self.content.stroke(),
            (false, false) => self.content.end_path(),
        };
        self.content.restore_state();
    }

    fn outline(&mut self, path: &Path) {
        let mut at = Point::zero();
        for segment in path.data().segments() {
            match segment {
                PathSegment::MoveTo(p) => {
                    self.content.move_to(p.x, p.y);
                    at = p;
                }
                PathSegment::LineTo(p) => {
                    self.content.line_to(p.x, p.y);
                    at = p;
                }
                PathSegment::QuadTo(c, p) => {
                    // The same curve with two control points.
                    let third = |a: f32, b: f32| a + (b - a) * 2.0 / 3.0;
                    let (from, to) = (at, p);
                    self.content.cubic_to(
                        third(from.x, c.x),
                        third(from.y, c.y),
                        third(to.x, c.x),
                        third(to.y, c.y),
                        p.x,
                        p.y,
                    );
                    at = p;
                }
                PathSegment::CubicTo(a, b, p) => {
                    self.content.cubic_to(a.x, a.y, b.x, b.y, p.x, p.y);
                    at = p;
                }
                PathSegment::Close => {
                    self.content.close_path();
                }
            }
        }
    }

    fn fill(&mut self, fill: &Fill, matrix: Transform) {
        if let Some(shading) = shading(fill.paint(), matrix) {
            let name = pattern_name(self.shadings.len());
            self.shadings.push(shading);
            self.content
                .set_fill_color_space(ColorSpaceOperand::Pattern)
                .set_fill_pattern([], Name(name.as_bytes()));
            return;
        }
        let [r, g, b] = plain(fill.paint());
        self.content.set_fill_rgb(r, g, b);
    }

    fn stroke(&mut self, stroke: &Stroke) {
        let [r, g, b] = plain(stroke.paint());
        self.content
            .set_stroke_rgb(r, g, b)
            .set_line_width(stroke.width().get())
            .set_miter_limit(stroke.miterlimit().get())
            .set_line_cap(match stroke.linecap() {
                LineCap::Butt => LineCapStyle::ButtCap,
                LineCap::Round => LineCapStyle::RoundCap,
                LineCap::Square => LineCapStyle::ProjectingSquareCap,
            })
            .set_line_join(match stroke.linejoin() {
                LineJoin::Miter | LineJoin::MiterClip => LineJoinStyle::MiterJoin,
                LineJoin::Round => LineJoinStyle::RoundJoin,
                LineJoin::Bevel => LineJoinStyle::BevelJoin,
            });
        if let Some(dashes) = stroke.dasharray() {
            let dashes = dashes.iter().copied();
            self.content.set_dash_pattern(dashes, stroke.dashoffset());
        }
    }

    /// Writes the page with the number `id` below `parent`. `next` returns unused numbers.
    fn write(
        self,
        pdf: &mut Pdf,
        (parent, id): (Ref, Ref),
        next: &mut impl FnMut() -> Ref,
    ) -> Result<(), PdfError> {
        let content = next();
        let alphas: Vec<(Ref, (u8, u8))> = self.alphas.iter().map(|&two| (next(), two)).collect();
        let patterns: Vec<Ref> = self.shadings.iter().map(|_| next()).collect();
        let [wide, high] = self.size;
        let mut sheet = pdf.page(id);
        sheet.media_box(Rect::new(0.0, 0.0, wide, high));
        sheet.parent(parent);
        sheet.contents(content);
        let mut resources = sheet.resources();
        let mut states = resources.ext_g_states();
        for &(id, two) in &alphas {
            states.pair(Name(alpha_name(two).as_bytes()), id);
        }
        states.finish();
        let mut listed = resources.patterns();
        for (number, &id) in patterns.iter().enumerate() {
            listed.pair(Name(pattern_name(number).as_bytes()), id);
        }
        listed.finish();
        resources.finish();
        sheet.finish();
        for &(id, (fill, stroke)) in &alphas {
            let share = |alpha: u8| f32::from(alpha) / 255.0;
            pdf.ext_graphics(id)
                .non_stroking_alpha(share(fill))
                .stroking_alpha(share(stroke));
        }
        for (shading, &id) in self.shadings.iter().zip(&patterns) {
            write_shading(pdf, shading, id, next);
        }
        let mut packed = ZlibEncoder::new(Vec::new(), Compression::default());
        packed.write_all(self.content.finish().as_slice())?;
        let packed = packed.finish()?;
        pdf.stream(content, &packed).filter(Filter::FlateDecode);
        Ok(())
    }
}

/// Writes a gradient: a pattern, and a function for each pair of neighboring stops.
fn write_shading(pdf: &mut Pdf, shading: &Shading, id: Ref, next: &mut impl FnMut() -> Ref) {
    let pairs: Vec<_> = shading.stops.windows(2).collect();
    let parts: Vec<Ref> = pairs.iter().map(|_| next()).collect();
    let whole = next();
    let mut pattern = pdf.shading_pattern(id);
    pattern.matrix(row(shading.matrix));
    let mut inner = pattern.function_shading();
    inner.shading_type(shading.kind);
    inner.color_space().device_rgb();
    inner.function(whole);
    inner.coords(shading.coordinates.iter().copied());
    inner.extend([true, true]);
    inner.finish();
    pattern.finish();
    for (pair, &part) in pairs.iter().zip(&parts) {
        if let [(_, from), (_, to)] = pair {
            let mut function = pdf.exponential_function(part);
            function.domain([0.0, 1.0]);
            function.c0(*from).c1(*to).n(1.0);
        }
    }
    let inside = shading.stops.iter().skip(1).map(|(offset, _)| *offset);
    let mut function = pdf.stitching_function(whole);
    function.domain([0.0, 1.0]);
    function
        .functions(parts.iter().copied())
        .bounds(inside.take(parts.len().saturating_sub(1)))
        .encode(parts.iter().flat_map(|_| [0.0, 1.0]));
}

/// Returns a gradient as a pattern, or `None` for other paints.
fn shading(paint: &Paint, matrix: Transform) -> Option<Shading> {
    let (kind, coordinates, own, stops) = match paint {
        Paint::LinearGradient(line) => (
            FunctionShadingType::Axial,
            vec![line.x1(), line.y1(), line.x2(), line.y2()],
            line.transform(),
            line.stops(),
        ),
        Paint::RadialGradient(disc) => {
            let (inner, outer) = (disc.fr().get(), disc.r().get());
            (
                FunctionShadingType::Radial,
                vec![disc.fx(), disc.fy(), inner, disc.cx(), disc.cy(), outer],
                disc.transform(),
                disc.stops(),
            )
        }
        Paint::Color(_) | Paint::Pattern(_) => return None,
    };
    let mut stops: Vec<_> = stops
        .iter()
        .map(|stop| (stop.offset().get(), components(stop)))
        .collect();
    // The first and the last color continue to the ends.
    let (first, last) = (*stops.first()?, *stops.last()?);
    if first.0 > 0.0 {
        stops.insert(0, (0.0, first.1));
    }
    if last.0 < 1.0 || stops.len() < 2 {
        stops.push((1.0, last.1));
    }
    Some(Shading {
        kind,
        coordinates,
        // A pattern starts from the page, and not from the shape that it fills.
        matrix: matrix.pre_concat(own),
        stops,
    })
}

fn components(stop: &Stop) -> [f32; 3] {
    let color = stop.color();
    [color.red, color.green, color.blue].map(|part| f32::from(part) / 255.0)
}

/// Returns a plain color that stands for a paint: of a gradient, its first color.
fn plain(paint: &Paint) -> [f32; 3] {
    match paint {
        Paint::Color(color) => {
            [color.red, color.green, color.blue].map(|part| f32::from(part) / 255.0)
        }
        Paint::LinearGradient(line) => line.stops().first().map_or([0.0; 3], components),
        Paint::RadialGradient(disc) => disc.stops().first().map_or([0.0; 3], components),
        Paint::Pattern(_) => [0.0; 3],
    }
}

fn row(matrix: Transform) -> [f32; 6] {
    let Transform {
        sx,
        kx,
        ky,
        sy,
        tx,
        ty,
    } = matrix;
    [sx, ky, kx, sy, tx, ty]
}

fn alpha_name((fill, stroke): (u8, u8)) -> String {
    format!("A{fill}-{stroke}")
}

fn pattern_name(number: usize) -> String {
    format!("P{number}")
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;
    use crate::svg::{Position, Style, picture};
    use omnigo_base::color::Color;
    use omnigo_graph::spec::Spec;

    /// Returns the drawing operators of a file.
    fn operators(file: &[u8]) -> String {
        let start = file
            .windows(8)
            .position(|text| text == b"stream\n\x78")
            .map_or_else(
                || {
                    file.windows(7)
                        .position(|text| text == b"stream\n")
                        .unwrap()
                        + 7
                },
                |at| at + 7,
            );
        let mut text = String::new();
        let mut unpacked = flate2::read::ZlibDecoder::new(&file[start..]);
        unpacked.read_to_string(&mut text).unwrap();
        text
    }

    #[test]
    fn positions_become_pages_with_all_their_stones() {
        let goban = "petersen".parse::<Spec>().unwrap().build().unwrap();
        let mut points = vec![None; 10];
        (points[0], points[3]) = (Some(Color::BLACK), Some(Color::WHITE));
        let position = Position {
            points,
            ..Position::default()
        };
        let svg = picture(&goban, &position, Style::default()).unwrap();
        let file = pdf(&svg).unwrap();
        let plain = String::from_utf8_lossy(&file);
        assert!(plain.starts_with("%PDF-") && plain.contains("/MediaBox"));
        // The ground and two stones have gradients.
        assert!(plain.matches("/ShadingType").count() >= 3);
        assert!(plain.contains("/FunctionType 2") && plain.contains("/FunctionType 3"));
        let drawn = operators(&file);
        assert_eq!(
            drawn.matches("\nq\n").count() + 1,
            drawn.matches("\nQ").count()
        );
        for number in 0..3 {
            assert!(drawn.contains(&format!("/P{number} scn")), "{number}");
        }
    }

    #[test]
    fn every_page_has_its_own_size() {
        let page = |width: u32| {
            format!(
                r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="8"><rect width="9" height="9"/></svg>"#
            )
        };
        let file = pages(&[&page(40), &page(80)]).unwrap();
        let plain = String::from_utf8_lossy(&file);
        assert!(plain.contains("/Count 2"), "{plain}");
        for size in ["/MediaBox [0 0 30 6]", "/MediaBox [0 0 60 6]"] {
            assert_eq!(plain.matches(size).count(), 1, "{plain}");
        }
        assert!(pages(&[&page(40), "no picture"]).is_err());
    }

    #[test]
    fn huge_pictures_fit_a_page() {
        let svg = r#"<svg xmlns="http://www.w3.org/2000/svg" width="100000" height="10"><rect width="9" height="9"/></svg>"#;
        let file = pdf(svg).unwrap();
        let plain = String::from_utf8_lossy(&file);
        let (_, numbers) = plain.split_once("/MediaBox [").unwrap();
        let (numbers, _) = numbers.split_once(']').unwrap();
        let sides: Vec<f32> = numbers.split(' ').map(|n| n.parse().unwrap()).collect();
        assert!((sides[2] - LONGEST).abs() < 0.01 && (sides[3] - 1.44).abs() < 0.001);
    }
}
