"""What all sections of a configuration are made of."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from burstlab.study import values
from burstlab.study.faults import FaultAtError

Name = Annotated[str, AfterValidator(values.name)]
Flag = Annotated[bool, BeforeValidator(values.flag)]
Text = Annotated[str, Field(min_length=1)]


class Section(BaseModel):
    """Base of all sections. Unknown keys are errors: a misspelt one would be ignored for GPU hours."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    def _only(self, keys: tuple[str, ...], allowed: bool, where: str) -> None:
        stray = [key for key in keys if key in self.model_fields_set and getattr(self, key) is not None]
        if stray and not allowed:
            raise FaultAtError(stray[0], f"{stray[0]} only goes with {where}")
