"""Gauges that only some processes know: the others export none, so that their silence is not read as zero."""

import prometheus_client

from services.runtime import metrics


def test_a_gauge_is_exported_once_its_value_is_known() -> None:
    """Before the first value there is a name and no sample; afterwards the value, also when it is 0."""
    registry = prometheus_client.CollectorRegistry()
    gauge = metrics.KnownGauge("chips_off", "Chips by which something is off.", registry=registry)
    assert [family.name for family in registry.collect()] == ["chips_off"]
    assert registry.get_sample_value("chips_off") is None
    gauge.set(0)
    assert registry.get_sample_value("chips_off") == 0


def test_the_ledger_s_balance_is_such_a_gauge() -> None:
    """Only settlement checks the ledger: elsewhere an imbalance of zero would be unchecked."""
    assert isinstance(metrics.LEDGER_IMBALANCE, metrics.KnownGauge)
    assert isinstance(metrics.LEDGER_CHECKED, metrics.KnownGauge)
