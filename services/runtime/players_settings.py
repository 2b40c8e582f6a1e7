"""Settings of the process that plays the house players."""

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings


class PlayersSettings(BaseSettings):
    """Who plays for the house at demo tables, at which tables, and how fast."""

    players_tokens: SecretStr = Field(
        SecretStr(""),
        description="Tokens of the house players, separated by spaces; the file is read again when a token ends.",
    )
    players_games: list[str] = Field(
        default_factory=lambda: ["texas_holdem", "tongbi_niu_niu", "blackjack", "spoil_five", "dou_dizhu"],
        max_length=40,
        description="Games of which house players keep a test table alive, one table each.",
    )
    players_per_table: int = Field(
        3, ge=1, le=8, description="House players at such a table, fewer where seats are scarce."
    )
    players_helped_tables: int = Field(
        4, ge=0, le=100, description="Other test tables, at which people wait alone, that they join at most."
    )
    players_least_think_seconds: float = Field(1.0, ge=0, le=60, description="Least time for one of their decisions.")
    players_most_think_seconds: float = Field(4.0, ge=0, le=60, description="Most time for one of their decisions.")
    players_rest_seconds: float = Field(
        30.0,
        ge=0,
        le=86_400,
        description="Seconds without company after which they sit out, until somebody sits down or looks on.",
    )
    players_calls_per_second: float = Field(
        20.0, gt=0, le=1000, description="Calls that the process sends to the house per second at most."
    )
