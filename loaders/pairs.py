"""The table `cube_pairs` of a build, by matrix products: joining runs to runs grows with the square of their number.

The statement for it in `analytics/cube.sql` says what the rows mean; a test holds both to the same rows.
"""

from __future__ import annotations

import duckdb
import numpy as np
import numpy.typing as npt
import polars as pl

Connection = duckdb.DuckDBPyConnection
FloatArray = npt.NDArray[np.float64]

LARGE = "SELECT benchmark FROM items GROUP BY benchmark HAVING count(*) > 10000 ORDER BY benchmark"
BLOCK_ITEMS = 100_000
"""Items that are in memory at a time, with the credits of every run."""

CREDITS = """
SELECT s.run_idx, s.item_idx, i.cell_idx, s.raw, s.verified
FROM scores s JOIN items i USING (item_idx)
WHERE i.benchmark = $benchmark AND s.item_idx BETWEEN $first AND $last AND s.raw IS NOT NULL
"""

SUMS = (
    "n", "sum_raw_raw", "sum_raw_a", "sum_raw_b", "sum_raw2_a", "sum_raw2_b", "only_a", "only_b",
    "n_verified", "sum_verified_verified",
)  # fmt: skip
COUNTS = frozenset({"n", "n_verified"})
WIDE = frozenset({"only_a", "only_b"})
"""What the portable statement sums as whole numbers, which DuckDB keeps as HUGEINT."""


def fill_pairs(con: Connection) -> None:
    """Fill the empty table `cube_pairs`: one row per pair of runs and cell of the large benchmarks."""
    for (benchmark,) in con.execute(LARGE).fetchall():
        rows = _pairs(con, str(benchmark))
        if rows.height:
            con.register("pair_rows", rows.to_arrow())
            con.execute("INSERT INTO cube_pairs BY NAME SELECT * FROM pair_rows ORDER BY run_a, run_b, cell_idx")
            con.unregister("pair_rows")


def _pairs(con: Connection, benchmark: str) -> pl.DataFrame:
    """Return the rows of one benchmark, its items taken block by block."""
    runs = np.array(
        con.execute("SELECT run_idx FROM runs WHERE benchmark = ? ORDER BY run_idx", [benchmark]).fetchall()
    ).reshape(-1)
    ends = "SELECT min(item_idx), max(item_idx) FROM items WHERE benchmark = ?"
    first, last = con.execute(ends, [benchmark]).fetchall()[0]
    totals: dict[int, FloatArray] = {}
    for start in range(first, last + 1, BLOCK_ITEMS):
        stop = min(start + BLOCK_ITEMS - 1, last)
        held = con.sql(CREDITS, params={"benchmark": benchmark, "first": start, "last": stop}).pl()
        cells = np.full(stop - start + 1, -1, dtype=np.int64)
        column = held["item_idx"].to_numpy() - start
        cells[column] = held["cell_idx"].to_numpy()
        credit = np.full((2, len(runs), len(cells)), np.nan)
        row = np.searchsorted(runs, held["run_idx"].to_numpy())
        credit[0, row, column] = held["raw"].to_numpy()
        credit[1, row, column] = held["verified"].cast(pl.Float64).fill_null(np.nan).to_numpy()
        for cell in np.unique(cells[cells >= 0]):
            part = _products(credit[:, :, cells == cell])
            totals[int(cell)] = totals[int(cell)] + part if int(cell) in totals else part
    return _rows(runs, totals)


def _products(credit: FloatArray) -> FloatArray:
    """Return the sums named in SUMS for every pair of runs over the items of one cell."""
    known = ~np.isnan(credit)
    has, judged = known.astype(np.float64)
    raw, verified = np.where(known, credit, 0.0)
    full, none = (raw == 1.0).astype(np.float64), has * (raw == 0.0)
    total, squares, only = raw @ has.T, (raw * raw) @ has.T, full @ none.T
    return np.stack(
        [has @ has.T, raw @ raw.T, total, total.T, squares, squares.T, only, only.T, judged @ judged.T,
         verified @ verified.T]
    )  # fmt: skip


def _rows(runs: npt.NDArray[np.int64], totals: dict[int, FloatArray]) -> pl.DataFrame:
    """Return one row per pair of runs and cell that share an item."""
    first, second = np.triu_indices(len(runs), 1)
    parts = []
    for cell, sums in totals.items():
        columns = {name: pl.Series(values[first, second]) for name, values in zip(SUMS, sums, strict=True)}
        whole = [pl.col(name).round().cast(pl.Int64) for name in SUMS if name in COUNTS | WIDE]
        part = pl.DataFrame(columns).with_columns(
            whole, run_a=pl.Series(runs[first]), run_b=pl.Series(runs[second]), cell_idx=pl.lit(cell)
        )
        # No item with both verified credits: their sum is no number, not 0.
        sum_verified = pl.when(pl.col("n_verified") > 0).then("sum_verified_verified")
        parts.append(part.filter(pl.col("n") > 0).with_columns(sum_verified.alias("sum_verified_verified")))
    return pl.concat(parts) if parts else pl.DataFrame()
