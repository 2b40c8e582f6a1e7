"""Settings of identity and keys: tokens, rings that seal, and checkpoints with their publication and witnesses."""

from pathlib import Path
from typing import Literal

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings

Secrets = dict[str, SecretStr]


class TokenSettings(BaseSettings):
    """How bearer tokens are signed and verified."""

    jwt_algorithm: Literal["HS256", "EdDSA", "RS256"] = Field("HS256", description="How bearer tokens are signed.")
    jwt_secret: SecretStr = Field(SecretStr(""), description="HS256: the shared secret, 32 characters or more.")
    jwt_public_key: str = Field(
        "",
        description="EdDSA, RS256: the public key that tokens are checked with: PEM, or the bytes of an Ed25519 key as "
        "base64.",
    )
    jwt_private_key: SecretStr = Field(
        SecretStr(""),
        description="EdDSA, RS256: the private key likewise, only where tokens are made and in no process.",
    )
    jwt_issuer: str = Field("pitboss", min_length=1, description="Issuer (iss) that a token must name.")
    jwt_audience: str = Field("pitboss", min_length=1, description="Audience (aud) that a token must name.")
    jwt_jwks: str = Field(
        "",
        max_length=400,
        description="Key set (JWKS) with further public keys for the house's own tokens, found by their id (kid): a "
        "file's whole path or an https address.",
    )
    jwt_provider_issuer: str = Field(
        "",
        max_length=200,
        description="OpenID Connect provider whose access tokens the house accepts besides its own: their issuer.",
    )
    jwt_provider_jwks: str = Field(
        "", max_length=400, description="Key set (JWKS) of that provider: an https address or a file's whole path."
    )
    jwt_provider_audience: str = Field(
        "", max_length=200, description="Audience that the provider's access tokens must name; not a client's id."
    )
    jwt_provider_role_claim: str = Field(
        "role",
        pattern=r"^[^.\s]+(\.[^.\s]+){0,4}$",
        max_length=200,
        description="Claim with the role, a text or a list of texts; dots lead into objects: realm_access.roles.",
    )
    jwt_provider_roles: dict[str, str] = Field(
        default_factory=lambda: {"player": "player"},
        max_length=20,
        description="Role of the house for each value of that claim; of several values the first listed here counts.",
    )
    service_token: SecretStr = Field(
        SecretStr(""),
        description="Token for calls to other services, where a process cannot make its own; its file is read again "
        "when it changes.",
    )


class KeySettings(BaseSettings):
    """Keys that seal and sign, and where signed checkpoints are published."""

    deal_keys: Secrets = Field(
        default_factory=dict, description='Keys that seal decks, 32 bytes each: {"id": "base64"}. Dealers only.'
    )
    deal_key: str = Field("", description="Id of the deal key that new rounds are sealed with.")
    audit_keys: Secrets = Field(
        default_factory=dict, description='Keys that seal what only auditors may open: {"id": "base64"}.'
    )
    audit_key: str = Field("", description="Id of the audit key that new records are sealed with.")
    personal_keys: Secrets = Field(
        default_factory=dict, description='Keys that wrap the keys of players, 32 bytes each: {"id": "base64"}.'
    )
    personal_key: str = Field("", description="Id of the key that wraps new keys of players.")
    checkpoint_key: SecretStr = Field(
        SecretStr(""), description="Ed25519 private key that signs checkpoints: its 32 bytes as base64. Audit only."
    )
    checkpoint_former_keys: list[str] = Field(
        default_factory=list,
        description="Public keys (hex) that signed checkpoints before this one. Audit only.",
    )
    ledger_key: SecretStr = Field(
        SecretStr(""),
        description="Ed25519 private key that signs ledger entries: its 32 bytes as base64. Settlement only.",
    )
    ledger_public_keys: list[str] = Field(
        default_factory=list,
        description="Public keys (hex) that ledger entries are checked with, the one in use first. Audit only.",
    )
    ledger_admitted_entries: list[str] = Field(
        default_factory=list,
        description="Ids of ledger entries that are taken though no key has signed them. Audit only.",
    )
    checkpoint_folder: Path | None = Field(
        None,
        description="Folder that checkpoints are published to, out of the database owner's reach. Audit only.",
    )
    checkpoint_bucket: str = Field(
        "",
        pattern=r"^(s3://[a-z0-9.-]{3,63}(/.*)?)?$",
        description="S3-compatible bucket that checkpoints are published to: s3://bucket/prefix. Audit only.",
    )
    checkpoint_bucket_endpoint: str = Field("", description="Where the bucket is served, as https://host:port.")
    checkpoint_bucket_region: str = Field("us-east-1", description="Region of the bucket.")
    checkpoint_bucket_access_key: str = Field("", description="Access key that may write new objects to the bucket.")
    checkpoint_bucket_secret_key: SecretStr = Field(SecretStr(""), description="Its secret key.")
    witness_keys: list[str] = Field(
        default_factory=list, description="Public keys (hex) of witnesses whose co-signatures are taken. Audit only."
    )


class WitnessSettings(BaseSettings):
    """What a witness needs."""

    witness_key: SecretStr = Field(
        SecretStr(""), description="Ed25519 private key that co-signs: its 32 bytes as base64. Witness only."
    )
    witness_state: Path | None = Field(None, description="File in which a witness keeps what it saw last.")
    witness_house_keys: list[str] = Field(
        default_factory=list, description="Public keys (hex) that sign the house's checkpoints. Witness only."
    )
    witness_seconds: float = Field(20.0, gt=0, le=3600, description="Time between two looks of a witness.")
