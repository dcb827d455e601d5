"""What if a constant of the roofline were another: said beside what comes of it, and used nowhere else."""

from dataclasses import replace

from burstlab.simulator.costs.roofline.constants import CONSTANTS


def what_if(asked: str | None) -> None:
    """Set a constant for this process, as `asked` says: CONSTANT=VALUE, or nothing."""
    if asked is None:
        return
    name, value = asked.split("=")
    CONSTANTS[name] = replace(CONSTANTS[name], value=float(value))
    print(f"What if {name} were {value} in place of what {CONSTANTS[name].source!r} says?")
