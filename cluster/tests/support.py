"""A folder for a test, a program that stands for omnigo, and calls of the driver."""

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HAS_RAY = importlib.util.find_spec("ray") is not None
# Seconds after which a test has failed.
PATIENCE = 240

# Stands for omnigo. It logs each piece of self-play or labels by its number, and then makes the
# trouble that `--trouble` names, for piece 1 and mostly only once.
FAKE = """#!PYTHON
import json, os, signal, sys, time
words, folder = sys.argv[1:], 'FOLDER'

def value(name, other=None):
    return words[words.index(name) + 1] if name in words else other

def first(name):
    try:
        os.close(os.open(os.path.join(folder, name), os.O_CREAT | os.O_EXCL))
        return True
    except FileExistsError:
        return False

if '--version' in words:
    sys.exit(print('omnigo 7'))
if '--help' in words:
    sys.exit(print('--out --output') if words[0] in ('selfplay', 'label', 'review') else 2)
if words[0] == 'review':
    with open(words[1]) as file:
        game = file.read()
    if 'broken' in game:
        sys.exit('omnigo: no game')
    if 'several' in game:
        sys.stderr.write('warning: 3 games, the first is reviewed\\n')
    with open(value('--output'), 'w') as file:
        sys.exit(not file.write('reviewed ' + game))
if '--wrong' in words:
    sys.stderr.write("error: unexpected argument '--wrong' found\\n\\nUsage: omnigo\\n")
    sys.exit(2)
games, seed, out = int(value('--games')), int(value('--seed')), value('--out')
number = seed % 1000003
with open(os.path.join(folder, 'log'), 'a') as log:
    log.write(f'{number}\\n')
trouble = value('--trouble') if number == 1 else ''
if trouble == 'never':
    sys.exit('omnigo: no luck')
if trouble == 'kill-piece' and first('once'):
    os.kill(os.getpid(), signal.SIGKILL)
if trouble == 'kill-worker' and first('once'):
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(60)
if trouble == 'sleep' and first('once'):
    with open(os.path.join(folder, 'pid'), 'w') as file:
        file.write(str(os.getpid()))
    time.sleep(600)
if trouble == 'empty' and first('once'):
    sys.exit()
rows = 0 if trouble == 'few' and first('once') else games
with open(value('--teacher' if words[0] == 'label' else '--net', os.devnull), 'rb') as file:
    net = file.read().hex()
with open(os.path.join(out, 'games.jsonl'), 'w') as file:
    file.write(json.dumps({'net': net, 'seed': seed}) + '\\n')
    for game in range(1, games + 1):
        file.write(json.dumps({'game': game, 'board': '5x5', 'rows': 1, 'of': seed}) + '\\n')
with open(os.path.join(out, '5x5.rows'), 'wb') as file:
    file.write(b'omnigoTR\\2\\0\\5\\5' + (8).to_bytes(4, 'little'))
    for game in range(rows):
        file.write(bytes([number, game]) * 4)
"""


class JobCase(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self) -> None:
        self.folder = tempfile.mkdtemp(prefix="omnigo-test-")
        self.addCleanup(shutil.rmtree, self.folder, True)
        self.fake = self.write(
            "fake", FAKE.replace("PYTHON", sys.executable).replace("FOLDER", self.folder)
        )
        os.chmod(self.fake, 0o755)

    def path(self, *names: str) -> str:
        return os.path.join(self.folder, *names)

    def write(self, name: str, text: str) -> str:
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def read(self, *names: str) -> bytes:
        with open(self.path(*names), "rb") as file:
            return file.read()

    def start(
        self, *words: str, before: tuple[str, ...] = ("-m", "cluster")
    ) -> subprocess.Popen[str]:
        """Starts the driver with its temporary files in the test's folder."""
        os.makedirs(self.path("tmp"), exist_ok=True)
        return subprocess.Popen(
            [sys.executable, *before, *words],
            cwd=ROOT,
            env={**os.environ, "TMPDIR": self.path("tmp")},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def drive(self, *words: str, status: int = 0) -> tuple[str, str]:
        """Runs the driver, and returns its output and its messages."""
        process = self.start(*words)
        try:
            out, said = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
        self.assertEqual(process.returncode, status, f"{out}\n{said}")
        return out, said

    def play(
        self, out: str, *words: str, kind: str = "selfplay", status: int = 0
    ) -> tuple[str, str]:
        """Runs a job of 7 fake games in 4 pieces."""
        job = [kind, "--out", self.path(out), "--games", "7", "--piece", "2"]
        pool = [] if "--workers" in words or "--address" in words else ["--local"]
        return self.drive(*job, "--omnigo", self.fake, *pool, *words, status=status)

    def refuse(self, *words: str, status: int = 2) -> str:
        """Runs the driver, and returns its only line."""
        out, said = self.drive(*words, status=status)
        self.assertEqual((out, said.count("\n")), ("", 1), said)
        return said

    def log(self) -> list[int]:
        """Returns the numbers of the pieces that were started, in order."""
        return (
            [int(number) for number in self.read("log").split()]
            if os.path.exists(self.path("log"))
            else []
        )

    def assert_complete(self, out: str) -> None:
        """Checks the merged result of `play`: all games and rows in the order of the pieces."""
        rows = [bytes([game // 2, game % 2]) * 4 for game in range(7)]
        header = b"omnigoTR\2\0\5\5" + (8).to_bytes(4, "little")
        self.assertEqual(self.read(out, "result", "5x5.rows"), header + b"".join(rows))
        games = self.read(out, "result", "games.jsonl").decode().splitlines()
        self.assertEqual(len(games), 8)
        self.assertIn('"seed":1}', games[0])
        for number, game in enumerate(games[1:], 1):
            self.assertIn(f'{{"game":{number},', game)
            self.assertIn(f'"of":{1_000_003 + (number - 1) // 2}}}', game)
