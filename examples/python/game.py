"""Plays a game of omnigo against itself on a torus, over GTP.

Usage: python3 game.py [OMNIGO]

OMNIGO is the path of the program, `omnigo` by default. The script needs no packages.
"""

import subprocess
import sys


class Engine:
    """omnigo in its own process. Other scripts may import this class."""

    def __init__(self, *options, program="omnigo"):
        self.process = subprocess.Popen(
            [program, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
        )

    def ask(self, command):
        """Sends one command and returns the text of its answer."""
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        lines = []
        # An empty line ends the answer.
        while (line := self.process.stdout.readline()) != "\n":
            if not line:
                raise RuntimeError(f"omnigo ended before its answer to '{command}'")
            lines.append(line.rstrip("\n"))
        if not lines[0].startswith("="):
            raise ValueError(f"{command}: {lines[0][1:].strip()}")
        # The first two characters are the status and a space.
        return "\n".join([lines[0][2:], *lines[1:]])

    def __enter__(self):
        return self

    def __exit__(self, *error):
        # The end of input ends the session.
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else "omnigo"
    with Engine("--playouts", "50", "--threads", "1", program=program) as omnigo:
        print(omnigo.ask("set_graph torus:5x5"))
        print("neighbors of A1:", omnigo.ask("list_neighbors A1"))
        colors, turn, passes = ["black", "white"], 0, 0
        while passes < 2 and turn < 200:
            move = omnigo.ask(f"genmove {colors[turn % 2]}")
            if move == "resign":
                break
            passes = passes + 1 if move == "pass" else 0
            turn += 1
        print(f"{turn} moves, position {omnigo.ask('position')}")
        print("result:", omnigo.ask("final_score"))


if __name__ == "__main__":
    main()
