"""A build that goes on by itself: in a thread of its own, watched from elsewhere, and stopped on request."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from analytics.errors import ScoreproofError
from loaders.own_store import pointer_text
from loaders.progress import Cancelled, Progress
from loaders.publish import LoadReport
from loaders.warehouse import build


@dataclass(slots=True)
class Job:
    """One change of a store under way or done.

    `labels` maps arguments to what a person calls them. Exactly one of `report`, `error` and `cancelled` is set once it
    has ended. `before` is the pointer that the store had, for the way back. `leave_removed` is as in `build`.
    """

    store: Path
    arguments: tuple[str, ...]
    remove: tuple[str, ...]
    labels: Mapping[str, str]
    before: str
    leave_removed: bool = False
    started: float = field(default_factory=time.monotonic)
    progress: Progress | None = None
    report: LoadReport | None = None
    error: str = ""
    cancelled: bool = False
    _stop: threading.Event = field(default_factory=threading.Event)
    _ended: threading.Event = field(default_factory=threading.Event)

    @property
    def running(self) -> bool:
        """Whether it has not ended yet."""
        return not self._ended.is_set()

    @property
    def stopping(self) -> bool:
        """Whether it was asked to stop."""
        return self._stop.is_set()

    def cancel(self) -> None:
        """Ask it to stop at the next batch of records; the store stays as it was."""
        self._stop.set()

    def wait(self, seconds: float) -> bool:
        """Wait until it has ended, at most so long; return whether it has."""
        return self._ended.wait(seconds)

    def named(self, text: str) -> str:
        """Return a sentence with the person's own names of its arguments."""
        for argument, label in self.labels.items():
            text = text.replace(argument, label)
        return text

    def _heard(self, progress: Progress) -> None:
        if self._stop.is_set() and progress.stage != "done":
            raise Cancelled
        self.progress = progress

    def _run(self) -> None:
        try:
            self.report = build(
                self.arguments, self.store, add=True, remove=self.remove, leave_removed=self.leave_removed,
                on_progress=self._heard,
            )  # fmt: skip
        except Cancelled:
            self.cancelled = True
        except (ScoreproofError, OSError) as error:
            self.error = self.named(str(error))
        except Exception as error:  # noqa: BLE001 - nobody else would hear of it
            self.error = (
                f"The build failed with {type(error).__name__}: {self.named(str(error))}. The store is as it was."
            )
        finally:
            self._ended.set()


def start(
    store: Path, arguments: Sequence[str], remove: Sequence[str], labels: Mapping[str, str], *,
    leave_removed: bool = False,
) -> Job:  # fmt: skip
    """Start to change a store in the background: add logs, remove sources. Another change under way makes it fail."""
    before = pointer_text(store) if (store / "current.json").exists() else ""
    job = Job(store, tuple(arguments), tuple(remove), dict(labels), before, leave_removed)
    threading.Thread(target=job._run, name=f"build {store.name}", daemon=True).start()
    return job
