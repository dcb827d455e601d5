"""Are the numbers in the tables those of the cells? Computed from `bench.json` alone, by no code of burstlab's."""

import json
from pathlib import Path

import numpy as np
import pandas as pd


def check_tables(folder: Path, cells: int) -> None:
    """Every cell is in the table once, and its mean TTFT and TPOT are those of the requests in its `bench.json`."""
    table = pd.read_parquet(folder / "results/tables/cells.parquet")
    assert len(table) == cells, f"the table has {len(table)} rows of {cells} cells"
    assert table["cell"].is_unique, "a cell is in the table twice"
    for row in table.to_dict("records"):
        bench = json.loads((folder / "results/cells" / row["cell"] / "bench.json").read_text())
        assert bench["completed"] == len(bench["ttfts"]), f"{row['cell']}: requests failed"
        ttft_ms = 1000 * np.mean(bench["ttfts"])
        tpot_ms = 1000 * np.mean([np.mean(itls) for itls in bench["itls"] if itls])
        for name, value in (("mean_ttft_ms", ttft_ms), ("mean_tpot_ms", tpot_ms)):
            assert np.isclose(row[name], value, rtol=0.01), f"{row['cell']}: {name} {row[name]}, not {value}"
