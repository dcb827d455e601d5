"""The ledger: every published claim as an entry that data can confirm or contradict."""
