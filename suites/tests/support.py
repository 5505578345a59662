"""A folder for a test, and an engine that makes trouble."""

import os
import shutil
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# The engine's binary, or an empty text if OMNIGO does not name it.
OMNIGO = os.path.abspath(os.environ["OMNIGO"]) if os.environ.get("OMNIGO") else ""

# An engine that logs its commands. It ends after `crash`, hangs after `hang`, and babbles after
# `babble`. Its move is the number of moves on the board: A1, A2, and so on.
FAKE = """#!PYTHON
import os, sys, time
gone, log = sys.argv[1].split(','), open('LOG', 'a')
known = ['list_commands', 'loadsgf', 'boardsize', 'clear_board', 'komi', 'play', 'undo', 'genmove',
         'reg_genmove', 'final_score', 'crash', 'hang', 'babble', 'kata-search', 'echo', 'quit']
known = [name for name in known if name not in gone]
moves = 0

def answer(text, fine=True):
    print(('=' if fine else '?') + ' ' + text + '\\n', flush=True)

log.write('start\\n')
print('Welcome!', flush=True)
for line in sys.stdin:
    word, *words = line.split()
    log.write(line)
    log.flush()
    if word == 'quit':
        sys.exit(answer(''))
    elif word not in known:
        answer('unknown command', False)
    elif word == 'list_commands':
        answer('\\n'.join(known))
    elif word == 'crash':
        os._exit(3)
    elif word == 'hang':
        time.sleep(600)
    elif word == 'babble':
        print('= ', flush=True, end='')
        while True:
            print('x' * 65536, flush=True, end='')
    elif word in ('loadsgf', 'boardsize', 'clear_board'):
        fine = word != 'loadsgf' or os.path.exists(words[0])
        moves = 0 if fine else moves
        answer('' if fine else 'cannot load file', fine)
    elif word == 'play':
        fine = words[1] != 'z99'
        moves += fine
        answer('' if fine else 'illegal move', fine)
    elif word == 'undo':
        moves -= 1
        answer('')
    elif word == 'genmove':
        moves += 1
        answer(f'A{moves}')
    elif word == 'reg_genmove':
        answer(f'A{moves + 1}')
    elif word == 'kata-search':
        answer(words[3].split(',')[-1])
    elif word == 'echo':
        answer(' '.join(words))
    else:
        answer('W+0.5' if word == 'final_score' else '')
"""


class SuiteCase(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self) -> None:
        self.folder = tempfile.mkdtemp(prefix="omnigo-test-")
        self.addCleanup(shutil.rmtree, self.folder, True)
        text = FAKE.replace("PYTHON", sys.executable).replace("LOG", self.path("log"))
        self.fake = self.write("fake", text)
        os.chmod(self.fake, 0o755)

    def path(self, *names: str) -> str:
        return os.path.join(self.folder, *names)

    def write(self, name: str, text: str) -> str:
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w", encoding="latin-1") as file:
            file.write(text)
        return self.path(name)

    def log(self) -> list[str]:
        """Returns the commands that the engine got, without those of its start and end."""
        with open(self.path("log"), encoding="utf-8") as file:
            lines = file.read().splitlines()
        return [line for line in lines if line not in ("list_commands", "quit")]
