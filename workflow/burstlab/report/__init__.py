"""The report: one page of tables, figures and cell records that opens with no network and no server."""
