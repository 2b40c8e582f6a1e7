"""Texts in three languages as the contract shows them."""

from collections.abc import Mapping

from pitboss.v1 import catalogue_pb2 as pb

from services.rules.text import Text


def text(entry: Text) -> pb.Text:
    """Write a text in its three languages."""
    return pb.Text(en=entry.en, zh_hant=entry.zh_hant, zh_hans=entry.zh_hans)


def labelled(labels: Mapping[str, Text]) -> list[pb.LabelledWord]:
    """Write words with their labels, in their order."""
    return [pb.LabelledWord(word=word, label=text(label)) for word, label in labels.items()]
