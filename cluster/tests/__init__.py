"""Tests of jobs. OMNIGO names the engine's binary. Tests that need it or Ray are skipped without
it: `python -m unittest discover -t . -s cluster/tests`."""
