"""Workers of a job: threads of this process that each run one piece, or the workers of Ray."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any, Protocol

from cluster import piece
from cluster.errors import JobError, quoted
from cluster.piece import Kit, Outcome, Task

NO_RAY = "Ray is not installed: expected `pip install ray` first, or --local without it"

# Seconds for a connection to the cluster.
ANSWER_SECONDS = 10


class Pool(Protocol):
    """Runs tasks, `slots` at a time."""

    slots: int

    def start(self, number: int, task: Task) -> None:
        """Starts a task under a number."""

    def wait(self) -> list[tuple[int, Outcome]]:
        """Waits for at least one of the started tasks, and returns those that ended."""

    def close(self) -> None:
        """Ends all running tasks."""


class LocalPool:
    """Pieces as processes of this machine, without Ray."""

    def __init__(self, kit: Kit, workers: int) -> None:
        self.slots = workers
        self.kit = kit
        self.place = tempfile.mkdtemp(prefix="omnigo-kit-")
        # Unpack before any process starts: a program that is open for writing cannot start.
        piece.unpack(kit, self.place)
        self.threads = ThreadPoolExecutor(workers)
        self.running: dict[Future[Outcome], int] = {}
        self.processes: dict[int, subprocess.Popen[bytes]] = {}
        self.lock = threading.Lock()
        self.closed = False

    def start(self, number: int, task: Task) -> None:
        self.running[self.threads.submit(self.run, number, task)] = number

    def run(self, number: int, task: Task) -> Outcome:
        def started(process: subprocess.Popen[bytes]) -> None:
            with self.lock:
                self.processes[number] = process
                if self.closed:
                    process.kill()

        try:
            return piece.run(self.kit, self.place, task, started)
        finally:
            with self.lock:
                self.processes.pop(number, None)

    def wait(self) -> list[tuple[int, Outcome]]:
        ended, _ = wait(self.running, return_when=FIRST_COMPLETED)
        return [(self.running.pop(future), future.result()) for future in ended]

    def close(self) -> None:
        with self.lock:
            self.closed = True
            for process in self.processes.values():
                piece.end(process)
        self.threads.shutdown(cancel_futures=True)
        shutil.rmtree(self.place, ignore_errors=True)


def reach(address: str) -> None:
    """Refuses an address that no program answers, because Ray waits minutes for it. Ray itself
    finds addresses without a port, such as `auto`."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not colon or not port.isdigit():
        return
    try:
        socket.create_connection((host.strip("[]"), int(port)), ANSWER_SECONDS).close()
    except (OSError, OverflowError, UnicodeError) as error:
        said = piece.short(str(error))
        raise JobError(f"Ray at {quoted(address)} cannot be used: {said}", 1) from None


class RayPool:
    """Pieces as tasks of Ray. Without an address, Ray is started on this machine and ends with
    the job. The object store carries kit and results, so no folder is shared."""

    def __init__(self, kit: Kit, address: str, workers: int | None, cores: int) -> None:
        # Ray reports its use to its makers otherwise.
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        try:
            import ray
        except ImportError:
            raise JobError(NO_RAY) from None
        self.ray: Any = ray
        self.running: dict[Any, int] = {}
        self.slots = workers or (1 if not address else sys.maxsize)
        self.own = not ray.is_initialized()
        if self.own:
            self.connect(address, self.slots * cores)
        self.warn_of(cores)
        # Workers do not have this repository, so send them the functions.
        self.ray.cloudpickle.register_pickle_by_value(piece)
        self.kit = ray.put(kit)
        # The driver counts the attempts and tells the reasons, so Ray itself retries nothing.
        self.task = ray.remote(num_cpus=cores, max_retries=0)(piece.run_alone)

    def connect(self, address: str, cores: int) -> None:
        reach(address)
        given: dict[str, Any] = {"address": address or "local", "log_to_driver": False}
        if not address:
            given |= {"num_cpus": cores, "include_dashboard": False}
        try:
            self.ray.init(**given, logging_level="ERROR")
        except (ConnectionError, RuntimeError, ValueError, OSError) as error:
            where = quoted(address) if address else "this machine"
            said = piece.short(str(error))
            raise JobError(f"Ray at {where} cannot be used: {said}", 1) from None

    def warn_of(self, cores: int) -> None:
        nodes = [node["Resources"].get("CPU", 0) for node in self.ray.nodes() if node["Alive"]]
        if max(nodes, default=0) < cores:
            print(
                f"warning: no node has {cores} cores now, the pieces wait for one", file=sys.stderr
            )

    def start(self, number: int, task: Task) -> None:
        try:
            self.running[self.task.remote(self.kit, task)] = number
        except (self.ray.exceptions.RayError, ConnectionError) as error:
            raise lost(error) from None

    def wait(self) -> list[tuple[int, Outcome]]:
        try:
            ended, _ = self.ray.wait(list(self.running))
        except (self.ray.exceptions.RayError, ConnectionError) as error:
            raise lost(error) from None
        return [(self.running.pop(reference), self.result(reference)) for reference in ended]

    def result(self, reference: Any) -> Outcome:
        try:
            outcome: Outcome = self.ray.get(reference)
            return outcome
        except self.ray.exceptions.RayError as error:
            return Outcome({}, piece.short(f"the Ray worker is lost: {first_line(error)}"))

    def close(self) -> None:
        try:
            for reference in self.running:
                self.ray.cancel(reference, force=True)
            if self.own:
                self.ray.shutdown()
        except (self.ray.exceptions.RayError, ConnectionError):
            # The cluster is gone, and its tasks with it.
            pass


def first_line(error: Exception) -> str:
    """Returns the name of an error and its first line. In Ray's errors, advice follows."""
    lines = str(error).strip().splitlines() or [""]
    return f"{type(error).__name__}: {lines[0]}"


def lost(error: Exception) -> JobError:
    """Returns the error of a job whose cluster is gone."""
    reason = piece.short(first_line(error))
    return JobError(f"the connection to Ray is lost ({reason}); the same command continues", 1)
