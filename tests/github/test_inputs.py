"""Inputs: what GitHub passes becomes the request that the same flags would make, or an error that names the input."""

import shlex
from pathlib import Path

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.cli import cli
from gate.entry import ReportTarget, Request
from gate.errors import UsageError
from gate.github.inputs import INPUTS, Inputs, build_request
from gate.results import FailOn
from gate.scores import FORMATS

ALL = {
    "INPUT_BASELINE": "a.csv",
    "INPUT_CANDIDATE": "b.csv",
    "INPUT_THRESHOLD": "0.70",
    "INPUT_CONFIG": "gate.yml",
    "INPUT_PROPOSED-CONFIG": "pr/gate.yml",
    "INPUT_METRIC": "acc",
    "INPUT_REDUCE": "pass@1\npass@5",
    "INPUT_FORMAT": "csv",
    "INPUT_CORPUS": "corpus",
    "INPUT_SCAN": "scan.json",
    "INPUT_HISTORY": "history.jsonl",
    "INPUT_SELECT": "strict",
    "INPUT_FAIL-ON": "warn",
    "INPUT_COMMENT": "failures",
    "INPUT_COMMENT-KEY": "leg",
    "INPUT_GITHUB-TOKEN": "secret",
    "INPUT_REPORT-DIR": "out",
    "INPUT_WORKING-DIRECTORY": "evals",
}


def request(**inputs: str) -> Request:
    environ = {f"INPUT_{name.upper()}": text for name, text in {"candidate": "b.csv", **inputs}.items()}
    return build_request(Inputs.read(environ), ())


def test_all_inputs_are_read() -> None:
    inputs = Inputs.read(ALL)
    assert set(inputs.given) == set(INPUTS)
    assert inputs.strangers == ()


def test_an_input_means_what_its_flag_means() -> None:
    target = ReportTarget("json", "out/report.json")
    assert build_request(Inputs.read(ALL), (target,)) == Request(
        config="gate.yml",
        proposed_config="pr/gate.yml",
        baseline="a.csv",
        candidate="b.csv",
        threshold=0.7,
        corpus=("corpus",),
        scan="scan.json",
        history="history.jsonl",
        metrics=("acc",),
        reduce=("pass@1", "pass@5"),
        format="csv",
        select="strict",
        fail_on=FailOn.WARN,
        targets=(target,),
        command="cd -- evals && gate check --baseline=a.csv --candidate=b.csv --threshold=0.70 --config=gate.yml "
        "--proposed-config=pr/gate.yml --metric=acc --reduce=pass@1 --reduce=pass@5 --format=csv --select=strict "
        "--corpus=corpus --scan=scan.json --history=history.jsonl --fail-on=warn",
    )


def test_every_input_but_the_folders_and_the_comment_s_is_a_flag_of_the_command_line() -> None:
    flags = {name.removeprefix("--") for option in cli.commands["check"].params for name in option.opts}
    assert set(INPUTS) - flags == {"report-dir", "working-directory", "comment", "comment-key", "github-token"}


def test_the_command_is_one_that_the_command_line_takes() -> None:
    line = request(baseline="-a b.csv", threshold="-1", metric="m 1\n-m", **{"fail-on": "NEVER"}).command
    command = cli.commands["check"]
    # with the group's settings, since a command remembers by what names it was first asked for help
    context = command.make_context("check", shlex.split(line)[2:], parent=click.Context(cli, **cli.context_settings))
    assert isinstance(command, click.Command)
    assert context.params["baseline"] == "-a b.csv"
    assert context.params["threshold"] == -1
    assert context.params["metrics"] == ("m 1", "-m")
    assert context.params["fail_on"] is FailOn.NEVER


@pytest.mark.parametrize("variable", ["INPUT_FAIL-ON", "INPUT_FAIL_ON"])
def test_both_spellings_of_a_name_are_read(variable: str) -> None:
    assert Inputs.read({variable: "warn"}).given == {"fail-on": "warn"}


@pytest.mark.parametrize("other", ["warn", " warn\n", "", "  "])
def test_both_spellings_may_stand_there_where_they_agree(other: str) -> None:
    assert Inputs.read({"INPUT_FAIL-ON": "warn", "INPUT_FAIL_ON": other}).given == {"fail-on": "warn"}


def test_both_spellings_with_different_values_are_an_error() -> None:
    with pytest.raises(UsageError, match="the input 'fail-on' is given twice: 'warn' and 'never'"):
        Inputs.read({"INPUT_FAIL-ON": "warn", "INPUT_FAIL_ON": "never"})


@pytest.mark.parametrize("blank", ["", " ", "\n", " \t\r\n "])
def test_a_blank_input_is_one_that_is_not_given(blank: str) -> None:
    environ = dict.fromkeys(ALL, blank) | {"INPUT_CANDIDATE": "b.csv", "INPUT_OTHER": blank}
    inputs = Inputs.read(environ)
    assert build_request(inputs, ()) == Request(candidate="b.csv", command="gate check --candidate=b.csv")
    assert inputs.strangers == ()


def test_spaces_around_a_value_are_not_part_of_it() -> None:
    assert request(candidate="  my scores.csv \n", threshold="\t0.5 ").candidate == "my scores.csv"
    assert request(threshold="\t0.5 ").threshold == 0.5


