"""Files of checkpoints: what is read back, and what is refused as another kind of file."""

import json

import pytest

from services.audit import kept_checkpoints
from services.audit.kept_checkpoints import Cosignature, Kept

KEPT = Kept(
    form=kept_checkpoints.FORM,
    text="{}",
    signature="ab" * 64,
    key_id="cd" * 32,
    cosignatures=[Cosignature(key_id="ef" * 32, signature="01" * 64)],
)


def test_a_file_is_read_as_it_was_written() -> None:
    """Nothing is lost between writing and reading."""
    assert kept_checkpoints.read(kept_checkpoints.write(KEPT)) == KEPT


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"form": "pitboss checkpoint file v2"}, "'pitboss checkpoint file v2'"),
        ({"form": "pitboss round v1"}, "'pitboss round v1'"),
        ({"form": 1}, "not a checkpoint file"),
        ({"text": None}, "not a checkpoint file"),
        ({"cosignatures": {}}, "not a checkpoint file"),
    ],
)
def test_a_file_of_another_form_is_refused_by_name(changes: dict[str, object], named: str) -> None:
    """A file of another version or kind is never judged as if it were a checkpoint."""
    text = json.dumps(json.loads(kept_checkpoints.write(KEPT)) | changes)
    with pytest.raises(ValueError, match=named):
        kept_checkpoints.read(text)


@pytest.mark.parametrize("text", ["", "[]", "{}", "no JSON"])
def test_what_is_no_file_of_ours_is_refused(text: str) -> None:
    """Anything else is refused with a sentence and never an error of the parser."""
    with pytest.raises(ValueError, match="this is not a checkpoint file"):
        kept_checkpoints.read(text)
