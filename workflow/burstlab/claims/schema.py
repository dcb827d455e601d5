"""What an entry of `workflow/claims.yaml` holds. Unknown keys are errors: a mistyped one would weaken a claim in silence."""

from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

Kind = Literal["trend", "ratio", "value", "arithmetic", "mechanism", "queueing", "system"]
Text = Annotated[str, Field(min_length=1)]
Number = Annotated[float, Field(allow_inf_nan=False)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Published(_Strict):
    """A number that the source states. `digits` are the decimals it was printed with: it stands for ± half of the last one."""

    name: Text
    value: Number
    unit: str
    digits: Annotated[int, Field(ge=-3, le=6)] = 0

    @property
    def rounding(self) -> float:
        """Half a unit of the last digit printed, in `unit`."""
        return 0.5 * 10.0**-self.digits


class Where(_Strict):
    """The cells that are as published. An empty list means any; an entry of `workloads` is the start of a name.

    `burstiness` is the steadiest and the burstiest of a claim about the change between them; left out, any two.
    """

    platforms: tuple[Text, ...] = ()
    models: tuple[Text, ...] = ()
    workloads: tuple[Text, ...] = ()
    burstiness: tuple[Number, Number] | None = None

    def between(self, steady: float, bursty: float) -> bool:
        """Whether a change from one burstiness to another is the published one."""
        return self.burstiness is None or self.burstiness == (steady, bursty)

    def holds(self, platform: str, model: str, workload: str) -> bool:
        """Whether a cell is as published."""
        return (
            (not self.platforms or platform in self.platforms)
            and (not self.models or model in self.models)
            and (not self.workloads or workload.startswith(self.workloads))
        )


class Claim(_Strict):
    """One claim. `parameters` are the estimator's numbers that the source leaves open; `tolerance` is in the check's unit."""

    id: Annotated[str, Field(pattern=r"^[BS][1-9][0-9]?$")]
    source: Text
    statement: Text
    kind: Kind
    conditions: Text
    published: tuple[Published, ...] = ()
    where: Where | None = None
    tolerance: Annotated[float, Field(ge=0)] | None = None
    tolerance_reason: Text | None = None
    parameters: dict[str, float] = {}
    engines: tuple[tuple[Text, Text], ...] = ()
    estimator: Text | None = None
    needs: Text
    command: Text | None = None

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if (self.tolerance is None) != (self.tolerance_reason is None):
            raise ValueError("tolerance and tolerance_reason go together")
        return self

    def value(self, name: str) -> Published:
        """The published number of this name; raises KeyError where there is none."""
        for number in self.published:
            if number.name == name:
                return number
        raise KeyError(f"claim {self.id} publishes no {name}")


class Ledger(_Strict):
    """All claims, each once."""

    claims: Annotated[tuple[Claim, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _each_once(self) -> Self:
        ids = [claim.id for claim in self.claims]
        twice = sorted({name for name in ids if ids.count(name) > 1})
        if twice:
            raise ValueError(f"claims given twice: {', '.join(twice)}")
        return self
