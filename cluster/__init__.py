"""Jobs of omnigo in pieces, on this machine or on a Ray cluster: `python -m cluster --help`.

Reading order: `kinds` (the table of what a job can be), `job` (a job as a list of pieces), `piece`
(one piece, on a worker), `pools` (the workers), `folder` (finished pieces on disk), `driver`
(retries and the merge), `merge` (results of a kind), `workers` (self-play of `training/loop.py`).
"""
