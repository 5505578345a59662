"""Tests of the training. They need PyTorch: `python -m unittest discover -t . -s training/tests`."""
