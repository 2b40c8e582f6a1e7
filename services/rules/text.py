"""Text that players or operators see, in the three languages of the house."""

import msgspec


class Text(msgspec.Struct, frozen=True):
    """One text in English, traditional Chinese and simplified Chinese; none of them empty."""

    en: str
    zh_hant: str
    zh_hans: str

    def __post_init__(self) -> None:
        assert all((self.en, self.zh_hant, self.zh_hans)), "a text needs all three languages"

    def filled(self, **values: object) -> "Text":
        """Return the text with values in its places, such as ``{chips}``."""
        return Text(self.en.format_map(values), self.zh_hant.format_map(values), self.zh_hans.format_map(values))

    def within(self, language: str) -> str:
        """Return the text in a language: ``en``, ``zh-Hant`` or ``zh-Hans``; English for any other."""
        return {"zh-Hant": self.zh_hant, "zh-Hans": self.zh_hans}.get(language, self.en)
