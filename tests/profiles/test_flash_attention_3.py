import pytest

from burstlab.profiles.families import family_of

ON, OFF = "(bool)1", "(bool)0"


def fa3(*flags: str) -> str:
    """A name as nsys has it; flags from Is_causal on."""
    first = "(int)2, cute::tuple<cute::C<(int)1>, cute::C<(int)1>>, cute::tuple<cute::C<(int)128>, cute::C<(int)176>>, (int)128, "
    loop = f"{first}cutlass::bfloat16_t, float, cutlass::arch::Sm90, {', '.join(flags)}"
    tail = "flash::CollectiveEpilogueFwd<cute::tuple<cute::C<(int)128>>, (int)256, (bool)1>"
    kernel = f"flash::FlashAttnFwdSm90<flash::CollectiveMainloopFwdSm90<{loop}>, {tail}>"
    return f"void cutlass::device_kernel<flash::enable_sm90_or_later<{kernel}>>(T1::Params)"


def flags(pack: str, others: str) -> list[str]:
    """Twelve flags, of which the tenth is PackGQA."""
    return [others] * 9 + [pack] + [others] * 2


@pytest.mark.parametrize(("on", "off"), [(ON, OFF), ("true", "false")], ids=["nsys", "torch"])
def test_the_flag_of_packing_decides_whatever_the_others_are(on: str, off: str) -> None:
    assert family_of(fa3(*flags(on, off))) == "fa3-packed"
    assert family_of(fa3(*flags(off, on))) == "fa3-unpacked"


def test_more_arguments_after_it_change_nothing() -> None:
    assert family_of(fa3(*flags(ON, OFF), "float", "(int)1")) == "fa3-packed"


@pytest.mark.parametrize("found", [flags(ON, OFF)[:-1], ["float", *flags(ON, OFF)], []])
def test_other_arguments_than_these_are_not_told(found: list[str]) -> None:
    assert family_of(fa3(*found)) == "fa3"


def test_a_name_that_is_cut_is_not_told() -> None:
    name = fa3(*flags(ON, OFF))
    assert family_of(name[: name.index(ON) + 3]) == "fa3"
