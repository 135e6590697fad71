"""Claims as records in TOML and CSV, and the check form that writes them."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analytics.audit.form import FORMS, check_form, claim_of
from analytics.audit.records import parse_claims, read_claims, to_toml
from analytics.audit.run import audit
from analytics.audit.tables import Folder, embedded
from analytics.errors import BadLog, NoStore, UnknownName, UnknownValue

TOLD = {"claim_id": "mine", "statement": "as typed", "document": "draft", "place": "Table 3"}

CSV = """id,document,place,statement,printed,decimals,unit,kind,inputs.k,inputs.n,inputs.parts,relation,allows
c1,draft,Table 1,forty-one of 72,56.94%,2,percent,proportion,41,72,,,
c2,draft,Table 1,mean of three,20.0,1,percent,mean,,,10.0;20.0;30.0,,
c3,draft,Table 2,the macro,80.03,2,percent,mean,,,"{FILE} | Claude Opus 5 | verified_macro",,
c4,draft,Table 2,p of a test,p < 10^-4,,p,mcnemar,,,,,
c5,draft,Table 1,wrong,57.64,2,percent,proportion,41,72,,,missing_attempts
""".replace("{FILE}", "psycheme_table2.csv")


def statuses(claims, folder=None):
    found = audit(folder or Folder({}, None, "none"), claims=claims, cursor=None)
    return {c.record["id"]: c.verdict.status for c in found.claims}


def test_claims_in_csv():
    claims = parse_claims(CSV, "mine.csv")
    assert claims[2]["inputs"]["parts"] == {
        "file": "psycheme_table2.csv",
        "row": "Claude Opus 5",
        "column": "verified_macro",
    }
    assert claims[4]["allows"] == ["missing_attempts"]
    assert statuses(claims, embedded()) == {
        "c1": "reproduced",
        "c2": "reproduced",
        "c3": "contradicted",
        "c4": "not_checkable",
        "c5": "contradicted",
    }


def test_claims_in_toml_mean_the_same():
    text = (
        '[[claim]]\nid = "a"\nkind = "proportion"\nprinted = "56.94%"\nunit = "percent"\ninputs = { k = 41, n = 72 }\n'
    )
    assert statuses(parse_claims(text, "mine.toml")) == {"a": "reproduced"}


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("c.toml", "[[claim]]\nid = 'a'\n", "claim 1 has no kind"),
        ("c.toml", "[[claim]]\nid = 'a'\nkind = 'sum'\n[[claim]]\nid = 'a'\nkind = 'sum'\n", "two claims are called"),
        ("c.toml", "[[claim]\n", "cannot be read as TOML"),
        ("c.toml", "claim = 5\n", "must be a list of records"),
        ("c.csv", "", "has no header"),
        ("c.csv", "id,kind\na,sum,9\n", "more cells"),
        ("c.csv", "id,kind,inputs\na,sum,{x\n", "inputs is not JSON"),
        ("c.csv", "id,kind,n\na,sum,many\n", "n is 'many'"),
        ("c.csv", "id,kind,inputs.n\na,sum,x | y\n", "must be file"),
    ],
)
def test_broken_files_of_claims_say_where(name, text, says):
    with pytest.raises(BadLog, match=says):
        parse_claims(text, name)


def test_files_that_are_no_claims(tmp_path):
    with pytest.raises(NoStore, match="no file"):
        read_claims(tmp_path / "none.toml")
    with pytest.raises(UnknownValue, match=r"\.toml or \.csv"):
        parse_claims("", "claims.xlsx")
    (tmp_path / "c.csv").write_bytes(b"id\n\xff\n")
    with pytest.raises(BadLog, match="not UTF-8"):
        read_claims(tmp_path / "c.csv")


TYPED = {
    "k_of_n": ("56.94", {"k": "41", "n": "72"}, "reproduced"),
    "p_with_n": ("57.64", {"n": "72"}, "contradicted"),
    "two_rates": ("-1.5", {"left": "44.0", "right": "45.5"}, "reproduced"),
    "mean_of": ("20.0", {"parts": "10.0; 20.0; 30.0"}, "reproduced"),
    "sum_of": ("12", {"parts": "5 8"}, "contradicted"),
    "discordant": ("0.003", {"b": "63", "c": "33"}, "reproduced"),
    "kappa": ("0.947", {"agreement": "97.5", "prevalence_a": "37.7", "prevalence_b": "37.9"}, "reproduced"),
    "wilson": ("59.6", {"k": "82", "n": "120"}, "reproduced"),
}


@pytest.mark.parametrize("name", FORMS)
def test_a_form_gives_a_verdict_and_a_record_that_gives_it_again(name):
    printed, values, status = TYPED[name]
    verdict, record = check_form(name, printed, values, **TOLD)
    assert verdict.status == status
    again = parse_claims(to_toml(record), "saved.toml")
    assert again == [record]
    assert statuses(again) == {"mine": status}


def test_forms_read_proportions():
    assert check_form("k_of_n", "0.57", {"k": "41", "n": "72", "unit": "proportion"}, **TOLD)[0].status == "reproduced"


@pytest.mark.parametrize(
    ("name", "printed", "values", "error", "says"),
    [
        ("k_off", "1", {}, UnknownName, "Did you mean 'k_of_n'"),
        ("k_of_n", "1", {"k": "1"}, UnknownValue, "n is empty"),
        ("k_of_n", "1", {"k": "1.5", "n": "2"}, UnknownValue, "a whole number"),
        ("k_of_n", "1", {"k": "-1", "n": "2"}, UnknownValue, "0 or more"),
        ("k_of_n", "1", {"k": "1", "n": "2", "m": "3"}, UnknownName, "no field 'm'"),
        ("k_of_n", "one", {"k": "1", "n": "2"}, UnknownValue, "not one printed number"),
        ("wilson", "1", {"k": "1", "n": "2", "end": "lo"}, UnknownValue, "Did you mean 'low'"),
    ],
)
def test_forms_refuse_with_a_sentence(name, printed, values, error, says):
    with pytest.raises(error, match=says):
        claim_of(name, printed, values, **TOLD)


@given(st.text(max_size=30), st.lists(st.integers() | st.booleans() | st.text(max_size=5), max_size=3))
def test_any_record_survives_toml(text, parts):
    record = {
        "id": "a",
        "kind": "sum",
        "statement": text.encode("utf-8", "ignore").decode(),
        "inputs": {"parts": parts},
    }
    record["inputs"]["parts"] = [p.encode("utf-8", "ignore").decode() if isinstance(p, str) else p for p in parts]
    assert tomllib.loads(to_toml(record))["claim"] == [record]
