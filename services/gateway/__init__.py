"""The gateway: Envoy with a configuration made of settings, one address for all services and for browsers."""
