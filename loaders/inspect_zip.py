"""Members of an Inspect `.eval` archive, read within bounds; nothing is ever written to disk.

Newer logs store members with zstandard (method 93), which the standard library reads from Python 3.14 on: the
directory is taken from `zipfile`, the data are found by their local header and decompressed here.
Layout of the archive: https://inspect.aisi.org.uk/eval-logs.html. Zip: APPNOTE 6.3.10, sections 4.3.7 and 4.4.5.
"""

from __future__ import annotations

import io
import re
import struct
import zipfile
import zlib
from dataclasses import dataclass
from functools import cached_property
from typing import BinaryIO

import zstandard

from analytics.errors import BadLog

MEMBER_BYTES = 512 << 20
"""Largest member that is decompressed."""

TOTAL_BYTES = 16 << 30
"""Largest sum of the members that are decompressed."""

AT_ONCE_BYTES = 1 << 20
"""Largest file that is read in one piece: each seek in a file costs a call to the system, in memory none."""

ZSTANDARD = 93
LOCAL_HEADER = struct.Struct("<4s22xHH")
DRIVE = re.compile(r"[A-Za-z]:")
SAMPLE = re.compile(r"samples/(.+)_epoch_(\d+)\.json", re.DOTALL)


@dataclass(frozen=True)
class Archive:
    """An open archive: `members` by name (the last one of a name is valid), `doubled` and `unsafe` names apart."""

    file: zipfile.ZipFile
    members: dict[str, zipfile.ZipInfo]
    doubled: tuple[str, ...]
    unsafe: tuple[str, ...]

    @cached_property
    def unpacker(self) -> zstandard.ZstdDecompressor:
        """What unpacks members of method 93: made when the first is read, since older logs have none."""
        return zstandard.ZstdDecompressor()


def open_archive(opened: BinaryIO, name: str) -> Archive:
    """Return the directory of an archive; raises BadLog when it is cut off or would unpack to too much."""
    size = opened.seek(0, io.SEEK_END)
    opened.seek(0)
    try:
        file = zipfile.ZipFile(io.BytesIO(opened.read(size)) if size <= AT_ONCE_BYTES else opened)
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        raise BadLog(
            f"{name} is no complete zip archive ({error}): its end is missing or damaged. Copy the log again."
        ) from error
    members: dict[str, zipfile.ZipInfo] = {}
    doubled, unsafe = [], []
    for info in file.infolist():
        if info.is_dir():
            continue
        place = info.filename.replace("\\", "/")
        if place.startswith("/") or ".." in place.split("/") or DRIVE.match(place):
            unsafe.append(info.filename)
            continue
        if info.filename in members:
            doubled.append(info.filename)
        members[info.filename] = info
    total = sum(info.file_size for info in members.values())
    if total > TOTAL_BYTES:
        file.close()
        raise BadLog(
            f"{name} would unpack to {total:,} bytes; up to {TOTAL_BYTES:,} are read. Split the log by samples."
        )
    return Archive(file, members, tuple(doubled), tuple(unsafe))


def sample_members(archive: Archive) -> list[str]:
    """Return the names of the sample members, sorted by (id, epoch); whole-number ids come in their order."""
    found = []
    for name in archive.members:
        match = SAMPLE.fullmatch(name)
        if match is not None:
            item = match.group(1)
            number = int(item) if item.isascii() and item.isdigit() else -1
            found.append((number < 0, number, item, int(match.group(2)), name))
    return [row[-1] for row in sorted(found)]


def member(archive: Archive, name: str) -> bytes:
    """Return one member's bytes; raises ValueError when it is damaged, encrypted or larger than it may be."""
    info = archive.members[name]
    if info.file_size > MEMBER_BYTES:
        raise ValueError(f"it would unpack to {info.file_size:,} bytes; up to {MEMBER_BYTES:,} are read")
    if info.flag_bits & 1:
        raise ValueError("it is encrypted")
    try:
        raw = _zstandard(archive, info) if info.compress_type == ZSTANDARD else archive.file.read(info)
    except (zipfile.BadZipFile, zlib.error, zstandard.ZstdError, EOFError, struct.error, OSError) as error:
        raise ValueError(f"its compressed data are damaged ({error})") from error
    except NotImplementedError as error:
        raise ValueError(f"its compression method {info.compress_type} is not known") from error
    if len(raw) != info.file_size:
        raise ValueError(f"it holds other than the {info.file_size:,} bytes that the directory states")
    return raw


def _zstandard(archive: Archive, info: zipfile.ZipInfo) -> bytes:
    """Decompress a member of method 93, one byte past its stated size at most."""
    stream = archive.file.fp
    if stream is None:
        raise ValueError("the archive is closed")
    stream.seek(info.header_offset)
    signature, name_length, extra_length = LOCAL_HEADER.unpack(stream.read(LOCAL_HEADER.size))
    if signature != b"PK\x03\x04":
        raise zipfile.BadZipFile("no local header where the directory says")
    stream.seek(name_length + extra_length, 1)
    packed = stream.read(info.compress_size)
    with archive.unpacker.stream_reader(packed, read_across_frames=True) as reader:
        raw = reader.read(info.file_size + 1)
    if zlib.crc32(raw) != info.CRC:
        raise zipfile.BadZipFile("its checksum does not fit")
    return raw
