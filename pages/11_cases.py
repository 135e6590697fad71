"""Cases · What was asked, what did each run answer, and what did the judges say?"""

import streamlit as st

from analytics.questions import Option, question
from pages.ui.kit import ask, case, origin, page, plain, show, state

LIST = question("cases").options
ITEM = Option("item", "text", "", "one item")
OWN = (*LIST, ITEM)
QUIET = ("search", "page", "item")
MAIN = (
    "item",
    "capability",
    "media_type",
    "answer_type",
    "prompt",
    "reference",
    "n",
    "runs",
    "raw",
    "verified",
    "differ",
)

asked = page.begin(__file__, own=OWN, quiet=QUIET, many=("beside",), one_benchmark=True)
if asked.benchmark is None:
    page.nothing("items")
if asked.options["item"]:
    case.show_case(asked)
    st.stop()

loaded = ask.ask("benchmarks", asked.chosen, asked.policy)
if loaded is not None:
    origin.say(name for joined in loaded.table["provenance"].drop_nulls() for name in origin.split(joined))
key = state.hold("search", asked.options["search"], default="")
st.text_input(
    "Search",
    key=key,
    on_change=state.write,
    args=(("page",),),
    placeholder="words in prompt, reference, answers, responses or rationales",
    width=640,
)
options = {option.name: asked.options[option.name] for option in LIST}
answer = ask.ask("cases", asked.chosen, asked.policy, options)
if answer is None:
    st.stop()

table = answer.table
at, size = options["page"], options["per_page"]
if table.is_empty():
    words = "No item is left" if at == 1 else f"Page {at} is past the last one"
    plain.note(f"{words} where {asked.chosen.sentence()}.", kind="info")
    if at > 1:
        st.button("Go to page 1", on_click=state.turn, args=({"page": None},))
    show.foot(answer, "cases", asked, options)
    st.stop()

total = int(table["total"][0])
last = -(-total // size)
with st.container(horizontal=True, vertical_alignment="center", gap="small"):
    st.metric("Items", total, format="localized", width="content")
    st.button("Previous page", disabled=at <= 1, on_click=state.turn, args=({"page": str(at - 1)},))
    st.button("Next page", disabled=at >= last, on_click=state.turn, args=({"page": str(at + 1)},))
    st.caption(f"Page {at} of {last}. Select a row to open the case.", width="content")

picked = show.table(answer, "cases", asked, columns=MAIN, select="single", opens=("item", "item"))
show.foot(answer, "cases", asked, options)
