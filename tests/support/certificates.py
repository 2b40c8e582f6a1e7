"""Certificates for tests: authorities, and pairs that they have signed for 127.0.0.1."""

import datetime as dt
import ipaddress
from pathlib import Path
from typing import NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


class Pair(NamedTuple):
    """A key and its certificate, and the files that hold them as PEM."""

    key: ec.EllipticCurvePrivateKey
    certificate: x509.Certificate
    key_file: Path
    certificate_file: Path


def certify(folder: Path, name: str, issuer: Pair | None = None) -> Pair:
    """Make a key with a certificate for 127.0.0.1: an authority of its own, or signed by one."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = dt.datetime.now(dt.UTC)
    draft = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer.certificate.subject if issuer else subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(minutes=5))
        .not_valid_after(now + dt.timedelta(hours=1))
        .add_extension(x509.BasicConstraints(ca=issuer is None, path_length=None), critical=True)
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False)
    )
    certificate = draft.sign(issuer.key if issuer else key, hashes.SHA256())
    key_file, certificate_file = folder / f"{name}.key", folder / f"{name}.pem"
    key_file.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    certificate_file.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    return Pair(key, certificate, key_file, certificate_file)
