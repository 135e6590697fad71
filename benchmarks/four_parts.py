"""The floor of a page: one query over 19 thousand rows, one Altair chart, one Plotly chart, one table whose rows can be
selected, one switch."""

import altair as alt
import duckdb
import plotly.graph_objects as go
import streamlit as st

ROWS = """
CREATE TABLE answers AS
SELECT 'run ' || (n % 20) AS run, 'part ' || (hash(n // 20) % 11) AS part, (hash(n) % 1001) / 1000.0 AS credit
FROM range(19000) AS every(n)
"""
MEANS = (
    "SELECT run, part, avg(credit) AS mean, count(*) AS n FROM answers WHERE credit >= $low GROUP BY ALL ORDER BY ALL"
)


@st.cache_resource(show_spinner=False)
def answers() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute(ROWS)
    return connection


st.title("Four parts")
low = st.segmented_control("Credit from", [0.0, 0.1], default=0.0, required=True)
means = answers().cursor().sql(MEANS, params={"low": low}).pl()
heat = alt.Chart(means).mark_rect().encode(x="part:N", y="run:N", color="mean:Q", tooltip=["run", "part", "mean"])
st.altair_chart(heat.properties(height=400), width="stretch")
grid = means.pivot(on="part", index="run", values="mean")
plot = go.Figure(go.Heatmap(z=grid.drop("run").to_numpy(), x=grid.columns[1:], y=grid["run"].to_list()))
st.plotly_chart(plot.update_layout(height=400))
st.dataframe(means, hide_index=True, on_select="rerun", key="means")
