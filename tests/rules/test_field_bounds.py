"""Bounds of a field in the words of players: beside the field and in the whole text, in each language."""

import pytest
from google.rpc import error_details_pb2

from services.contract import requests
from services.rules.refusals import Refused
from services.runtime import errors


@pytest.mark.parametrize("language", ["en", "zh-Hant", "zh-Hans"])
def test_a_player_reads_the_bounds_of_a_field(language: str) -> None:
    """A number of chips and the length of a text are given with both ends and the field's name."""
    for field, least, greatest in (("amount", "1", "1000000000000"), ("title", "0", "60")):
        with pytest.raises(Refused) as caught:
            requests.amount(0, field) if field == "amount" else requests.text("x" * 99, field, 60)
        whole, bad = error_details_pb2.LocalizedMessage(), error_details_pb2.BadRequest()
        for detail in errors.to_status(caught.value, language).details:
            detail.Unpack(whole)
            detail.Unpack(bad)
        own = bad.field_violations[0].localized_message.message
        assert least in own
        assert greatest in own
        assert own in whole.message
        assert whole.message.startswith(field)
