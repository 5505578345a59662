"""Checks that every relative link and anchor in the pages of a book resolves.

Usage: book_links.py FOLDER
"""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """Links and anchors of a page."""

    def __init__(self, path):
        super().__init__()
        self.links, self.anchors = [], set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id":
                self.anchors.add(value)
            elif name in ("href", "src") and value:
                self.links.append(value)


def main():
    folder = Path(sys.argv[1]).resolve()
    # The print page repeats all pages, and page 404 has links for any place.
    paths = [p for p in folder.rglob("*.html") if p.name not in ("print.html", "404.html", "toc.html")]
    # Documents that the program writes itself are no pages of the book.
    pages = {path: Page(path) for path in paths if "examples" not in path.parts}
    wrong, count = [], 0
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            anchor = unquote(parts.fragment)
            count += 1
            if target.is_dir():
                target = target / "index.html"
            if not target.exists():
                wrong.append(f"{path.relative_to(folder)}: {link}: no such file")
            elif anchor and target in pages and anchor not in pages[target].anchors:
                wrong.append(f"{path.relative_to(folder)}: {link}: no such anchor")
    for line in wrong:
        print(line)
    print(f"{len(pages)} pages, {count} links, {len(wrong)} broken")
    return 1 if wrong or count < 500 else 0


sys.exit(main())