@pytest.mark.parametrize("name", ["metric", "reduce", "corpus"])
def test_a_list_has_a_value_on_each_line(name: str) -> None:
    assert Inputs.read({f"INPUT_{name.upper()}": "a b\r\n\n  c,d \n"}).lines(name) == ("a b", "c,d")


@pytest.mark.parametrize("name", sorted(set(INPUTS) - {"metric", "reduce", "corpus"}))
def test_an_input_of_one_value_refuses_several_lines(name: str) -> None:
    environ = {f"INPUT_{name.upper()}": "1\n2"}
    with pytest.raises(UsageError, match=f"the input '{name}' has several lines") as caught:
        Inputs.read(environ).text(name)
    assert caught.value.remedy == "give one value, on one line"


@pytest.mark.parametrize(("text", "value"), [("0.70", 0.7), ("70", 70.0), ("-1", -1.0), (".5", 0.5), ("1e-3", 0.001)])
def test_a_threshold_is_a_number(text: str, value: float) -> None:
    assert request(threshold=text).threshold == value


@pytest.mark.parametrize("text", ["0,70", "70%", "seventy", "nan", "inf", "-inf", "1e999", "0.7 0.8", "${{ x }}"])
def test_a_threshold_that_is_no_number_is_an_error_that_shows_one(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        request(threshold=text)
    assert caught.value.what == f"the input 'threshold' is not a number: {text!r}"
    assert caught.value.remedy == "write a number with a decimal point, in the unit of the scores: 0.70"


@pytest.mark.parametrize("text", ["warn", "Warn", "WARN"])
def test_fail_on_may_be_written_in_any_case(text: str) -> None:
    assert request(**{"fail-on": text}).fail_on is FailOn.WARN


@pytest.mark.parametrize(
    ("name", "text", "options"),
    [
        ("fail-on", "error", "block, warn, never"),
        ("fail-on", "true", "block, warn, never"),
        ("format", "xlsx", ", ".join(FORMATS)),
        ("format", "CSV", ", ".join(FORMATS)),
    ],
)
def test_a_word_that_is_no_choice_is_an_error_that_lists_them(name: str, text: str, options: str) -> None:
    with pytest.raises(UsageError) as caught:
        request(**{name: text})
    assert (caught.value.what, caught.value.remedy) == (
        f"the input {name!r} cannot be {text!r}",
        f"write one of {options}",
    )


@pytest.mark.parametrize("given", [{}, {"INPUT_BASELINE": "a.csv"}, {"INPUT_CANDIDATE": " ", "INPUT_THRESHOLD": "1"}])
def test_nothing_to_judge_is_an_error_in_the_words_of_a_workflow(given: dict[str, str]) -> None:
    with pytest.raises(UsageError, match="there is nothing to judge: neither the input 'candidate' nor") as caught:
        build_request(Inputs.read(given), ())
    assert "under `with:`" in caught.value.remedy


def test_a_configuration_alone_is_enough_to_judge() -> None:
    assert build_request(Inputs.read({"INPUT_CONFIG": "gate.yml"}), ()).config == "gate.yml"


@pytest.mark.parametrize(
    ("slip", "meant"),
    [
        ("TRESHOLD", "threshold"),
        ("METRICS", "metric"),
        ("FAILON", "fail-on"),
        ("BASE_LINE", "baseline"),
        ("CONF", "config"),
        ("WORKINGDIRECTORY", "working-directory"),
        ("REPORT-DIRECTORY", "report-dir"),
    ],
)
def test_a_slip_of_the_pen_is_an_error_lest_a_bar_go_unread(slip: str, meant: str) -> None:
    environ = {"INPUT_CANDIDATE": "b.csv", f"INPUT_{slip}": "0.7"}
    with pytest.raises(UsageError, match="there is no input ") as caught:
        build_request(Inputs.read(environ), ())
    assert caught.value.remedy == f"did you mean {meant!r}?"


@pytest.mark.parametrize("name", ["PYTHON-VERSION", "REPOSITORY", "TOKEN", "METHOD", "PATH", "REF", "FETCH-DEPTH", ""])
def test_an_input_of_another_action_is_a_stranger_and_no_error(name: str) -> None:
    inputs = Inputs.read({"INPUT_CANDIDATE": "b.csv", f"INPUT_{name}": "x"})
    assert inputs.strangers == (name.lower(),)
    assert build_request(inputs, ()).candidate == "b.csv"


def test_variables_that_are_no_inputs_are_not_looked_at(tmp_path: Path) -> None:
    assert Inputs.read({"CANDIDATE": "x", "input_candidate": "y", "HOME": str(tmp_path)}) == Inputs({}, ())


@given(texts=st.dictionaries(st.sampled_from(sorted(ALL)), st.text(st.characters(exclude_characters="\0"))))
def test_whatever_the_inputs_say_there_is_a_request_or_an_error_with_a_remedy(texts: dict[str, str]) -> None:
    try:
        told = build_request(Inputs.read(texts), ()).command
    except UsageError as error:
        told = error.what and error.remedy
    assert told
