"""How a suite that judges one task of another one is named."""


def task_name(suite: str, task: str) -> str:
    """The name of the suite that judges one task of another one."""
    return f"{suite}/{task}"


def is_of(name: str, suite: str) -> bool:
    """Whether a suite's name is this one, or that of one of its tasks."""
    return name == suite or name.startswith(task_name(suite, ""))
