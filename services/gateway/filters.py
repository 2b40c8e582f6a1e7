"""What a call passes on its way: CORS, bounds, and the translations of gRPC-Web and JSON."""

import base64
import re
from typing import Any, Final

from pitboss.dealers import FAMILY_HEADER

from services.gateway import contract
from services.runtime.settings import Settings

_TYPES: Final = "type.googleapis.com/envoy.extensions.filters.http"
_ASKED: Final = (
    "authorization",
    "accept-language",
    "content-type",
    "x-grpc-web",
    "x-user-agent",
    "grpc-timeout",
    "connect-protocol-version",
    "connect-timeout-ms",
    FAMILY_HEADER,
)
"""Headers that a page may send."""
_SHOWN: Final = ("grpc-status", "grpc-message", "grpc-status-details-bin", "retry-after")
"""Headers that a page may read: a refusal's details are in them."""
PREFLIGHT_SECONDS: Final = 600
MOST_ADDRESSES: Final = 10_000
"""Addresses whose calls are counted at once; beyond it the one that called longest ago is forgotten."""
_QUOTA_KEY: Final = "remote_address"


def filters(settings: Settings) -> list[dict[str, Any]]:
    """Return the filters in their order.

    Envoy's bridge of the Connect protocol is left out: its own documentation calls it work in progress that no threat
    model covers. JSON is answered at Connect's paths all the same.
    """
    return [
        _filter("cors", "cors.v3.Cors"),
        _filter("local_ratelimit", "local_ratelimit.v3.LocalRateLimit", **_quota(settings.gateway_quota)),
        _filter("grpc_web", "grpc_web.v3.GrpcWeb"),
        _filter(
            "grpc_json_transcoder",
            "grpc_json_transcoder.v3.GrpcJsonTranscoder",
            proto_descriptor_bin=base64.b64encode(contract.descriptors()).decode(),
            services=contract.services(),
            convert_grpc_status=True,
            max_request_body_size=settings.gateway_request_bytes,
            print_options={
                "always_print_primitive_fields": True,
                "preserve_proto_field_names": True,
                "stream_newline_delimited": True,
            },
            request_validation_options={"reject_unknown_method": True, "reject_unknown_query_parameters": True},
        ),
        _filter("buffer", "buffer.v3.Buffer", max_request_bytes=settings.gateway_request_bytes),
        _filter(
            "grpc_stats",
            "grpc_stats.v3.FilterConfig",
            stats_for_all_methods=False,
            enable_upstream_stats=False,
        ),
        router(),
    ]


def unbuffered() -> dict[str, Any]:
    """Return the exception for methods whose requests are a stream: it never ends, so it cannot be read whole first."""
    return {"envoy.filters.http.buffer": {"@type": f"{_TYPES}.buffer.v3.BufferPerRoute", "disabled": True}}


def router() -> dict[str, Any]:
    """Return the filter that ends every chain: it sends a call on its route."""
    return _filter("router", "router.v3.Router", suppress_envoy_headers=True)


def cors(settings: Settings) -> dict[str, Any]:
    """Return which pages may call: those of the named origins, without cookies. Nobody else's preflight is answered."""
    return {
        "envoy.filters.http.cors": {
            "@type": f"{_TYPES}.cors.v3.CorsPolicy",
            "allow_origin_string_match": [_origin(origin) for origin in settings.gateway_origins],
            "allow_methods": "GET, POST, OPTIONS",
            "allow_headers": ", ".join(_ASKED),
            "expose_headers": ", ".join(_SHOWN),
            "max_age": str(PREFLIGHT_SECONDS),
            "allow_credentials": False,
            "forward_not_matching_preflights": False,
        }
    }


def _origin(origin: str) -> dict[str, Any]:
    if not origin.endswith(":*"):
        return {"exact": origin}
    return {"safe_regex": {"regex": re.escape(origin.removesuffix(":*")) + r"(:\d{1,5})?"}}


def _quota(quota: str) -> dict[str, Any]:
    """Return the bound on the calls of one address; each has a bucket of its own."""
    per_second, _, at_once = quota.partition("/")
    rate = float(per_second)
    whole = {"numerator": 100, "denominator": "HUNDRED"}
    # A bucket is filled by whole calls: slower rates than one a second by one call after a longer time.
    fill = {"tokens_per_fill": max(1, round(rate)), "fill_interval": "1s" if rate >= 1 else f"{1 / rate:.3f}s"}
    return {
        "stat_prefix": "calls",
        "filter_enabled": {"default_value": whole, "runtime_key": "pitboss.quota.enabled"},
        "filter_enforced": {"default_value": whole, "runtime_key": "pitboss.quota.enforced"},
        "rate_limits": [{"actions": [{"remote_address": {}}]}],
        "descriptors": [
            {"entries": [{"key": _QUOTA_KEY}], "token_bucket": {"max_tokens": int(at_once), **fill}},
        ],
        "max_dynamic_descriptors": MOST_ADDRESSES,
        "rate_limited_as_resource_exhausted": True,
    }


def _filter(name: str, kind: str, **options: Any) -> dict[str, Any]:
    return {"name": f"envoy.filters.http.{name}", "typed_config": {"@type": f"{_TYPES}.{kind}", **options}}
