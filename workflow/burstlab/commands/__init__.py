"""The subcommands of `burstlab`, one a file: `HELP`, `add_arguments(parser)` and `run(asked)`, which returns what to print, or
that and the exit status."""
