"""Tables and claims of the reader's own, as the command line names them: read once for the audit and for the report."""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from analytics.audit.records import read_claims
from analytics.audit.run import Audit, audit
from analytics.audit.tables import Folder, Record, embedded, folder_of
from analytics.store import Connection


@dataclass(frozen=True, slots=True)
class Own:
    """A folder of printed tables (the embedded one where none was named), and claims instead of the folder's.

    `folder` and `file` are the paths as named, None where they were not. `claims` is None where the folder's own count.
    """

    published: Folder
    claims: Sequence[Record] | None
    folder: Path | None
    file: Path | None

    def flags(self) -> str:
        """Return the options that name these files on the command line again; each begins with a blank."""
        named = (("--published", self.folder), ("--claims", self.file))
        return "".join(f" {flag} {shlex.quote(str(path))}" for flag, path in named if path is not None)

    def texts(self) -> dict[str, str]:
        """Return the named files by name: those of the folder where one was named, and the file of claims."""
        found = dict(self.published.texts) if self.folder is not None else {}
        if self.file is not None:
            found[f"claims {self.file.name}"] = self.file.read_text(encoding="utf-8-sig")
        return found

    def checked(self, cursor: Connection | None) -> Audit:
        """Check tables and claims; without a cursor a check that asks rows is not checkable."""
        return audit(self.published, claims=self.claims, cursor=cursor)

    def idle(self, found: Audit) -> str:
        """Return what to do where nothing was checked; empty where something was."""
        if self.claims == [] and self.folder is None:
            return f"{self.file} has no [[claim]], so that nothing of it was checked."
        if found.cells or found.claims:
            return ""
        where = self.folder or self.file or self.published.name
        return f"{where} declares nothing to check; say in identities.toml which cells must agree."


def own(published: Path | None, claims: Path | None) -> Own:
    """Read a folder of printed tables and a file of claims, either of which may be None.

    Raises NoStore for a folder or file that is not there, BadLog and UnknownValue for one that cannot be read.
    """
    folder = embedded() if published is None else folder_of(published, base=embedded())
    return Own(folder, None if claims is None else read_claims(claims), published, claims)


def digest(texts: Iterable[tuple[str, str]]) -> str:
    """Return the hash of names and texts of some files, whatever their order."""
    found = hashlib.sha256()
    for file, text in sorted(texts):
        for part in (file, text):
            held = part.encode()
            found.update(len(held).to_bytes(8, "big") + held)
    return found.hexdigest()[:16]
