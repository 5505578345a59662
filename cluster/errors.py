"""The error of a job that cannot start or cannot end, and quotes for messages."""


class JobError(Exception):
    """Message of one line, and exit status: 2 for wrong arguments, 1 for unfinished work."""

    def __init__(self, message: str, status: int = 2) -> None:
        super().__init__(message)
        self.status = status


def quoted(text: str) -> str:
    """Returns the text in quotes, on one line of at most 60 characters without control
    characters."""
    plain = "".join(c if c.isprintable() else "?" for c in text)
    return f"'{plain if len(plain) <= 60 else plain[:57] + '...'}'"
