"""Failure causes, Voting, Conditions and Items in a browser: printed numbers, the way to a case, the address."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.served import Server, select_row, settle
from tests.browser.test_analysis_pages import answer, follow_to_cases, metrics, open_page, query, restores

pytestmark = pytest.mark.browser


def test_failures_by_family_agent_repair_and_a_case(context: BrowserContext, tab: Page, embedded: Server) -> None:
    open_page(tab, embedded, "failure_causes?benchmark=hss&within=agentic_387")
    shown = metrics(tab)
    assert [round(float(text.rstrip("%"))) for text in shown[:3]] == [53, 41, 5]
    restores(context, tab)
    select_row(tab, 0, table=0)
    expect(tab.get_by_text("Picked above", exact=False)).to_be_visible(timeout=20_000)
    settle(tab)
    select_row(tab, 0, table=1)
    link = tab.get_by_role("link", name="Open the case", exact=True)
    expect(link).to_be_visible(timeout=20_000)
    link.click()
    tab.wait_for_function("() => document.querySelector('h1')?.innerText === 'Cases'", timeout=30_000)
    settle(tab)
    asked = query(tab)
    assert asked["item"][0].startswith("hss-")
    assert asked["beside"][0].startswith("hss/")
    open_page(tab, embedded, "failure_causes?benchmark=hss&within=agentic_387")
    tab.get_by_role("radio", name="Repair and cost").click()
    expect(tab.get_by_test_id("stMetricValue").get_by_text("944", exact=True)).to_be_visible(timeout=20_000)
    settle(tab)
    assert {"944", "759"} <= set(metrics(tab))
    restores(context, tab)


def test_votes_on_timing_and_an_outvoted_item(context: BrowserContext, tab: Page, embedded: Server, home: Path) -> None:
    open_page(tab, embedded, "voting?benchmark=psycheme&capability=timing&panel=proprietary")
    assert metrics(tab)[:3] == ["91.67%", "57.64%", "66.67%"]
    restores(context, tab)
    tab.get_by_role("radio", name="Where it fails").click()
    tab.wait_for_function("() => location.search.includes('view=items')", timeout=20_000)
    settle(tab)
    select_row(tab, 0)
    asked = follow_to_cases(tab, "Open the case")
    where = {"benchmark": "psycheme", "capability": "timing"}
    first = answer(home, "voting_items", where, panel="proprietary")["item"][0]
    assert (asked["item"], asked["capability"]) == ([first], ["timing"])


def test_effort_by_subdomain_and_the_cases_of_a_run(context: BrowserContext, tab: Page, embedded: Server) -> None:
    open_page(tab, embedded, "conditions?benchmark=hss&dimension=effort")
    tab.get_by_role("radio", name="By slice").click()
    tab.wait_for_function("() => location.search.includes('view=slices')", timeout=20_000)
    settle(tab)
    tab.get_by_role("radio", name="subcapability").click()
    tab.wait_for_function("() => location.search.includes('level_of=subcapability')", timeout=20_000)
    settle(tab)
    assert "7 of 33" in metrics(tab)
    restores(context, tab)
    tab.get_by_role("radio", name="Effect").click()
    tab.wait_for_function("() => location.search.includes('view=effect')", timeout=20_000)
    settle(tab)
    select_row(tab, 1)
    asked = follow_to_cases(tab, "Open the cases of 1 selected row")
    assert asked["run"] == ["hss/claude-opus-5.5/effort=medium"]


def test_items_are_counted_and_open_their_case(
    context: BrowserContext, tab: Page, embedded: Server, home: Path
) -> None:
    open_page(tab, embedded, "items?benchmark=srb&which=nobody")
    table = answer(home, "items", {"benchmark": "srb"})
    assert metrics(tab)[:2] == [str(int(table[name].sum())) for name in ("suspicious", "nobody")]
    restores(context, tab)
    select_row(tab, 0)
    tab.get_by_role("link", name="Open the case").first.click()
    tab.wait_for_function("() => document.querySelector('h1')?.innerText === 'Cases'", timeout=30_000)
    settle(tab)
    assert query(tab)["item"] == [table.filter(table["nobody"])["item"][0]]
