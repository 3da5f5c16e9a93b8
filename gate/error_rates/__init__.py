"""How often a configuration errs on runs like these: where nothing changed, and where a stated drop is real."""

from gate.error_rates.battles import Contest
from gate.error_rates.rates import MetricRates, measure_metric, tell_rates

__all__ = ["Contest", "MetricRates", "measure_metric", "tell_rates"]
