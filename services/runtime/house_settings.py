"""Settings of the house: its name, currencies, thresholds of reports, and bounds on callers."""

from typing import Annotated

from pydantic import Field
from pydantic_settings import BaseSettings

Quota = Annotated[str, Field(pattern=r"^([1-9]\d{0,5}(\.\d{1,3})?|0\.\d{0,2}[1-9])/[1-9]\d{0,6}$")]
"""Calls per second, and at once: such as ``5/100``."""


class HouseSettings(BaseSettings):
    """What all processes of one house share."""

    house_name: str = Field("Pitboss", max_length=80, description="Name of the house, printed on every report.")
    default_currency: str = Field(
        "CHIPS", pattern=r"^[A-Z]{3,8}$", description="Currency of a table that names no other."
    )
    currencies: list[Annotated[str, Field(pattern=r"^[A-Z]{3,8}$")]] = Field(
        default_factory=list,
        max_length=50,
        description='Currencies of the house besides the default one and XTS, that of test tables: ["EUR", …].',
    )
    retention_years: int = Field(10, ge=1, le=100, description="Years for which nothing recorded may be deleted.")
    large_win: int = Field(
        100_000,
        ge=0,
        description="Chips that a seat wins in one round, at or above which it is a significant event; 0: never.",
    )
    large_stake: int = Field(
        100_000,
        ge=0,
        description="Chips that a seat stakes in one round, at or above which it is a significant event; 0: never.",
    )
    void_alone_chips: int = Field(
        100_000,
        ge=0,
        description="Chips at risk in a round up to which one person may void it; above, a second person approves. "
        "Test tables and scripted rounds never need one.",
    )
    tables_per_player: int = Field(
        20,
        ge=0,
        le=1000,
        description="Tables that one player may have open at once; operators and services are not bounded.",
    )
    quota_tables: Quota = Field(
        "1/30", description="Tables that a player may open: so many per second / so many at once."
    )
    quota_records: Quota = Field(
        "5/100", description="Other commands that leave records (seats, chips, seeds, limits), per player likewise."
    )
    quota_codes: Quota = Field("0.1/10", description="Codes of invitations that a player may try, likewise.")
    quota_acts: Quota = Field("1000/4000", description="Acts and starts of rounds, per player and process likewise.")
    quota_reads: Quota = Field("500/2000", description="Reads and new streams, per player and process likewise.")
    quota_staff_factor: int = Field(
        50, ge=1, le=10_000, description="Factor of these rates for staff and test players; services are not bounded."
    )
    scripted_decks: bool = Field(
        default=False,
        description="Accept scripted decks at test tables (certification). Never in a house with real players.",
    )
