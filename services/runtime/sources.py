"""Sources of settings besides the environment: files with secrets; and the list of all settings."""

import json
import os
import typing
from pathlib import Path
from typing import Any, NamedTuple

import pydantic_settings
from pydantic import SecretStr
from pydantic.fields import FieldInfo

LARGEST_SECRET = 1 << 16
"""Maximum bytes of a secret's file; a larger file is a wrong path."""


def is_secret(field: FieldInfo) -> bool:
    """Return whether a field is a secret, or holds secrets."""
    return field.annotation is SecretStr or SecretStr in typing.get_args(field.annotation)


class SecretFiles(pydantic_settings.PydanticBaseSettingsSource):
    """Secrets from files: ``PITBOSS_X_FILE`` names the file that holds the secret ``X``."""

    def __init__(self, settings: type[pydantic_settings.BaseSettings], prefix: str) -> None:
        super().__init__(settings)
        self._prefix = prefix

    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:
        """Read one secret; None if the environment names no file for it. Raises ``SettingsError``."""
        variable = f"{self._prefix}{field_name.upper()}_FILE"
        path = os.environ.get(variable, "")
        if not path or not is_secret(field):
            return None, field_name, False
        try:
            text = Path(path).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "not text"
            raise pydantic_settings.SettingsError(f"{variable} names {path}: {reason}") from None
        if len(text) > LARGEST_SECRET:
            raise pydantic_settings.SettingsError(f"{variable} names {path}: larger than {LARGEST_SECRET} bytes")
        return text.strip(), field_name, field.annotation is not SecretStr

    def __call__(self) -> dict[str, Any]:
        """Read all secrets for which a file is named."""
        found: dict[str, Any] = {}
        for name, field in self.settings_cls.model_fields.items():
            value, _, many = self.get_field_value(field, name)
            if value is None:
                continue
            try:
                found[name] = json.loads(value) if many else value
            except json.JSONDecodeError as error:
                place = f"{self._prefix}{name.upper()}_FILE"
                raise pydantic_settings.SettingsError(f"{place}: not JSON at character {error.pos}") from None
        return found


class Line(NamedTuple):
    """One setting for the documentation: its variable, its default as text, whether it is a secret, its meaning."""

    variable: str
    default: str
    secret: bool
    meaning: str


def listing(settings: type[pydantic_settings.BaseSettings], prefix: str) -> list[Line]:
    """List all settings in order."""
    return [
        Line(prefix + name.upper(), _default(field), is_secret(field), field.description or "")
        for name, field in settings.model_fields.items()
    ]


def as_markdown(lines: list[Line]) -> str:
    """Write settings as a table for the documentation; secrets show no default."""
    rows = ["| variable | default | meaning |", "|---|---|---|"]
    for line in lines:
        name = f"`{line.variable}`" + (" (secret)" if line.secret else "")
        rows.append(f"| {name} | {line.default} | {line.meaning} |")
    return "\n".join(rows) + "\n"


def _default(field: FieldInfo) -> str:
    value = field.get_default(call_default_factory=True, validated_data={})
    if is_secret(field) or value is None or value in ("", {}):
        return ""
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"
