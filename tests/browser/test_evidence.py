"""Significance, Judges and Claims in a browser: headlines, the address, and the way from a number to its cases."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.served import Server, select_row, settle

pytestmark = pytest.mark.browser


def open_page(page: Page, server: Server, address: str) -> None:
    page.goto(f"{server.url}/{address}")
    settle(page, seconds=180)


def test_a_contrast_is_restored_and_leads_to_its_cases(tab: Page, embedded: Server) -> None:
    open_page(tab, embedded, "significance?benchmark=srb")
    assert tab.get_by_test_id("stMetricValue").all_inner_texts()[:2] == ["6 of 8", "0.0454"]
    tab.get_by_role("radio", name="Run against run").click()
    tab.wait_for_function("() => location.search.includes('view=runs')")
    settle(tab, seconds=60)
    assert tab.get_by_test_id("stMetricValue").first.inner_text().endswith("of 28")
    tab.go_back()
    tab.wait_for_function("() => !location.search.includes('view=')")
    settle(tab, seconds=60)
    select_row(tab, 0, table=0)
    tab.get_by_role("link", name="Open the cases of the second group").click()
    tab.wait_for_function("() => document.querySelector('h1')?.innerText === 'Cases'")
    settle(tab, seconds=60)
    asked = parse_qs(urlsplit(tab.url).query)
    assert set(asked["capability"]) == {"causal_antecedent", "counterfactual_reasoning"}
    assert tab.get_by_test_id("stMetricValue").first.inner_text() == "145"


def test_a_disagreement_of_judges_opens_its_case(tab: Page, embedded: Server) -> None:
    open_page(tab, embedded, "judges?unit=criterion&a=GPT-5.6-terra&b=Gemini-3.6-flash")
    assert tab.get_by_test_id("stMetricValue").all_inner_texts()[1] == "95.8% to 97.3%"
    tab.get_by_role("radio", name="Two raters").click()
    expect(tab.get_by_text("They differ on 158 of 3780 units", exact=False)).to_be_visible(timeout=20_000)
    settle(tab, seconds=60)
    select_row(tab, 0)
    tab.get_by_role("link", name="Open the case").click()
    tab.wait_for_function("() => document.querySelector('h1')?.innerText === 'Cases'")
    settle(tab, seconds=60)
    asked = parse_qs(urlsplit(tab.url).query)
    assert asked["benchmark"] == ["hss-judges"]
    assert asked["item"][0].startswith("hssj-")


def test_a_typed_statement_gets_a_verdict_that_its_address_keeps(tab: Page, embedded: Server) -> None:
    open_page(tab, embedded, "claims?view=check&form=discordant")
    for label, text in (("P as printed", "0.003"), ("Right in the first alone", "63"), ("Right in the second", "33")):
        field = tab.get_by_label(label, exact=False)
        field.fill(text)
        field.press("Enter")
        settle(tab, seconds=60)
    expect(tab.get_by_role("heading", name="Reproduced")).to_be_visible()
    with tab.expect_download(timeout=60_000) as waiting:
        tab.get_by_role("button", name="Save the claim record").click()
    assert 'kind = "mcnemar"' in waiting.value.path().read_text()
    here = tab.url
    assert "with_b=63" in here
    open_page(tab, embedded, here.split("/", 3)[3])
    expect(tab.get_by_role("heading", name="Reproduced")).to_be_visible()


def test_uploaded_tables_are_checked_and_wrong_files_are_named(tab: Page, embedded: Server) -> None:
    table = b"model,correct,n,accuracy\nA,41,72,56.94\nB,48,72,66.76\n"
    identity = (
        b'[[identity]]\nid = "accuracy"\nkind = "proportion"\nfile = "results.csv"\neach = "row"\ntarget = "accuracy"\n'
        b'inputs.k = "correct"\ninputs.n = "n"\n'
    )
    open_page(tab, embedded, "claims?view=own")
    chooser = tab.locator('input[type="file"]')
    chooser.set_input_files(
        [
            {"name": "results.csv", "mimeType": "text/csv", "buffer": table},
            {"name": "identities.toml", "mimeType": "application/toml", "buffer": identity},
        ]
    )
    expect(tab.get_by_text("identities.toml", exact=True).last).to_be_visible()
    tab.get_by_role("button", name="Check them").click()
    expect(tab.get_by_text("Cells of tables", exact=True).last).to_be_visible(timeout=60_000)
    settle(tab, seconds=60)
    with tab.expect_download(timeout=60_000) as waiting:
        tab.get_by_role("button", name="CSV").last.click()
    lines = waiting.value.path().read_text().splitlines()
    assert any(",B," in line and "contradicted" in line and "66.67" in line for line in lines)
    assert not any(",A," in line and "contradicted" in line for line in lines)
    chooser.set_input_files([{"name": "results.csv", "mimeType": "text/csv", "buffer": b"\xff\xfe\x00"}])
    expect(tab.get_by_text("results.csv", exact=True)).to_have_count(2)
    tab.get_by_role("button", name="Check them").click()
    expect(tab.get_by_text("results.csv is not UTF-8 at byte 0", exact=False)).to_be_visible(timeout=60_000)
