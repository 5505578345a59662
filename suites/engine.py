"""A GTP engine as a process that may end, hang, or answer with anything."""

import contextlib
import queue
import shlex
import subprocess
import threading
import time
from dataclasses import dataclass

# Maximum number of characters of an answer.
MOST_ANSWER = 1 << 20
# Seconds until an engine has ended after `quit`.
QUIT_SECONDS = 5.0


class Lost(Exception):
    """The engine has ended or does not answer, and cannot be used any more."""


@dataclass(frozen=True)
class Answer:
    """An answer, and false if it is an error."""

    fine: bool
    text: str

    @property
    def unknown(self) -> bool:
        """True if the engine does not have the command."""
        return not self.fine and self.text.lower().startswith("unknown command")


class Engine:
    """A running engine. `seconds` is the limit for each answer."""

    def __init__(self, command: str, folder: str, seconds: float) -> None:
        """Starts the engine in a folder. Raises `Lost` if it cannot be started."""
        self.seconds = seconds
        try:
            self.process = subprocess.Popen(
                shlex.split(command),
                cwd=folder,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        except (OSError, ValueError, IndexError) as error:
            raise Lost(f"cannot start: {error}") from None
        self.lines: queue.Queue[bytes] = queue.Queue()
        self.listener = threading.Thread(target=self.listen, daemon=True)
        self.listener.start()
        self.commands = self.known_commands()

    def listen(self) -> None:
        """Passes on the lines of the engine, and an empty text at its end."""
        stdout = self.process.stdout
        assert stdout is not None
        while line := stdout.readline(MOST_ANSWER):
            self.lines.put(line)
        self.lines.put(b"")

    def known_commands(self) -> frozenset[str]:
        """Returns the names of the engine's commands. Empty if it cannot list them."""
        try:
            answer = self.ask("list_commands")
        except Lost:
            self.close()
            raise
        return frozenset(answer.text.split()) if answer.fine else frozenset()

    def has(self, word: str) -> bool:
        """Returns true if the engine has a command, or does not list its commands."""
        return not self.commands or word in self.commands

    def ask(self, command: str) -> Answer:
        """Sends a command and returns the answer. Lines before the answer are ignored.

        Raises `Lost` if there is none in time.
        """
        end = time.monotonic() + self.seconds
        try:
            assert self.process.stdin is not None
            self.process.stdin.write(command.encode("latin-1", "replace") + b"\n")
            self.process.stdin.flush()
        except OSError:
            raise Lost("ended") from None
        answer: list[str] = []
        length = 0
        while True:
            line = self.line(end).decode("latin-1").rstrip("\r\n")
            length += len(line)
            if length > MOST_ANSWER:
                self.process.kill()
                raise Lost("answered without end")
            if not answer and not line.startswith(("=", "?")):
                continue
            if not line.strip():
                mark, text = answer[0][0], "\n".join([answer[0][1:], *answer[1:]])
                return Answer(mark == "=", text.lstrip("0123456789").strip())
            answer.append(line)

    def line(self, end: float) -> bytes:
        try:
            line = self.lines.get(timeout=max(0.0, end - time.monotonic()))
        except queue.Empty:
            self.process.kill()
            raise Lost("timeout") from None
        if not line:
            raise Lost("ended")
        return line

    def close(self) -> None:
        """Ends the engine."""
        with contextlib.suppress(OSError, ValueError):
            assert self.process.stdin is not None
            self.process.stdin.write(b"quit\n")
            self.process.stdin.close()
        try:
            self.process.wait(QUIT_SECONDS if self.process.poll() is None else None)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        # Processes that the engine has started may keep its output open.
        self.listener.join(QUIT_SECONDS)
        if not self.listener.is_alive() and self.process.stdout:
            self.process.stdout.close()
