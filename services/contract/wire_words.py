"""A game's words as the contract lists them."""

from collections.abc import Iterator
from typing import Final

from pitboss.v1 import catalogue_pb2 as pb

from services.contract import wire_texts
from services.rules import catalogue
from services.rules.game import Game
from services.rules.vocabulary import Kind

KINDS: Final = {kind: pb.WordKind.Value(f"WORD_KIND_{kind.name}") for kind in Kind}


def vocabulary(game: Game) -> Iterator[pb.Word]:
    """Write every word of a game."""
    for term in catalogue.vocabulary(game):
        yield pb.Word(kind=KINDS[term.kind], word=term.word, text=wire_texts.text(term.text))
