"""Ways to spoil a file: its bytes, its encoding, its structure, its container. All draw from one given generator."""

from __future__ import annotations

import codecs
import hashlib
import io
import json
import random
import zipfile
import zlib
from collections.abc import Callable
from typing import Any, cast

import polars as pl
import pyarrow.parquet as pq

from benchmarks.fuzzing.samples import Tree, unzipped, zipped

ODD: list[Any] = [
    None, True, False, 0, -1, 1, 2, 0.5, 1.7, -0.0, 1e308, -1e308, 1e-320, 10**400, -(2**63), 2**63, 2**64, 2**53 + 1,
    float("nan"), float("inf"), float("-inf"), "", " ", "NaN", "null", "None", "true", "1", "1.0", "-1", "1e400", "A",
    "(A)", "A,B", "\0", "a\0b", "\ufeff", "\u202e", "\r\n", "\n", '"', "'", ",", "\t", "\\", "../../etc/passwd", "=1+1",
    "[]", "{}", "['a']", "x" * 5000, "\U0001f600", "e\u0301", "\ud800", [], [[]], [None], ["a", 1], {}, {"a": None},
    {"": ""}, [1, 2, 3], {"a": {"b": {"c": 1}}},
]  # fmt: skip
"""Values that loaders meet where they expect another."""

NO_STRUCTURE = (
    ValueError, KeyError, OSError, RecursionError, OverflowError, IndexError, NotImplementedError, zlib.error,
    zipfile.BadZipFile, EOFError, pl.exceptions.PolarsError,
)  # fmt: skip
"""What reading a file as its kind may raise once it has been spoiled."""

DEPTHS = (40, 600, 900, 1100, 20_000, 100_000)
DEEP = "@@deep-{}@@"
AGAIN = "@@again@@"


def mutate(tree: Tree, rng: random.Random, other: bytes) -> tuple[str, Tree]:
    """Return the name of a file of the tree and the tree with that file spoiled one to three times."""
    name = rng.choice(sorted(tree))
    raw = tree[name]
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        raw = _spoil(name, raw, rng, other)
    spoiled = tree | {name: raw}
    if name.endswith(".parquet") and rng.random() < 0.9:
        spoiled = _agreeing(name, spoiled)
    return name, spoiled


def _spoil(name: str, raw: bytes, rng: random.Random, other: bytes) -> bytes:
    whole = {"json": _json, "jsonl": _lines, "csv": _cells, "tsv": _cells, "parquet": _parquet}
    whole |= {"eval": _members, "xlsx": _members, "toml": _text}
    known = whole.get(name.rsplit(".", 1)[-1])
    roll = rng.random()
    if known is not None and roll < 0.6:
        try:
            return known(raw, rng)
        except NO_STRUCTURE:
            return _bytes(raw, rng, other)  # spoiled before: no structure is left
    return _encoding(raw, rng) if roll < 0.68 else _bytes(raw, rng, other)


def _bytes(raw: bytes, rng: random.Random, other: bytes) -> bytes:
    """Flip, cut, insert, repeat, swap or splice bytes."""
    data = bytearray(raw)
    at = rng.randrange(len(data) + 1)
    end = min(len(data), at + rng.choice((1, 2, 8, 64, 512)))
    match rng.randrange(8):
        case 0:
            for _ in range(rng.choice((1, 1, 3, 20))):
                if data:
                    data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        case 1:
            del data[at:end]
        case 2:
            del data[at:]
        case 3:
            data[at:at] = rng.randbytes(rng.choice((1, 2, 16)))
        case 4:
            data[at:at] = bytes(data[at:end]) * rng.choice((1, 2, 200))
        case 5:
            cut = rng.randrange(len(other) + 1)
            data[at:] = other[cut:]
        case 6:
            marks = (
                b"\0",
                b"\n",
                b"\r",
                b'"',
                b"{",
                b"}",
                b"[",
                b"]",
                b",",
                b":",
                b"\xff",
                b"\xed\xa0\x80",
                b"NaN",
                b"\\u",
                b"\\ud800",
            )
            data[at : at + rng.randrange(2)] = rng.choice(marks)
        case _:
            digits = [k for k, byte in enumerate(data) if 48 <= byte <= 57]
            if digits:
                k = rng.choice(digits)
                data[k : k + 1] = rng.choice(
                    (b"-1", b"1e999", b"99999999999999999999999", b"0.1", b"NaN", b"-Infinity", b"0x1", b"01")
                )
    return bytes(data)


