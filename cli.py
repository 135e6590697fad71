"""scoreproof: serve, build, ask, audit, report.

Heavy imports stay inside the commands, so that `scoreproof --help` answers at once.
"""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

FORMATS = ("table", "json", "csv", "parquet", "latex")


def parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line."""
    main_parser = argparse.ArgumentParser(
        prog="scoreproof", description="Browse, slice and prove benchmark results.", allow_abbrev=False
    )
    commands = main_parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    serve = commands.add_parser("serve", help="the app; else your own store, or the shipped logs", allow_abbrev=False)
    serve.add_argument("logs", nargs="*", metavar="LOGS", help="files or folders with logs")
    serve.add_argument("--store", type=Path, metavar="DIR", help="store to serve, or to build from LOGS")
    serve.add_argument("--port", type=int, default=8501, metavar="N", help="port on loopback (8501)")
    serve.add_argument("--read-only", action="store_true", help="visitors change nothing on this machine")

    build = commands.add_parser("build", help="read, validate and build a store from logs", allow_abbrev=False)
    build.add_argument("logs", nargs="+", metavar="LOGS", help="files or folders with logs")
    build.add_argument("--store", type=Path, metavar="DIR", help="folder of the store")
    build.add_argument("--suggest", action="store_true", help="build nothing; print a mapping profile for one file")
    build.add_argument("--add", action="store_true", help="keep what the store holds")
    build.add_argument("--json", action="store_true", help="print the load report as JSON")
    build.add_argument("--provenance", default="imported", help="provenance of rows whose log states none (imported)")

    ask = commands.add_parser(
        "ask", help="ask one question; without --store or --logs, of the shipped logs", allow_abbrev=False
    )
    ask.add_argument("question", nargs="?", metavar="QUESTION", help="see --list")
    ask.add_argument("--list", action="store_true", help="questions, their options and columns")
    _rows(ask, "to ask")
    _slice(ask)
    ask.add_argument("--format", choices=FORMATS, default="table", help="how to print (table)")
    ask.add_argument("--out", type=Path, metavar="FILE", help="write to a file")
    formulas = "in CSV, text that a spreadsheet would run: put an apostrophe before it (guard), or keep it (keep)"
    ask.add_argument("--formulas", choices=("guard", "keep"), default="guard", help=formulas)

    audit = commands.add_parser("audit", help="every claim and printed cell, recomputed", allow_abbrev=False)
    _rows(audit, "whose rows claims ask")
    _stated(audit)
    audit.add_argument("--json", action="store_true", help="print claims, cells and summary as JSON")
    audit.add_argument("--strict", action="store_true", help="exit 1 on a contradiction")

    report = commands.add_parser("report", help="one self-contained HTML page about a slice", allow_abbrev=False)
    _rows(report, "to report on")
    _slice(report)
    _stated(report)
    report.add_argument("--out", type=Path, required=True, metavar="FILE", help="HTML file to write")
    return main_parser


def _rows(command: argparse.ArgumentParser, what: str) -> None:
    """Add the options that name a store and logs."""
    command.add_argument("--store", type=Path, metavar="DIR", help=f"store {what}")
    command.add_argument("--logs", action="append", default=[], metavar="PATH", help=f"logs {what} (repeatable)")


def _slice(command: argparse.ArgumentParser) -> None:
    """Add the options that choose rows, and say what counts."""
    command.add_argument("--where", action="append", default=[], metavar="KEY=VALUE", help="slice (repeatable)")
    command.add_argument("--set", action="append", default=[], metavar="OPTION=VALUE", dest="sets", help="(repeatable)")


def _stated(command: argparse.ArgumentParser) -> None:
    """Add the options that name printed tables and claims of one's own."""
    command.add_argument("--published", type=Path, metavar="DIR", help="folder of printed tables; else the embedded")
    command.add_argument("--claims", type=Path, metavar="FILE", help="claims in TOML or CSV instead of the folder's")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; return 0, 1 for a result that failed, or 2 for a call that cannot be carried out."""
    arguments = parser().parse_args(argv)
    from analytics.errors import ScoreproofError  # noqa: PLC0415 - off the path of --help

    commands = {"serve": _serve, "build": _build, "ask": _ask, "audit": _audit, "report": _report}
    try:
        return commands[arguments.command](arguments)
    except ScoreproofError as error:
        print(f"scoreproof: {error}", file=sys.stderr)  # noqa: T201
        return 2
    except BrokenPipeError:
        # The reader of a pipe went away (`| head`): not a failure of ours.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        print(f"scoreproof: {error.filename or 'a file'}: {error.strerror or error}", file=sys.stderr)  # noqa: T201
        return 2


def pairs(given: Sequence[str], *, flag: str) -> list[tuple[str, str]]:
    """Split KEY=VALUE arguments; raises UnknownValue for one without '='."""
    from analytics.errors import UnknownValue  # noqa: PLC0415

    split = []
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise UnknownValue(f"{flag} takes KEY=VALUE; found '{text}'.")
        split.append((name.strip(), value))
    return split


def _build(arguments: argparse.Namespace) -> int:
    if arguments.suggest:
        return _suggest(arguments.logs)
    if arguments.store is None:
        print("scoreproof: build needs --store DIR, the folder to write the store to.", file=sys.stderr)  # noqa: T201
        return 2
    from loaders.progress import to_terminal  # noqa: PLC0415
    from loaders.report import as_json, as_text  # noqa: PLC0415
    from loaders.warehouse import build  # noqa: PLC0415

    report = build(
        arguments.logs,
        arguments.store,
        add=arguments.add,
        provenance=arguments.provenance,
        on_progress=to_terminal,
    )
    if arguments.json:
        from analytics.store import Store  # noqa: PLC0415
        from analytics.validation import validation  # noqa: PLC0415

        sys.stdout.write(as_json(report, validation(Store(arguments.store))))
    else:
        sys.stdout.write(as_text(report))
    return 1 if report.idle else 0


def _suggest(logs: Sequence[str]) -> int:
    """Print the suggested mapping profile of one file; its open questions go to standard error as well."""
    from analytics.errors import BadLog  # noqa: PLC0415
    from loaders.mapping_draft import draft  # noqa: PLC0415

    if len(logs) != 1 or not Path(logs[0]).is_file():
        raise BadLog(f"--suggest takes one file; found {', '.join(logs)}.")
    made = draft(Path(logs[0]))
    sys.stdout.write(made.text())
    for key, question in made.questions.items():
        print(f"open: {key}: {question}", file=sys.stderr)  # noqa: T201
    return 0


def _ask(arguments: argparse.Namespace) -> int:
    from analytics.questions import questions  # noqa: PLC0415

    if arguments.list:
        from analytics.listed import listed  # noqa: PLC0415

        _write(arguments.out, listed())
        return 0
    if not arguments.question:
        print(f"scoreproof: name a question: {', '.join(questions())}", file=sys.stderr)  # noqa: T201
        return 2
    with tempfile.TemporaryDirectory() as scratch:
        _write(arguments.out, _answer(arguments, _folder(arguments.store, arguments.logs, Path(scratch))))
    return 0


def _audit(arguments: argparse.Namespace) -> int:
    from analytics.audit.own import own  # noqa: PLC0415
    from analytics.audit.records import needs_rows  # noqa: PLC0415
    from analytics.audit.report import to_json, to_text  # noqa: PLC0415
    from analytics.audit.run import contradictions  # noqa: PLC0415
    from analytics.store import Store  # noqa: PLC0415

    given = own(arguments.published, arguments.claims)
    if arguments.store is None and not arguments.logs and not needs_rows(given.published, given.claims):
        found = given.checked(None)
    else:
        with tempfile.TemporaryDirectory() as scratch:
            store = Store(_folder(arguments.store, arguments.logs, Path(scratch)))
            with store.cursor() as cursor:
                found = given.checked(cursor)
    sys.stdout.write(to_json(found) if arguments.json else to_text(found))
    if idle := given.idle(found):
        _say(idle)
        return 2
    return 1 if arguments.strict and contradictions(found) else 0


def _report(arguments: argparse.Namespace) -> int:
    from analytics.audit.own import own  # noqa: PLC0415
    from analytics.slices import Slice  # noqa: PLC0415
    from analytics.store import Store  # noqa: PLC0415
    from pages.ui.report.page import report  # noqa: PLC0415

    named = [("--store", str(arguments.store))] if arguments.store else []
    named += [("--logs", path) for path in arguments.logs]
    source = "".join(f" {flag} {shlex.quote(value)}" for flag, value in named)
    chosen = Slice.from_params(_where(arguments.where))
    given = dict(pairs(arguments.sets, flag="--set"))
    stated = own(arguments.published, arguments.claims) if arguments.published or arguments.claims else None
    with tempfile.TemporaryDirectory() as scratch:
        store = Store(_folder(arguments.store, arguments.logs, Path(scratch)))
        _write(arguments.out, report(store, chosen, given, source=source, stated=stated))
    return 0


def _where(given: Sequence[str]) -> dict[str, list[str]]:
    """Return the values of `--where` by key."""
    where: dict[str, list[str]] = {}
    for key, value in pairs(given, flag="--where"):
        where.setdefault(key, []).append(value)
    return where


def _folder(store: Path | None, logs: Sequence[str], scratch: Path) -> Path:
    """Return the store to ask: the one named, with LOGS added in a copy, or built from LOGS, or the embedded one."""
    from analytics.errors import BadLog  # noqa: PLC0415
    from analytics.store import read_pointer  # noqa: PLC0415
    from loaders.changes import changed_since  # noqa: PLC0415
    from loaders.embedded import embedded_store  # noqa: PLC0415
    from loaders.own_store import unnamed  # noqa: PLC0415
    from loaders.progress import to_terminal  # noqa: PLC0415
    from loaders.warehouse import build  # noqa: PLC0415

    if not logs:
        if store is None:
            _say(unnamed())
            return embedded_store(on_progress=to_terminal)
        _say(changed_since(store))
        return store
    if store is not None:
        read_pointer(store)
        shutil.copytree(store, scratch / "store", ignore=shutil.ignore_patterns(".*"))
    report = build(logs, scratch / "store", add=store is not None, on_progress=to_terminal)
    if report.idle:
        reasons = "; ".join(str(issue["message"]) for issue in report.issues[:3])
        raise BadLog(f"No rows came from {', '.join(report.idle)}. {reasons}")
    return scratch / "store"


def _say(sentence: str) -> None:
    """Write a remark to standard error; standard output holds results alone."""
    if sentence:
        print(f"scoreproof: {sentence}", file=sys.stderr)  # noqa: T201


def _answer(arguments: argparse.Namespace, folder: Path) -> str | bytes:
    """Ask the question and write its answer in the format asked for."""
    from analytics import export  # noqa: PLC0415
    from analytics.questions import ask, options_of, question  # noqa: PLC0415
    from analytics.slices import Slice  # noqa: PLC0415
    from analytics.store import Store  # noqa: PLC0415

    asked = question(arguments.question)
    chosen = Slice.from_params(_where(arguments.where))
    policy, options = options_of(asked, dict(pairs(arguments.sets, flag="--set")))
    store = Store(folder)
    answer = ask(store, asked.name, chosen, policy, options)
    said = export.stamp(asked, answer, chosen, policy, options=options, data_hash=store.pointer.data_hash)
    match arguments.format:
        case "json":
            return export.to_json(answer.table)
        case "csv":
            return export.to_csv(answer.table, said=None, guard=arguments.formulas == "guard")
        case "parquet":
            return export.to_parquet(answer.table, said=said)
        case "latex":
            return export.to_latex(answer.table, asked.columns, said=said)
        case _:
            width = shutil.get_terminal_size((120, 24)).columns
            about = "\n".join(f"{name}: {text}" for name, text in said.items() if name not in {"question", "ask"})
            return f"{export.to_text(answer.table, asked.columns, width=width)}\n{about}\n"


def _write(out: Path | None, content: str | bytes) -> None:
    """Write to a file in one step, or to standard output."""
    raw = content.encode() if isinstance(content, str) else content
    if out is None:
        sys.stdout.buffer.write(raw)
        sys.stdout.buffer.flush()
        return
    partial = out.with_name(f".{out.name}.partial")
    partial.write_bytes(raw)
    partial.replace(out)


def _serve(arguments: argparse.Namespace) -> int:
    """Build what is to be served, then hand the process over to Streamlit."""
    from loaders.progress import to_terminal  # noqa: PLC0415
    from loaders.warehouse import build  # noqa: PLC0415

    environment = dict(os.environ)
    if arguments.logs:
        from loaders.report import as_text  # noqa: PLC0415
        from loaders.served import mark, store_of, sweep  # noqa: PLC0415

        store = arguments.store or store_of(arguments.logs)
        if arguments.store is None:
            mark(store)
            sweep()
        report = build(arguments.logs, store, add=False, on_progress=to_terminal)
        sys.stderr.write(as_text(report))
        environment["SCOREPROOF_STORE"] = str(store.resolve())
        if report.idle:
            return 1
    elif arguments.store:
        from analytics.store import read_pointer  # noqa: PLC0415
        from loaders.changes import changed_since  # noqa: PLC0415
        from loaders.served import mark, served_folder  # noqa: PLC0415

        read_pointer(arguments.store)
        if arguments.store.resolve().parent == served_folder().resolve():
            mark(arguments.store)
        _say(changed_since(arguments.store))
        environment["SCOREPROOF_STORE"] = str(arguments.store.resolve())
    else:
        from loaders.own_store import own_store, serves  # noqa: PLC0415

        _say(f"serving your own store {own_store()}." if serves() else "serving the shipped logs.")
    if arguments.read_only:
        from loaders.read_only import VARIABLE  # noqa: PLC0415

        environment[VARIABLE] = "1"
    here = Path(__file__).resolve().parent
    os.chdir(here)  # Streamlit reads .streamlit/config.toml from the working folder
    command = [sys.executable, "-m", "streamlit", "run", str(here / "app.py"), f"--server.port={arguments.port}"]
    return _become(command, environment)


def _become(command: list[str], environment: dict[str, str]) -> NoReturn:
    """Replace this process, so that a signal sent to it reaches the server."""
    sys.stdout.flush()
    sys.stderr.flush()
    os.execve(command[0], command, environment)  # noqa: S606 - no shell, and no text of a log in it


if __name__ == "__main__":
    sys.exit(main())
