//! Files of the page, which are part of the program.

/// File of the page.
#[derive(Debug, PartialEq)]
pub(super) struct File {
    /// Path after the token, compared byte by byte.
    path: &'static str,
    /// Media type.
    pub(super) media: &'static str,
    /// Content.
    pub(super) bytes: &'static [u8],
}

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

macro_rules! file {
    ($path:literal, $file:literal, $media:expr) => {
        File {
            path: $path,
            media: $media,
            bytes: include_bytes!(concat!("page/", $file)),
        }
    };
}

/// All files of `src/play/page/`.
static FILES: &[File] = &[
    file!("", "index.html", HTML),
    file!("board.css", "board.css", CSS),
    file!("dialogs.css", "dialogs.css", CSS),
    file!("panel.css", "panel.css", CSS),
    file!("style.css", "style.css", CSS),
    file!("js/analysis-pane.js", "js/analysis-pane.js", SCRIPT),
    file!("js/board-view.js", "js/board-view.js", SCRIPT),
    file!("js/candidates.js", "js/candidates.js", SCRIPT),
    file!("js/canvas.js", "js/canvas.js", SCRIPT),
    file!("js/connection.js", "js/connection.js", SCRIPT),
    file!("js/console-pane.js", "js/console-pane.js", SCRIPT),
    file!("js/dom.js", "js/dom.js", SCRIPT),
    file!("js/exact-pane.js", "js/exact-pane.js", SCRIPT),
    file!("js/family-form.js", "js/family-form.js", SCRIPT),
    file!("js/files.js", "js/files.js", SCRIPT),
    file!("js/flat.js", "js/flat.js", SCRIPT),
    file!("js/gallery.js", "js/gallery.js", SCRIPT),
    file!("js/geometry.js", "js/geometry.js", SCRIPT),
    file!("js/gestures.js", "js/gestures.js", SCRIPT),
    file!("js/input.js", "js/input.js", SCRIPT),
    file!("js/keys.js", "js/keys.js", SCRIPT),
    file!("js/layers.js", "js/layers.js", SCRIPT),
    file!("js/main.js", "js/main.js", SCRIPT),
    file!("js/more.js", "js/more.js", SCRIPT),
    file!("js/new-game.js", "js/new-game.js", SCRIPT),
    file!("js/node-texts.js", "js/node-texts.js", SCRIPT),
    file!("js/overlay.js", "js/overlay.js", SCRIPT),
    file!("js/picture.js", "js/picture.js", SCRIPT),
    file!("js/players.js", "js/players.js", SCRIPT),
    file!("js/plot.js", "js/plot.js", SCRIPT),
    file!("js/points-pane.js", "js/points-pane.js", SCRIPT),
    file!("js/quaternion.js", "js/quaternion.js", SCRIPT),
    file!("js/rules-form.js", "js/rules-form.js", SCRIPT),
    file!("js/scene.js", "js/scene.js", SCRIPT),
    file!("js/scoring.js", "js/scoring.js", SCRIPT),
    file!("js/sentences.js", "js/sentences.js", SCRIPT),
    file!("js/session.js", "js/session.js", SCRIPT),
    file!("js/settings.js", "js/settings.js", SCRIPT),
    file!("js/setup.js", "js/setup.js", SCRIPT),
    file!("js/sketch-pad.js", "js/sketch-pad.js", SCRIPT),
    file!("js/sketch.js", "js/sketch.js", SCRIPT),
    file!("js/sound.js", "js/sound.js", SCRIPT),
    file!("js/space-tools.js", "js/space-tools.js", SCRIPT),
    file!("js/space.js", "js/space.js", SCRIPT),
    file!("js/spec-field.js", "js/spec-field.js", SCRIPT),
    file!("js/stones.js", "js/stones.js", SCRIPT),
    file!("js/store.js", "js/store.js", SCRIPT),
    file!("js/surface.js", "js/surface.js", SCRIPT),
    file!("js/tabs.js", "js/tabs.js", SCRIPT),
    file!("js/tree.js", "js/tree.js", SCRIPT),
    file!("js/types.js", "js/types.js", SCRIPT),
    file!("js/wrap.js", "js/wrap.js", SCRIPT),
];

/// Returns the file at a path after the token, or `None`.
pub(super) fn find(path: &[u8]) -> Option<&'static File> {
    FILES.iter().find(|file| file.path.as_bytes() == path)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    #[test]
    fn the_table_has_all_files_of_the_folder() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/play/page");
        let mut found = Vec::new();
        for sub in ["", "js/"] {
            for entry in fs::read_dir(folder.join(sub)).unwrap() {
                let name = entry.unwrap().file_name().into_string().unwrap();
                if name.ends_with(".js") || name.ends_with(".css") {
                    found.push(format!("{sub}{name}"));
                }
            }
        }
        found.sort();
        let mut listed: Vec<&str> = FILES.iter().map(|file| file.path).collect();
        listed.retain(|path| !path.is_empty());
        listed.sort_unstable();
        assert_eq!(listed, found);
    }

    #[test]
    fn the_page_loads_nothing_from_elsewhere() {
        for file in FILES {
            let text = std::str::from_utf8(file.bytes).unwrap();
            for sign in [
                "src=\"http",
                "href=\"http",
                "import('http",
                "from 'http",
                "fetch('http",
            ] {
                assert!(!text.contains(sign), "{}: {sign}", file.path);
            }
        }
    }
}
