"""Where Envoy sends calls: the dealers of each family, settlement and audit, over HTTP/2, with their health watched."""

from typing import Any, Final

from services.runtime.settings import Settings, address

EVERY: Final = "dealer"
"""The cluster of dealers that serve every family."""
SETTLEMENT, AUDIT, ADMIN = "settlement", "audit", "admin"
CONNECT_SECONDS: Final = 2.0
PING_SECONDS, PING_TIMEOUT_SECONDS = 30.0, 10.0
"""Interval of HTTP/2 pings and their timeout, after which a connection counts as dead."""


def families(settings: Settings) -> list[str]:
    """Return the families that have dealers of their own; empty if all dealers serve every family."""
    return sorted(family for family in settings.gateway_dealers if family)


def default(settings: Settings) -> str:
    """Return the cluster of calls to dealers that name no family: one for all families, else poker, else the first."""
    if "" in settings.gateway_dealers:
        return EVERY
    return "poker" if "poker" in settings.gateway_dealers else families(settings)[0]


def clusters(settings: Settings, admin: dict[str, Any]) -> list[dict[str, Any]]:
    """Return all clusters; ``admin`` is the address of Envoy's own interface."""
    places = {family or EVERY: where for family, where in settings.gateway_dealers.items()}
    places |= {SETTLEMENT: settings.settlement_address, AUDIT: settings.audit_address}
    own = {"name": ADMIN, "type": "STATIC", "connect_timeout": "1s", "load_assignment": _endpoints(ADMIN, [admin])}
    return [*(_cluster(name, where, settings) for name, where in sorted(places.items())), own]


def seconds(value: float) -> str:
    """Write a duration as Envoy reads it."""
    return f"{value:g}s"


def keepalive() -> dict[str, Any]:
    """Return HTTP/2 options that notice a peer which is gone."""
    return {"interval": seconds(PING_SECONDS), "timeout": seconds(PING_TIMEOUT_SECONDS)}


def _cluster(name: str, where: str, settings: Settings) -> dict[str, Any]:
    hosts = [address(one.strip(), name) for one in where.split(",")]
    made: dict[str, Any] = {
        "name": name,
        "type": "STRICT_DNS",
        "lb_policy": "LEAST_REQUEST",
        "connect_timeout": seconds(CONNECT_SECONDS),
        "load_assignment": _endpoints(name, [socket(*host) for host in hosts]),
        "typed_extension_protocol_options": {
            "envoy.extensions.upstreams.http.v3.HttpProtocolOptions": {
                "@type": "type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions",
                "explicit_http_config": {"http2_protocol_options": {"connection_keepalive": keepalive()}},
            }
        },
        # A draining process says so before it stops; a process that has come back is found within a second.
        "health_checks": [
            {
                "timeout": "2s",
                "interval": "2s",
                "unhealthy_interval": "0.5s",
                "no_traffic_interval": "2s",
                "unhealthy_threshold": 2,
                "healthy_threshold": 1,
                "grpc_health_check": {},
            }
        ],
        "circuit_breakers": {
            "thresholds": [
                {"max_requests": 2 * settings.concurrent_calls, "max_pending_requests": settings.concurrent_calls}
            ]
        },
    }
    if settings.tls_server_ca_file is not None:
        made["transport_socket"] = _tls(settings, hosts[0][0])
    return made


def socket(host: str, port: int) -> dict[str, Any]:
    """Write an address."""
    return {"socket_address": {"address": host.strip("[]"), "port_value": port}}


def _endpoints(name: str, addresses: list[dict[str, Any]]) -> dict[str, Any]:
    return {"cluster_name": name, "endpoints": [{"lb_endpoints": [{"endpoint": {"address": a}} for a in addresses]}]}


def _tls(settings: Settings, host: str) -> dict[str, Any]:
    """Return TLS to a process of the house: its authority, its name, and the gateway's own certificate, if any."""
    trusted = {
        "trusted_ca": {"filename": str(settings.tls_server_ca_file)},
        "match_typed_subject_alt_names": [
            {"san_type": "IP_ADDRESS" if host.replace(".", "").isdigit() else "DNS", "matcher": {"exact": host}}
        ],
    }
    context: dict[str, Any] = {"validation_context": trusted, "alpn_protocols": ["h2"]}
    if settings.tls_certificate_file is not None:
        context["tls_certificates"] = [certificate(settings)]
    return {
        "name": "envoy.transport_sockets.tls",
        "typed_config": {
            "@type": "type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext",
            "sni": host,
            "common_tls_context": context,
        },
    }


def certificate(settings: Settings) -> dict[str, Any]:
    """Return the gateway's own certificate and key, as files."""
    return {
        "certificate_chain": {"filename": str(settings.tls_certificate_file)},
        "private_key": {"filename": str(settings.tls_key_file)},
    }
