"""The store of the logs that ship with the project, built on first use and again when a log or a reader changed."""

from __future__ import annotations

import hashlib
import json
import os
import stat
import tempfile
from pathlib import Path

from analytics.errors import BadStore
from analytics.schema import STORE_VERSION
from loaders.progress import OnProgress, silent

ROOT = Path(__file__).resolve().parent.parent
LOGS = ROOT / "logs"
BUILT_FROM = "built-from.json"


def home() -> Path:
    """Return the folder of the embedded store: `.scoreproof` beside the code, or SCOREPROOF_HOME, or a temporary one.

    The temporary folder serves an installation that nobody may write to; see `private`.
    """
    named = os.environ.get("SCOREPROOF_HOME")
    if named:
        return Path(named)
    if os.access(ROOT, os.W_OK):
        return ROOT / ".scoreproof"
    return private(Path(tempfile.gettempdir()) / f"scoreproof-{os.getuid()}")


def private(folder: Path) -> Path:
    """Return a folder that its user alone can read and write, made now if need be.

    Raises BadStore where another user has made it, or a link: what is built there would be theirs to see or to change.
    """
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
        raise BadStore(f"{folder} belongs to somebody else. Name a folder of your own in SCOREPROOF_HOME.")
    if stat.S_IMODE(found.st_mode) & 0o077:
        folder.chmod(0o700)
    return folder


def fingerprint() -> str:
    """Return the digest of every shipped log and of the code that reads and builds."""
    whole = hashlib.sha256(str(STORE_VERSION).encode())
    code = [
        *ROOT.glob("loaders/*.py"),
        *ROOT.glob("analytics/*.sql"),
        *ROOT.glob("analytics/schema.py"),
        *ROOT.glob("analytics/ledger.py"),
    ]
    logs = [path for path in LOGS.rglob("*") if path.is_file() and path.suffix not in (".py", ".pyc", ".md")]
    for path in sorted(code + logs):
        whole.update(str(path.relative_to(ROOT)).encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return whole.hexdigest()


def arguments() -> list[str]:
    """Return the folders under logs/ that hold logs, as arguments of a build: native logs each by itself."""
    skipped = {"generate", "__pycache__"}
    folders = sorted(path for path in LOGS.iterdir() if path.is_dir() and path.name not in skipped)
    native = {folder: sorted(path.parent for path in folder.glob("*/manifest.json")) for folder in folders}
    return [str(log) for folder in folders for log in (native[folder] or [folder]) if any(log.iterdir())]


def embedded_store(*, on_progress: OnProgress = silent) -> Path:
    """Return the folder of the embedded store, built now if it is not there or no longer fits the shipped logs."""
    folder = home() / "embedded"
    wanted = fingerprint()
    mark = folder / BUILT_FROM
    try:
        current = json.loads(mark.read_text(encoding="utf-8"))["fingerprint"] == wanted
    except (OSError, ValueError, KeyError, TypeError):
        current = False
    if current and (folder / "current.json").exists():
        return folder
    from loaders.warehouse import build  # noqa: PLC0415 - every reader comes with it, and most starts build nothing

    try:
        build(arguments(), folder, add=False, shipped=True, on_progress=on_progress)
    except BadStore:
        # Another process is building the same logs: the one that finishes first serves both.
        if not (folder / "current.json").exists():
            raise
        return folder
    fresh = folder / f".{BUILT_FROM}.partial"
    fresh.write_text(json.dumps({"fingerprint": wanted}), encoding="utf-8")
    fresh.replace(mark)
    return folder
