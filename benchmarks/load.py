"""Many browser sessions at once on random walks over all pages and slices, while the store is rebuilt under them.

    python -m benchmarks.load --sessions 20 --minutes 5 [--rebuild-every 20] [--seed 1]

Each session clicks links of the sidebar, follows addresses with a slice, and goes back, at random. On about every
second page it opens the foot of a table and presses the CSV export, which is stamped with the data hash of the build
that the page was drawn from and the `scoreproof ask` call that gives the same table; the same question is then asked of
that very build, in this process, and the two tables must be equal to the last byte. A page drawn from two builds would
differ from both. The rebuilt log has other numbers each time. Everything stays on loopback; a request that would leave
it is a fault.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import shlex
import statistics
import sys
import tempfile
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote, urlsplit

from playwright.async_api import Browser, Error, Page, async_playwright

from analytics import export
from analytics.questions import ask, options_of, question
from analytics.slices import Slice, dimensions
from analytics.store import Build, Store
from loaders.embedded import arguments
from loaders.warehouse import build
from tests.browser.served import ARGS, FOOT, QUIET, chromium, served
from tests.browser.shots import paths, views

SETTLE_SECONDS = 120
AWAKE = (
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--disable-renderer-backgrounding",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
)
ARRIVED = "path => location.pathname === path"
SLICES = ("capability", "media_type", "kind", "condition")


@dataclass
class Seen:
    """What all sessions met: seconds by page, tables compared, and every fault in words."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    compared: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    steps: int = 0
    rebuilds: int = 0


@dataclass
class Run:
    """The run: address, store, every build that was ever current by its data hash, and when to stop."""

    url: str
    store: Store
    folder: Path
    end: float
    seen: Seen
    builds: dict[str, Build] = field(default_factory=dict)
    answers: dict[tuple[str, str], str] = field(default_factory=dict)
    values: dict[str, list[str]] = field(default_factory=dict)


BROWSERS_WAIT = 10
"""How much less the scheduler gives to browsers and rebuilds: elsewhere they run on other machines than the server."""


def write_log(path: Path, *, seed: int) -> None:
    """Write a log of six runs on 240 items whose credits are other ones for every seed."""
    rng = random.Random(seed)
    with path.open("w", encoding="utf-8") as file:
        for run in range(6):
            for item in range(240):
                row = {"run": f"walker-{run}", "question_id": f"q{item}", "capability": f"skill {item % 6}"}
                row |= {"answer_credit": rng.choice((0, 0.5, 1)), "coverage": rng.choice(("present", "absent"))}
                row |= {"evidence": rng.choice(("supported", "weak")), "logic": rng.choice(("sound", "gap"))}
                file.write(json.dumps(row) + "\n")


def rebuild(run: Run, seed: int) -> None:
    """Build the store anew with other numbers, and hold the build open for comparing."""
    write_log(run.folder / "walk.jsonl", seed=seed)
    build([str(run.folder / "walk.jsonl")], run.folder / "store", add=True)
    made = run.store.build()
    run.builds[made.pointer.data_hash[:16]] = made


async def rebuilding(run: Run, every: float) -> None:
    """Rebuild again and again until the run ends."""
    while every and time.monotonic() + every < run.end:
        await asyncio.sleep(every)
        await asyncio.to_thread(rebuild, run, 1000 + run.seen.rebuilds)
        run.seen.rebuilds += 1


async def settle(page: Page) -> None:
    """Wait until the page is drawn and its script rests."""
    await page.wait_for_selector('[data-testid="stApp"]', timeout=SETTLE_SECONDS * 1000)
    await page.wait_for_function(QUIET, polling=30, timeout=SETTLE_SECONDS * 1000)  # frames stop in the background