def _encoding(raw: bytes, rng: random.Random) -> bytes:
    """Write the text in another encoding, with a mark, other line ends, or none."""
    text = raw.decode("utf-8", "replace")
    match rng.randrange(8):
        case 0:
            return text.encode("utf-16", "replace")
        case 1:
            return text.encode("utf-16-be", "replace")
        case 2:
            return text.replace("e", "\u00e9").encode("latin-1", "replace")
        case 3:
            return codecs.BOM_UTF8 * rng.choice((1, 2)) + raw
        case 4:
            return raw.replace(b"\n", b"\r\n")
        case 5:
            return raw.replace(b"\n", b"\r")
        case 6:
            return raw.replace(b"\n", b"\n\n ")
        case _:
            return text.replace("a", "\U00010348").encode()


def _text(raw: bytes, rng: random.Random) -> bytes:
    """Drop, repeat, swap or change lines of a text."""
    lines = raw.decode().split("\n")
    k = rng.randrange(len(lines))
    match rng.randrange(4):
        case 0:
            del lines[k]
        case 1:
            lines[k:k] = [lines[k]] * rng.choice((1, 50))
        case 2:
            other = rng.randrange(len(lines))
            lines[k], lines[other] = lines[other], lines[k]
        case _:
            lines[k] = lines[k].split("=")[0] + "= " + rng.choice(("1", "'x'", "[]", "{}", "nan", "2020-01-01", "true"))
    return "\n".join(lines).encode()


def _json(raw: bytes, rng: random.Random) -> bytes:
    return _written(_changed(json.loads(raw), rng), rng)


def _lines(raw: bytes, rng: random.Random) -> bytes:
    """Spoil one line of JSON Lines, or the order and number of the lines."""
    lines = [line for line in raw.split(b"\n") if line.strip()]
    k = rng.randrange(len(lines))
    roll = rng.random()
    if roll < 0.7:
        lines[k] = _written(_changed(json.loads(lines[k]), rng), rng)
    elif roll < 0.8:
        lines[k:k] = [lines[k]] * rng.choice((1, 3, 40))
    elif roll < 0.9:
        lines[k] = rng.choice((b"", b"null", b"[]", b"1", b'"x"', b"{}", b"{", b" \t", b"\0", lines[k][:-1]))
    else:
        rng.shuffle(lines)
    return b"\n".join(lines) + rng.choice((b"\n", b"", b"\n\n"))


def _changed(value: Any, rng: random.Random) -> Any:
    """Return a JSON value with one node dropped, exchanged, repeated, renamed or nested deep."""
    holder = {"": value}
    spots: list[tuple[Any, Any]] = [(holder, "")]
    todo = [value]
    while todo:
        node = todo.pop()
        keys = list(node) if isinstance(node, dict) else list(range(len(node))) if isinstance(node, list) else []
        spots += [(node, key) for key in keys]
        todo += [node[key] for key in keys]
    parent, key = rng.choice(spots)
    match rng.randrange(10):
        case 0 if parent is not holder:
            del parent[key]
        case 1 | 2 | 3:
            parent[key] = rng.choice(ODD)
        case 4:
            source, place = rng.choice(spots)
            parent[key] = json.loads(json.dumps(source[place]))
        case 5 if isinstance(parent, list):
            parent[key:key] = [parent[key]] * rng.choice((1, 2, 50))
        case 6 if isinstance(parent, dict) and parent is not holder:
            parent[rng.choice(("", "x", key + " ", key.upper(), AGAIN))] = parent.pop(key)
        case 7:
            parent[key] = DEEP.format(rng.choice(DEPTHS))
        case 8:
            parent[key] = [parent[key]] if rng.random() < 0.5 else {"x": parent[key]}
        case 9 if isinstance(parent[key], str):
            parent[key] = rng.choice((parent[key] * 3000, parent[key].upper(), parent[key] + "\0", parent[key][::-1]))
        case _:
            parent[key] = str(parent[key]) if not isinstance(parent[key], str) else len(parent[key])
    return holder[""]


def _written(value: Any, rng: random.Random) -> bytes:
    """Return JSON text; marks left by `_changed` become deep nesting and keys that stand twice."""
    text = json.dumps(value, ensure_ascii=rng.random() < 0.5)
    if AGAIN in text and isinstance(value, dict) and value:
        text = text.replace(AGAIN, str(next(iter(value))))
    for depth in DEPTHS:
        mark = f'"{DEEP.format(depth)}"'
        if mark in text:
            left, right = rng.choice((("[", "]"), ('{"a":', "}")))
            text = text.replace(mark, left * depth + "1" + right * (depth if rng.random() < 0.8 else 0))
    return text.encode("utf-8", "surrogatepass")


