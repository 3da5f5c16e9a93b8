"""What the gate.yml in force, a commit's, takes from the working tree, in words."""

from gate.results import Report
from gate.wording import count

MOST_INPUTS = 5


def tell_working_tree(report: Report) -> str:
    """That some inputs are the working tree's, in a sentence without their names; empty where none is."""
    inputs = report.from_working_tree
    if not inputs:
        return ""
    told = count(len(inputs), "input that it names is", "inputs that it names are")
    return f"gate.yml is a commit's, yet {told} the working tree's, which a pull request may have changed"