async def step(run: Run, page: Page, rng: random.Random) -> str:
    """Take one step of a walk; return the name of the page that it led to."""
    links = page.get_by_test_id("stSidebar").get_by_role("link")
    roll = rng.random()
    count = await links.count()  # asked once: a rerun may take the links away for a moment
    if roll < 0.6 and count:
        link = links.nth(rng.randrange(count))
        name = (await link.inner_text()).strip()
        path = "/" + urlsplit(await link.get_attribute("href") or "").path.strip("/")
        # Not `click`, which waits for drawn frames that a busy machine gives to the window in front.
        await link.dispatch_event("click")
        await page.wait_for_function(ARRIVED, arg=path, polling=30, timeout=SETTLE_SECONDS * 1000)
        return name
    if roll < 0.7 and await page.evaluate("() => history.length") > 3:  # about:blank, the first visit, and one more
        await page.go_back(wait_until="commit")
        return "back"
    key = rng.choice([key for key in SLICES if run.values.get(key)] or ["capability"])
    name = rng.choice([address for path in paths() for address in (path, *views(path))])
    sign = "&" if "?" in name else "?"
    value = rng.choice(run.values.get(key) or [""])
    await page.goto(f"{run.url}/{name}" + (f"{sign}{key}={quote(value)}" if value and rng.random() < 0.7 else ""))
    return name or "overview"


async def walk(run: Run, browser: Browser, number: int, seed: int) -> None:
    """Walk with one session until the run ends; every fault is noted, none ends the walk."""
    rng = random.Random(f"{seed} {number}")
    # A window of its own: in a tab behind another one nothing is drawn. Requests are watched, not held up, which would
    # turn off the browser's cache and cost more than the pages do.
    context = await browser.new_context(viewport={"width": 1000, "height": 700}, accept_downloads=True)
    context.set_default_timeout(SETTLE_SECONDS * 1000)
    page = await context.new_page()
    page.on("pageerror", lambda error: run.seen.faults.append(f"session {number}: script error {error}"))
    page.on("request", lambda request: _at_home(run, request.url, number))
    try:
        await page.goto(run.url)
        await settle(page)
    except Error as error:
        run.seen.faults.append(f"session {number}: first visit: {str(error).splitlines()[0]}")
    while time.monotonic() < run.end:
        name = "?"
        try:
            start = time.monotonic()
            name = await step(run, page, rng)
            await settle(page)
            run.seen.seconds[name].append(time.monotonic() - start)
            run.seen.steps += 1
            if await page.get_by_test_id("stException").count():
                shown = await page.get_by_test_id("stException").first.inner_text()
                run.seen.faults.append(f"session {number}: {page.url}: exception: {shown[:200]}")
            if rng.random() < 0.5:
                await compare(run, page, number)
        except Error as error:
            run.seen.faults.append(f"session {number}: {name} {page.url}: {str(error).splitlines()[0]}")
            with contextlib.suppress(Error):
                await page.goto(run.url)
                await settle(page)
    await context.close()


def _at_home(run: Run, url: str, number: int) -> None:
    """Note a request that is not for the server; no other host can be reached from these browsers."""
    if not url.startswith((run.url, "data:", "blob:", "ws:", "about:")):
        run.seen.faults.append(f"session {number}: request to {url}")


async def compare(run: Run, page: Page, number: int) -> None:
    """Export one table of the page and ask the same of the build that it was drawn from."""
    foot = page.get_by_test_id("stExpander").filter(has=page.get_by_text(FOOT, exact=True)).locator("visible=true")
    if not await foot.count():
        return
    button = foot.first.get_by_role("button", name="CSV", exact=True)
    if not await button.is_visible():
        await foot.first.locator("summary").dispatch_event("click")
        await button.wait_for(timeout=SETTLE_SECONDS * 1000)
        await settle(page)
    async with page.expect_download(timeout=SETTLE_SECONDS * 1000) as waiting:
        await button.dispatch_event("click")
    text = Path(await (await waiting.value).path()).read_text(encoding="utf-8")
    head, rows = stamp_of(text)
    hash_, call = head["data hash"], head["ask"]
    if hash_ not in run.builds:
        run.seen.faults.append(f"session {number}: {page.url}: no build ever had the data hash {hash_}")
        return
    wanted = run.answers.get((hash_, call))
    if wanted is None:
        wanted = run.answers[hash_, call] = await asyncio.to_thread(answer, run.builds[hash_], call)
    run.seen.compared[head["question"]] += 1
    if wanted != rows:
        run.seen.faults.append(f"session {number}: {page.url}: the table differs from `{call}` on build {hash_}")


