"""Facts under the sheets' keys become typed records."""

import msgspec
import pytest

from services.rules import facts

FAMILIES = sorted(facts.FAMILIES)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_fact_that_no_record_has_is_an_error(family: str) -> None:
    """A key that the family's record has no field for is refused by its name, not dropped."""
    with pytest.raises(msgspec.ValidationError, match=f"{family} has no facts \\['no_such_fact'\\]"):
        facts.of(family, {"no_such_fact": 1})
    assert isinstance(facts.of(family, {}).family, facts.FAMILIES[family])
