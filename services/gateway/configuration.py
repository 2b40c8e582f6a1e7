"""The configuration of Envoy, made of settings: the same on one machine, in containers and in pods."""

from typing import Any, Final

from pitboss.dealers import FAMILY_HEADER

from services.gateway import clusters, contract, filters, replies
from services.runtime.settings import Settings, address

LISTENER, METRICS = "calls", "metrics"
IDLE_SECONDS: Final = 660.0
"""A call on which nothing happens for so long is ended: longer than the longest read of an auditor. Watches may be
silent for any time; pings notice when their caller is gone."""
HEADER_SECONDS: Final = 10.0
MOST_STREAMS: Final = 1000
"""Calls that one connection may have open at once."""
_MANAGER: Final = (
    "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager"
)


def bootstrap(settings: Settings, admin: str) -> dict[str, Any]:
    """Return the whole configuration; ``admin`` is the path of the socket of Envoy's own interface."""
    pipe = {"pipe": {"path": admin, "mode": 0o600}}
    return {
        "admin": {"address": pipe},
        "node": {"id": "gateway", "cluster": "pitboss"},
        "static_resources": {
            "listeners": [_calls(settings), _metrics(settings)],
            "clusters": clusters.clusters(settings, {"pipe": {"path": admin}}),
        },
        "overload_manager": {
            "resource_monitors": [
                {
                    "name": "envoy.resource_monitors.global_downstream_max_connections",
                    "typed_config": {
                        "@type": "type.googleapis.com/envoy.extensions.resource_monitors.downstream_connections.v3"
                        ".DownstreamConnectionsConfig",
                        "max_active_downstream_connections": settings.gateway_connections,
                    },
                }
            ]
        },
    }


def _calls(settings: Settings) -> dict[str, Any]:
    manager = {
        "@type": _MANAGER,
        "stat_prefix": LISTENER,
        "codec_type": "AUTO",
        "use_remote_address": True,
        "xff_num_trusted_hops": settings.gateway_trusted_hops,
        "stream_idle_timeout": clusters.seconds(IDLE_SECONDS),
        "request_headers_timeout": clusters.seconds(HEADER_SECONDS),
        "normalize_path": True,
        "path_with_escaped_slashes_action": "REJECT_REQUEST",
        "server_header_transformation": "PASS_THROUGH",
        "common_http_protocol_options": {
            "idle_timeout": clusters.seconds(settings.idle_seconds),
            "headers_with_underscores_action": "REJECT_REQUEST",
        },
        "http2_protocol_options": {
            "max_concurrent_streams": MOST_STREAMS,
            "connection_keepalive": clusters.keepalive(),
        },
        "local_reply_config": {"mappers": replies.mappers()},
        "http_filters": filters.filters(settings),
        "route_config": {
            "name": LISTENER,
            "virtual_hosts": [
                {
                    "name": "house",
                    "domains": ["*"],
                    "typed_per_filter_config": filters.cors(settings),
                    "routes": routes(settings),
                }
            ],
        },
    }
    chain: dict[str, Any] = {"filters": [_network(manager)]}
    if settings.tls_certificate_file is not None:
        chain["transport_socket"] = _tls(settings)
    return _listener(LISTENER, settings.listen, "listen", chain)


def routes(settings: Settings) -> list[dict[str, Any]]:
    """Return the routes: services by their name, tables by the family that a header names, nothing else."""
    streams = contract.streams()
    found = []
    for service in contract.services():
        prefix = f"/{service}/"
        watches = [path for path in streams if path.startswith(prefix)]
        if service in contract.DEALERS:
            found += [one for path in watches for one in _dealers(settings, {"path": path}, silent=True)]
            found += _dealers(settings, {"prefix": prefix}, silent=False)
            continue
        target = {"cluster": clusters.AUDIT if service == contract.AUDIT else clusters.SETTLEMENT}
        found += [_route({"path": path}, target, silent=True) for path in watches]
        found.append(_route({"prefix": prefix}, target, silent=False))
    for prefix in ("/grpc.health.v1.Health/", "/grpc.reflection.v1alpha.ServerReflection/"):
        found += _dealers(settings, {"prefix": prefix}, silent=True)
    # JSON is translated to one of the paths above; what comes here is none of them.
    return [*found, {"match": {"prefix": "/"}, "direct_response": {"status": 404}}]


def _dealers(settings: Settings, match: dict[str, Any], *, silent: bool) -> list[dict[str, Any]]:
    default = _route(match, {"cluster": clusters.default(settings)}, silent=silent)
    if not (families := clusters.families(settings)):
        return [default]
    named = {"name": FAMILY_HEADER, "string_match": {"safe_regex": {"regex": "|".join(families)}}}
    return [_route({**match, "headers": [named]}, {"cluster_header": FAMILY_HEADER}, silent=silent), default]


def _route(match: dict[str, Any], target: dict[str, str], *, silent: bool) -> dict[str, Any]:
    again = {"retry_on": "connect-failure,refused-stream,reset-before-request", "num_retries": 2}
    way: dict[str, Any] = {**target, "timeout": "0s", "retry_policy": again}
    found = {"match": match, "route": {**way, "idle_timeout": "0s"} if silent else way}
    if match.get("path") in contract.conversations():
        found["typed_per_filter_config"] = filters.unbuffered()
    return found


def _tls(settings: Settings) -> dict[str, Any]:
    context: dict[str, Any] = {
        "tls_certificates": [clusters.certificate(settings)],
        "alpn_protocols": ["h2", "http/1.1"],
        "tls_params": {"tls_minimum_protocol_version": "TLSv1_2"},
    }
    wanted = settings.tls_client_ca_file
    if wanted is not None:
        context["validation_context"] = {"trusted_ca": {"filename": str(wanted)}}
    return {
        "name": "envoy.transport_sockets.tls",
        "typed_config": {
            "@type": "type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext",
            "require_client_certificate": wanted is not None,
            "common_tls_context": context,
        },
    }


def _metrics(settings: Settings) -> dict[str, Any]:
    """Return the listener of ``/metrics`` and ``/healthz``: all that others see of Envoy's own interface."""
    paths = {"/metrics": "/stats/prometheus?usedonly", "/healthz": "/ready"}
    shown = [
        {
            "match": {"path": path},
            "route": {
                "cluster": clusters.ADMIN,
                "regex_rewrite": {"pattern": {"regex": ".*"}, "substitution": inner},
            },
        }
        for path, inner in paths.items()
    ]
    manager = {
        "@type": _MANAGER,
        "stat_prefix": METRICS,
        "codec_type": "HTTP1",
        "http_protocol_options": {"accept_http_10": True},  # the probe of containers speaks it
        "http_filters": [filters.router()],
        "route_config": {
            "virtual_hosts": [{"name": METRICS, "domains": ["*"], "routes": shown}],
        },
    }
    return _listener(METRICS, settings.metrics_listen, "metrics_listen", {"filters": [_network(manager)]})


def _listener(name: str, listen: str, setting: str, chain: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": name,
        "address": clusters.socket(*address(listen, setting)),
        "per_connection_buffer_limit_bytes": 1 << 20,
        # A metrics scrape must come through when callers have used up all connections.
        "ignore_global_conn_limit": name == METRICS,
        "filter_chains": [chain],
    }


def _network(manager: dict[str, Any]) -> dict[str, Any]:
    return {"name": "envoy.filters.network.http_connection_manager", "typed_config": manager}
