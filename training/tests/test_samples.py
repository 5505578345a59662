"""The networks in crates/net/samples/twin, which tests of the engine read."""

import gzip
import os

from training.tests.support import TrainingCase

import numpy as np

from training.tests import samples


class Samples(TrainingCase):
    def test_they_are_current(self) -> None:
        files = set()
        for seed, (name, recipe) in enumerate(samples.SAMPLES.items(), 1):
            path = os.path.join(samples.FOLDER, name)
            files |= {f"{name}.bin.gz", f"{name}.txt"}
            with gzip.open(f"{path}.bin.gz") as file:
                self.assertEqual(file.read(), recipe.bytes(seed), path)
            with open(f"{path}.txt") as file:
                found = file.read().splitlines()
            expected = samples.positions(f"{path}.bin.gz").splitlines()
            self.assertEqual([line.split()[0] for line in found], [line.split()[0] for line in expected])
            for one, two in zip(found, expected):
                # Machines add the products in different orders.
                one, two = (np.array(line.split()[1:], float) for line in (one, two))
                np.testing.assert_allclose(one, two, rtol=1e-4, atol=1e-4)
        self.assertEqual(set(os.listdir(samples.FOLDER)), files)
