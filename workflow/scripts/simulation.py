from pathlib import Path

from burstlab.session.simulate import simulate_from_workflow

simulate_from_workflow(
    config=snakemake.config,
    session_id=snakemake.params.session,
    wanted=[Path(path) for path in snakemake.output],
    log=Path(snakemake.log[0]),
)
