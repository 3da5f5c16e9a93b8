"""What gate.yml and the command line say, and cannot be meant."""

from collections.abc import Mapping

from tests.fail_closed.case import CONFIG, PAIR, Case, Content, error, suite


def checks(line: str) -> Mapping[str, Content]:
    return suite(f"    checks:\n      {line}\n")


def waiver(line: str) -> Mapping[str, Content]:
    return suite(tail=f"waivers:\n  - {line}\n")


CASES = (
    Case(
        "A key is not known",
        suite("    chekcs: {}\n"),
        error("config", "gate.yml, line 6, suites[0].chekcs", "unknown key 'chekcs'", "did you mean 'checks'?"),
        CONFIG,
    ),
    Case(
        "A key stands twice",
        suite("    candidate: other.csv\n"),
        error(
            "config",
            "gate.yml, line 5, suites[0].candidate",
            "the key 'candidate' stands here twice",
            "keep one of them",
        ),
        CONFIG,
    ),
    Case(
        "A check is not known",
        checks("regresion: {}"),
        error(
            "config",
            "gate.yml, line 7, suites[0].checks.regresion",
            "unknown key 'regresion'",
            "did you mean 'regression'?",
        ),
        CONFIG,
    ),
    Case(
        "A suite has the name of another",
        {
            "gate.yml": b"version: 1\nsuites:\n"
            + b"  - {name: a, baseline: baseline.csv, candidate: candidate.csv}\n" * 2
        },
        error("config", "gate.yml, line 2, suites", "suites 1 and 2 share the name 'a'", "`suites`: What to judge"),
        CONFIG,
    ),
    Case(
        "A bar is NaN",
        checks("threshold: {bar: .nan}"),
        error(
            "config",
            "gate.yml, line 7, suites[0].checks.threshold.bar",
            "nan is not a finite number",
            "`gate explain threshold` lists the options of this check",
        ),
        CONFIG,
    ),
    Case(
        "A bar is infinite",
        checks("threshold: {bar: -.inf}"),
        error(
            "config",
            "gate.yml, line 7, suites[0].checks.threshold.bar",
            "-inf is not a finite number",
            "`gate explain threshold` lists the options of this check",
        ),
        CONFIG,
    ),
    Case(
        "A bar is a boolean",
        checks("threshold: {bar: false}"),
        error(
            "config",
            "gate.yml, line 7, suites[0].checks.threshold.bar",
            "false stands where a text or a number is expected",
            "put it in quotes if it is a text; true and false only switch a check,",
        ),
        CONFIG,
    ),
    Case(
        "A bar is a word",
        checks("threshold: {bar: high}"),
        error(
            "config",
            "gate.yml, line 7, suites[0].checks.threshold.bar",
            "'high' is not a number",
            "`gate explain threshold` lists the options of this check",
        ),
        CONFIG,
    ),
    Case(
        "A margin is negative",
        checks("regression: {margin: -0.1}"),
        error(
            "config",
            "gate.yml, line 7, suites[0].checks.regression.margin",
            "-0.1 is not a number over 0.0",
            "`gate explain regression` lists the options of this check",
        ),
        CONFIG,
    ),
    Case(
        "A margin is as wide as the scale",
        checks("regression: {margin: 1.0}"),
        error(
            "config",
            "regression, metric 'score'",
            "the margin 1.00 is as wide as the whole scale 0 to 1: no drop could",
            "give the margin in the unit of the scores: 0.05 for 5 points on a scale",
        ),
        CONFIG,
    ),
    Case(
        "A bar is under the scale: nothing could miss it",
        suite("    scale: [0, 1]\n    checks:\n      threshold: {bar: -5}\n"),
        error(
            "config",
            "threshold, metric 'score'",
            "the bar -5.00 lies outside the scale 0 to 1",
            "give the bar in the unit of the scores",
        ),
        CONFIG,
    ),
    Case(
        "A level of significance is 0: nothing could ever be shown",
        checks("regression: {alpha: 0}"),
        error(
            "config",
            "gate.yml, line 7, suites[0].checks.regression.alpha",
            "unknown key 'alpha'",
            "the keys here are margin, cannot_tell",
        ),
        CONFIG,
    ),
    Case(
        "Every check is switched off",
        checks("regression: off\n      drift: off"),
        error(
            "config",
            "gate.yml, line 3, suites[0]",
            "there is nothing to judge by: no bar, no corpus, and no baseline with",
            "give --baseline FILE or --threshold BAR; in gate.yml, `baseline` or",
        ),
        CONFIG,
    ),
    Case(
        "A scale is upside down",
        suite("    scale: [1, 0]\n"),
        error(
            "config",
            "gate.yml, line 6, suites[0].scale",
            "the first number must be lower than the second",
            "`scale`: Lowest and highest possible score, for all metrics",
        ),
        CONFIG,
    ),
    Case(
        "A waiver has no end",
        waiver("{check: drift, reason: later, approved_by: me}"),
        error(
            "config", "gate.yml, line 7, waivers[0].expires", "the key 'expires' is missing", "add it: `expires: ...`"
        ),
        CONFIG,
    ),
    Case(
        "A waiver has no reason",
        waiver("{check: drift, reason: '-', approved_by: me, expires: 2030-01-01}"),
        error(
            "config",
            "gate.yml, line 7, waivers[0].reason",
            "there is no word in this text",
            "`reason`: Why it may fail, for the reports",
        ),
        CONFIG,
    ),
    Case(
        "A waiver is of a suite that is not there",
        waiver("{check: drift, suite: b, reason: later, approved_by: me, expires: 2030-01-01}"),
        error(
            "config", "gate.yml, line 7, waivers[0].suite", "there is no suite 'b'", "name one that there is: answers"
        ),
        CONFIG,
    ),
    Case(
        "A waiver's last day is none",
        waiver("{check: drift, reason: later, approved_by: me, expires: 2030-02-30}"),
        error(
            "config",
            "gate.yml, line 7, waivers[0].expires",
            "'2030-02-30' is no day of the form YYYY-MM-DD",
            "`expires`: The last day on which the waiver holds, as YYYY-MM-DD, by UTC",
        ),
        CONFIG,
    ),
    Case(
        "A flag is empty, as where a variable is not set",
        {},
        error("usage", "", "--candidate is empty", "give it a value, or leave it out: is a variable not set?"),
        (*PAIR[:3], ""),
    ),
    Case(
        "A flag is not known",
        {},
        error(
            "usage",
            "",
            "No such option",
            "`gate check --help` tells what it takes",
        ),
        (*PAIR, "--treshold", "0.7"),
    ),
    Case(
        "A bar on the command line is NaN",
        {},
        error(
            "config",
            "--threshold",
            "nan is not a finite number",
            "`gate explain threshold` lists the options of this check",
        ),
        (*PAIR, "--threshold", "nan"),
    ),
    Case(
        "Nothing to judge by: no baseline and no bar",
        {},
        error(
            "config",
            "the command line",
            "there is nothing to judge by: no bar, no corpus, and no baseline with",
            "give --baseline FILE or --threshold BAR; in gate.yml, `baseline` or",
        ),
        PAIR[2:],
    ),
    Case(
        "SOURCE_DATE_EPOCH is no time",
        {},
        error(
            "usage",
            "",
            "SOURCE_DATE_EPOCH is no time: 'tomorrow'",
            "set it to whole seconds since 1970, e.g. $(date +%s), or unset it",
        ),
        environ={"SOURCE_DATE_EPOCH": "tomorrow"},
    ),
)
