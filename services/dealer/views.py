"""What a feed has rendered of its table's version: once for each kind of viewer, again where somebody was erased."""

from collections.abc import Iterable
from typing import Any, Final

from pitboss.v1 import dealer_pb2 as pb

from services.contract import wire_tables
from services.privacy.names import Names
from services.rules import personal
from services.rules.personal import Show
from services.runtime import metrics
from services.table.live import Live


class Views:
    """Rendered views of one version of one table, and what opens its players' texts, by language."""

    def __init__(self, names: Names) -> None:
        self._names: Final = names
        self._erasures = names.erasures
        self._shows: dict[str, tuple[Show, str]] = {}
        self._views: dict[tuple[int | None, str], bytes] = {}
        self.tails: dict[tuple[int, str], bytes] = {}
        """Events after a version, as parts of a message, by that version and the words they are in."""

    def clear(self) -> None:
        """Forget what was rendered: the table has another version."""
        self._shows.clear()
        self._views.clear()
        self.tails.clear()

    def knows(self, language: str) -> bool:
        """Whether the texts are opened in a language, and none of them was erased since."""
        if self._erasures != self._names.erasures:
            self._erasures = self._names.erasures
            self.clear()
        return language in self._shows

    async def shower(self, texts: Iterable[Any], language: str) -> tuple[Show, str]:
        """Return what shows these texts, and which words it needs: "" where none of them is erased.

        Views are the same in all languages unless something is erased. Raises psycopg.Error.
        """
        sealed = set(personal.sealed_in(list(texts)))
        show = await self._names.shower(list(sealed), language)
        gone = {personal.ERASED.within(language), personal.UNREADABLE.within(language)}
        return show, language if any(show(text) in gone for text in sealed) else ""

    def take(self, language: str, shower: tuple[Show, str]) -> None:
        """Show texts so from now on, in a language."""
        self._shows[language] = shower

    def of(self, language: str) -> tuple[Show, str]:
        """Return what shows the texts in a language that is known, and the words it needs."""
        return self._shows[language]

    def view(self, table: Live, seat: int | None, language: str) -> bytes:
        """Return the table as a seat may see it, encoded, in a language that is known."""
        show, words = self._shows[language]
        found = self._views.get((seat, words))
        if found is None:
            metrics.FEED_VIEWS.inc()
            shown = wire_tables.view(table, seat, show)
            found = self._views[seat, words] = pb.WatchTableResponse(view=shown).SerializeToString()
        return found
