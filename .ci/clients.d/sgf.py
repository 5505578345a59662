"""Checks SGF in both directions with sgfmill. Each program reads the files that the other writes.

Usage: sgf.py ENGINE [ARGUMENT ...]. The games are written to the current folder.
"""

import random
import subprocess
import sys

from sgfmill import ascii_boards, boards, common, sgf, sgf_moves


class Engine:
    """A GTP engine behind pipes."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, command):
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        lines = []
        while (line := self.process.stdout.readline()) not in ("\n", ""):
            lines.append(line.rstrip("\n"))
        answer = "\n".join(lines)
        assert answer.startswith("="), f"{command}: {answer}"
        return answer[1:].strip()

    def board(self, size):
        """Returns the position in the form of sgfmill: a map from (row, column) to color."""
        symbols = self.ask("position")
        assert len(symbols) == size * size
        found = {}
        for index, symbol in enumerate(symbols):
            if symbol != ".":
                found[divmod(index, size)] = {"X": "b", "O": "w"}[symbol]
        return found

    def quit(self):
        self.ask("quit")
        self.process.wait(timeout=10)


def stones(board):
    """Returns the stones of a sgfmill board."""
    return {point: color for color, point in board.list_occupied_points()}


def vertex(move):
    return "pass" if move is None else common.format_vertex(move)


def random_game(size, turns, chance):
    """Returns moves that sgfmill's board accepts, and the board after them."""
    board = boards.Board(size)
    moves = []
    for turn in range(turns):
        color = "bw"[turn % 2]
        empty = [p for p in board.board_points if board.get(*p) is None]
        # Leave out suicide, which not all servers allow. A color that finds no other move passes.
        for point in chance.sample(empty, min(20, len(empty))):
            trial = board.copy()
            trial.play(*point, color)
            if trial.get(*point) == color:
                board = trial
                moves.append((color, point))
                break
        else:
            moves.append((color, None))
    return moves, board


def engine_to_sgfmill(engine, size, chance):
    moves, board = random_game(size, 6 * size, chance)
    engine.ask(f"boardsize {size}")
    engine.ask("komi 6.5")
    engine.ask("clear_board")
    for color, move in moves:
        engine.ask(f"play {color} {vertex(move)}")
    assert engine.board(size) == stones(board), f"boards differ on {size}x{size}"
    game = sgf.Sgf_game.from_string(engine.ask("printsgf"))
    assert game.get_size() == size and game.get_komi() == 6.5
    start, plays = sgf_moves.get_setup_and_moves(game)
    assert not stones(start)
    # The engine ignores a second pass in a row by one color.
    assert plays == moves, f"moves differ on {size}x{size}"


def sgfmill_to_engine(engine, size, chance):
    moves, board = random_game(size, 5 * size, chance)
    game = sgf.Sgf_game(size=size)
    game.root.set("KM", 0.5)
    game.root.set("PB", "a ] player: \\ with signs")
    for color, move in moves:
        node = game.extend_main_sequence()
        node.set_move(color, move)
    path = f"sgfmill-{size}.sgf"
    with open(path, "wb") as file:
        file.write(game.serialise())
    engine.ask(f"loadsgf {path}")
    assert engine.board(size) == stones(board), f"boards differ on {size}x{size}"
    assert engine.ask("get_komi") == "0.5"
    # Load the position before move 4.
    engine.ask(f"loadsgf {path} 4")
    _, early = random_game(size, 0, chance)
    for color, move in moves[:3]:
        if move is not None:
            early.play(*move, color)
    assert engine.board(size) == stones(early)


def setup_both_ways(engine):
    game = sgf.Sgf_game(size=9)
    game.root.set_setup_stones([(2, 2), (6, 6)], [(4, 4)])
    game.root.set("PL", "w")
    game.root.set("HA", 2)
    node = game.extend_main_sequence()
    node.set_move("w", (0, 8))
    with open("setup.sgf", "wb") as file:
        file.write(game.serialise())
    engine.ask("loadsgf setup.sgf")
    expected = {(2, 2): "b", (6, 6): "b", (4, 4): "w", (0, 8): "w"}
    assert engine.board(9) == expected
    again = sgf.Sgf_game.from_string(engine.ask("printsgf"))
    start, plays = sgf_moves.get_setup_and_moves(again)
    assert stones(start) == {(2, 2): "b", (6, 6): "b", (4, 4): "w"}, ascii_boards.render_board(start)
    assert plays == [("w", (0, 8))]
    engine.ask("boardsize 9")
    engine.ask("set_free_handicap C3 G7")
    engine.ask("play w E5")
    engine.ask("printsgf handicap.sgf")
    with open("handicap.sgf", "rb") as file:
        record = sgf.Sgf_game.from_bytes(file.read())
    start, plays = sgf_moves.get_setup_and_moves(record)
    assert stones(start) == {(2, 2): "b", (6, 6): "b"} and plays == [("w", (4, 4))]


def main():
    chance = random.Random(1)
    engine = Engine(sys.argv[1:])
    sizes = [2, 5, 9, 13, 19, 25]
    for size in sizes:
        engine_to_sgfmill(engine, size, chance)
        sgfmill_to_engine(engine, size, chance)
    setup_both_ways(engine)
    engine.quit()
    print(f"sgfmill: games and positions agree both ways on squares of {sizes}")


main()