def _cells(raw: bytes, rng: random.Random) -> bytes:
    """Spoil cells, columns or rows of a table of text."""
    mark = "\t" if b"\t" in raw.split(b"\n", 1)[0] else ","
    rows = [line.split(mark) for line in raw.decode().split("\n")]
    k = rng.randrange(len(rows))
    cell = rng.randrange(len(rows[k]))
    match rng.randrange(8):
        case 0:
            rows[k][cell] = str(rng.choice(ODD))
        case 1:
            del rows[k][cell]
        case 2:
            rows[k].insert(cell, rows[k][cell])
        case 3:
            rows[k:k] = [list(rows[k]) for _ in range(rng.choice((1, 2, 60)))]
        case 4:
            rows[0][rng.randrange(len(rows[0]))] = rng.choice(("", "x", "run", "model", *rows[0]))
        case 5:
            rows = [row[:cell] + row[cell + 1 :] for row in rows]
        case 6:
            rows[k][cell] = '"' + rows[k][cell]
        case _:
            rows[k][cell] = rng.choice(("x" * 200_000, '"' + mark * 3 + '"', "a\rb", '""', rows[k][cell].upper()))
    return "\n".join(mark.join(row) for row in rows).encode("utf-8", "surrogatepass")


def _parquet(raw: bytes, rng: random.Random) -> bytes:
    """Spoil columns and rows of a Parquet file, and write it whole again."""
    frame = _table(raw)
    name = rng.choice(frame.columns)
    match rng.randrange(8):
        case 0:
            frame = frame.drop(name)
        case 1:
            frame = frame.with_columns(pl.lit(None).alias(name))
        case 2:
            odd = rng.choice(("x", "", "A\0B", 7, -1, 0.5, 1.7, float("nan"), float("inf"), True, 2**62))
            frame = frame.with_columns(pl.lit(odd).alias(name))
        case 3:
            frame = frame.rename({name: rng.choice((name.upper(), name + " ", "x", ""))})
        case 4:
            frame = pl.concat([frame] * rng.choice((2, 3)))
        case 5:
            frame = frame.with_columns(pl.col(name).cast(pl.String, strict=False))
        case 6:
            kinds: list[Callable[[pl.Expr], pl.Expr]] = [
                lambda c: pl.struct(c.alias("a")), lambda c: pl.concat_list(c, c),
                lambda _: pl.lit("1999-12-31").str.to_datetime(), lambda _: pl.lit(b"\xff\x00"),
                lambda _: pl.lit("x").cast(pl.Categorical), lambda _: pl.lit(1).cast(pl.Decimal(38, 10)),
                lambda _: pl.lit(1).cast(pl.UInt64), lambda _: pl.lit(1).cast(pl.Duration),
                lambda _: pl.lit(1).cast(pl.Time),
            ]  # fmt: skip
            frame = frame.with_columns(rng.choice(kinds)(pl.col(name)).alias(name))
        case _:
            frame = frame.head(rng.randrange(frame.height + 1))
    buffer = io.BytesIO()
    frame.write_parquet(buffer)
    return buffer.getvalue()


def _table(raw: bytes) -> pl.DataFrame:
    """Return a Parquet file as a frame, read with Arrow: on damaged files Polars panics."""
    return cast(pl.DataFrame, pl.from_arrow(pq.read_table(io.BytesIO(raw))))


def _agreeing(name: str, tree: Tree) -> Tree:
    """Return the tree with its manifest made to agree with a changed table: else only the digest is ever tested."""
    manifest = str(name.rpartition("/")[0] + "/manifest.json").lstrip("/")
    if manifest not in tree:
        return tree
    try:
        listed = json.loads(tree[manifest])
        entry = listed["tables"][name.rsplit("/", 1)[-1].removesuffix(".parquet")]
        entry["sha256"] = hashlib.sha256(tree[name]).hexdigest()
        entry["rows"] = pq.read_metadata(io.BytesIO(tree[name])).num_rows
    except (ValueError, KeyError, TypeError, OSError):
        pass  # too damaged to be read: the digest alone agrees
    else:
        return tree | {manifest: json.dumps(listed).encode()}
    return tree


def _members(raw: bytes, rng: random.Random) -> bytes:
    """Spoil one member of an archive, or the list of its members."""
    members = unzipped(raw)
    name = rng.choice(sorted(members))
    match rng.randrange(6):
        case 0:
            del members[name]
        case 1:
            odd = (
                "../out.json",
                "/abs.json",
                "C:\\x",
                "samples/",
                "samples/_epoch_1.json",
                "samples/1_epoch_99999999999999999999.json",
            )
            members[rng.choice(odd)] = members[name]
        case 2:
            members[name] = b""
        case 3 | 4 if name.endswith(".json"):
            members[name] = _json(members[name], rng)
        case _:
            members[name] = _bytes(members[name], rng, raw)
    return zipped(members)
