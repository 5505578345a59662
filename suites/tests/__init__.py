"""Tests of the suites: `python -m unittest discover -t . -s suites/tests`. OMNIGO names the engine's
binary. Without it, the tests of the engine are skipped."""
