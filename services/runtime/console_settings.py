"""Settings of the process that serves the console of staff."""

from pathlib import Path

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings


class ConsoleSettings(BaseSettings):
    """Where the console is served, and how long its people stay signed in."""

    console_listen: str = Field(
        "127.0.0.1:7450", description="Address at which the console is served over HTTP; port 0 takes a free one."
    )
    console_folder: Path | None = Field(
        None, description="Folder of the console's script and styles. Not set: the one that `make install` builds."
    )
    console_key: SecretStr = Field(
        SecretStr(""),
        description="Key that seals the sessions of the console: 32 bytes as base64, the same in all replicas. Not "
        "set: the process makes one, and its sessions end with it. Console only.",
    )
    console_links_file: Path | None = Field(
        None, description="File with one-time links of staff (`pitboss staff`). Not set: there are none."
    )
    console_secure: bool = Field(
        False, description="Browsers reach the console by HTTPS, by its own or by a proxy's: cookies are for TLS only."
    )
    console_idle_minutes: int = Field(
        30, ge=1, le=1440, description="Minutes without a press after which a session of the console ends."
    )
    console_hours: int = Field(
        12, ge=1, le=24, description="Hours after which a session of the console ends in any case."
    )
