"""The words that checks, the verdict and the reports share: statuses, results, the report itself."""

from gate.results.check import CheckResult
from gate.results.config_change import ConfigChange, Effect
from gate.results.items import ItemTable, MetricColumn
from gate.results.report import (
    SCHEMA_VERSION,
    ErrorRates,
    Fault,
    Origin,
    Provenance,
    Reason,
    Report,
    RunReport,
    SuiteReport,
    Verdict,
)
from gate.results.waiver import Waiver, WaiverReport, WaiverState
from gate.results.words import GLOSSARY, REPOSITORY, FailOn, Figure, ShowText, Status, Word

__all__ = [
    "GLOSSARY",
    "REPOSITORY",
    "SCHEMA_VERSION",
    "CheckResult",
    "ConfigChange",
    "Effect",
    "ErrorRates",
    "FailOn",
    "Fault",
    "Figure",
    "ItemTable",
    "MetricColumn",
    "Origin",
    "Provenance",
    "Reason",
    "Report",
    "RunReport",
    "ShowText",
    "Status",
    "SuiteReport",
    "Verdict",
    "Waiver",
    "WaiverReport",
    "WaiverState",
    "Word",
]
