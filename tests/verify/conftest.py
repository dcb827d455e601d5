"""Verified are the same made-up studies as are collected in the tests of collections."""

from tests.collections.conftest import make_study, measured, recorded, timed

__all__ = ["make_study", "measured", "recorded", "timed"]
