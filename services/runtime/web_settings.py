"""Settings of the process that serves the page."""

from pathlib import Path
from typing import Annotated

from pydantic import Field
from pydantic_settings import BaseSettings

from services.runtime.gateway_settings import Origin

Issuer = Annotated[str, Field(pattern=r"^(https?://[A-Za-z0-9.-]+(:\d{1,5})?(/[A-Za-z0-9._~/-]*)?)?$", max_length=200)]
"""The address of an OpenID Connect provider, or nothing."""


class WebSettings(BaseSettings):
    """Where the page is served, where it calls, and how its visitors sign in."""

    web_listen: str = Field(
        "127.0.0.1:7440", description="Address at which the page is served over HTTP; port 0 takes a free one."
    )
    web_folder: Path | None = Field(
        None, description="Folder of the built page. Not set: the one that `make install` builds in the package."
    )
    web_gateway: Origin = Field(
        "http://127.0.0.1:7480",
        description="Origin of the gateway as browsers reach it. PITBOSS_GATEWAY_ORIGINS must list the page's own.",
    )
    web_guests_file: Path | None = Field(
        None, description="File with one-time links of play-money guests (`pitboss guest`). Not set: there are none."
    )
    web_oidc_issuer: Issuer = Field(
        "", description="OpenID Connect provider that visitors sign in with; the house must accept its access tokens."
    )
    web_oidc_client: str = Field(
        "", max_length=200, description="The page's client id at that provider (public, PKCE)."
    )
    web_oidc_scope: str = Field("openid", max_length=400, description="Scopes that the page asks the provider for.")
    web_oidc_resource: str = Field(
        "", max_length=400, description="Resource indicator (RFC 8707) that the page asks a token for, where needed."
    )
    web_oidc_origins: list[Origin] = Field(
        default_factory=list,
        max_length=10,
        description="Origins besides the issuer's that the page may call, where the provider has its endpoints: "
        '["https://token.example"].',
    )