def stamp_of(text: str) -> tuple[dict[str, str], str]:
    """Split an export into its stamp and its rows."""
    lines = text.split("\n")
    count = next(k for k, line in enumerate(lines) if not line.startswith(('"# ', "# ")))
    said = [line.strip('"').replace('""', '"').removeprefix("# ") for line in lines[:count]]
    return dict(line.split(": ", 1) for line in said), "\n".join(lines[count:])


def answer(made: Build, call: str) -> str:
    """Return the table of a `scoreproof ask` call as CSV, asked of one build."""
    words = shlex.split(call)[2:]
    asked = question(words[0])
    flags = list(zip(words[1::2], words[2::2], strict=True))
    where: dict[str, list[str]] = defaultdict(list)
    for name, value in (text.split("=", 1) for flag, text in flags if flag == "--where"):
        where[name].append(value)
    policy, options = options_of(asked, dict(text.split("=", 1) for flag, text in flags if flag == "--set"))
    table = ask(made, asked.name, Slice.from_params(where), policy, options).table
    return export.to_csv(table, said=None, guard=True)


async def load(run: Run, *, sessions: int, every: float, seed: int) -> None:
    """Run all sessions and the rebuilds beside each other."""
    async with async_playwright() as play:
        browser = await play.chromium.launch(executable_path=chromium(), args=[*ARGS, *AWAKE])
        walks = [walk(run, browser, number, seed) for number in range(sessions)]
        results = await asyncio.gather(*walks, rebuilding(run, every), return_exceptions=True)
        run.seen.faults += [f"{type(r).__name__}: {r}" for r in results if isinstance(r, BaseException)]
        await browser.close()


def report(seen: Seen) -> dict[str, object]:
    """Return the figures of the run."""
    every = sorted(second for seconds in seen.seconds.values() for second in seconds)
    cuts = statistics.quantiles(every, n=20) if len(every) > 1 else [0.0] * 19
    return {
        "steps": seen.steps,
        "tables compared": sum(seen.compared.values()),
        "questions compared": dict(seen.compared.most_common()),
        "rebuilds": seen.rebuilds,
        "p50 s": round(cuts[9], 2),
        "p95 s": round(cuts[18], 2),
        "median s by page": {name: round(statistics.median(s), 2) for name, s in sorted(seen.seconds.items())},
        "faults": seen.faults[:50],
        "number of faults": len(seen.faults),
    }


def main() -> int:
    """Serve, walk, print; exit 1 on any fault."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--sessions", type=int, default=20)
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--rebuild-every", type=float, default=20.0, help="seconds; 0 never rebuilds")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if chromium() is None:
        raise SystemExit("no chromium; name it in SCOREPROOF_CHROMIUM")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_log(folder / "walk.jsonl", seed=0)
        build([*arguments(), str(folder / "walk.jsonl")], folder / "store", add=False)
        store = Store(folder / "store")
        run = Run("", store, folder, 0.0, Seen())
        run.builds[store.pointer.data_hash[:16]] = store.build()
        with store.cursor() as cursor:
            for key, group in dimensions(cursor, benchmarks=None).group_by("key"):
                run.values[str(key[0])] = group["value"].sort().to_list()
        os.environ.setdefault("PYTHONUNBUFFERED", "1")
        with served(folder, store=folder / "store", home=folder) as server:
            os.nice(BROWSERS_WAIT)
            run.url, run.end = server.url, time.monotonic() + given.minutes * 60
            asyncio.run(load(run, sessions=given.sessions, every=given.rebuild_every, seed=given.seed))
            run.seen.faults += [f"server: {line}" for line in server.complaints()]
    print(json.dumps(report(run.seen), indent=1))
    return int(bool(run.seen.faults))


if __name__ == "__main__":
    sys.exit(main())
