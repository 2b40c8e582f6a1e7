"""TLS by settings: the credentials of servers and of channels."""

from pathlib import Path

import grpc

from services.runtime.settings import Settings, SettingsRefused


def server_credentials(settings: Settings) -> grpc.ServerCredentials | None:
    """Return the server's credentials; None: plain text. With ``tls_client_ca_file`` clients need certificates too."""
    if settings.tls_certificate_file is None or settings.tls_key_file is None:
        return None
    pair = (_read(settings.tls_key_file), _read(settings.tls_certificate_file))
    if settings.tls_client_ca_file is None:
        return grpc.ssl_server_credentials([pair])
    return grpc.ssl_server_credentials(
        [pair], root_certificates=_read(settings.tls_client_ca_file), require_client_auth=True
    )


def channel_credentials(settings: Settings) -> grpc.ChannelCredentials | None:
    """Return the credentials of channels to other services, with the process's own certificate; None: plain text."""
    if settings.tls_server_ca_file is None:
        return None
    own = settings.tls_certificate_file is not None and settings.tls_key_file is not None
    return grpc.ssl_channel_credentials(
        root_certificates=_read(settings.tls_server_ca_file),
        private_key=_read(settings.tls_key_file) if own and settings.tls_key_file else None,
        certificate_chain=_read(settings.tls_certificate_file) if own and settings.tls_certificate_file else None,
    )


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise SettingsRefused(f"TLS: cannot read {path}: {error.strerror}") from None
