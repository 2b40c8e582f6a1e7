"""Settings of the gateway."""

from typing import Annotated

from pydantic import Field
from pydantic_settings import BaseSettings

from services.runtime.house_settings import Quota

Origin = Annotated[str, Field(pattern=r"^https?://[A-Za-z0-9.-]+(:(\d{1,5}|\*))?$", max_length=200)]
"""An origin of pages, such as ``https://play.example.org``; ``http://localhost:*`` is one with any port."""


class GatewaySettings(BaseSettings):
    """Where the gateway sends calls, which pages may call, and bounds on addresses."""

    gateway_dealers: dict[str, str] = Field(
        default_factory=lambda: {"": "127.0.0.1:7400"},
        min_length=1,
        description='Where the gateway reaches the dealers, by family: {"poker": "host:port", …}; {"": "host:port"} '
        "for dealers of every family. Commas separate several addresses; a name stands for all its addresses.",
    )
    gateway_origins: list[Origin] = Field(
        default_factory=list,
        max_length=100,
        description='Origins of the pages that may call through the gateway (CORS): ["https://play.example.org", …]; '
        "the port may be *.",
    )
    gateway_request_bytes: int = Field(
        1 << 21, ge=1 << 12, le=1 << 26, description="Largest request that the gateway takes, in bytes."
    )
    gateway_quota: Quota = Field(
        "500/5000", description="Calls through the gateway, per second / at once, from one address."
    )
    gateway_connections: int = Field(
        20_000, ge=1, le=1_000_000, description="Connections that the gateway has open at once at most."
    )
    gateway_trusted_hops: int = Field(
        0,
        ge=0,
        le=10,
        description="Proxies in front of the gateway, whose X-Forwarded-For says where a call comes from.",
    )
    gateway_threads: int = Field(2, ge=1, le=64, description="Threads of the gateway that serve connections.")
