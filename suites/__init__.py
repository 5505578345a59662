"""Test suites of other Go programs, run on any GTP engine: `python -m suites --help`.

Reading order: `script` (reads the files of a suite), `engine` (a GTP engine that may fail), `play`
(runs a file on an engine), `table` (pass rates).
"""
