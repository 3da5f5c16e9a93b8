"""A question to its answer."""

from gate.pass_at_k.calculator import Projection, Table, make_table, project
from gate.pass_at_k.curve import Curve, draw_curve
from gate.pass_at_k.plan import Plan, make_plan
from gate.pass_at_k.question import Mode, Question

Answer = Table | Projection | Curve | Plan


def answer(question: Question) -> Answer:
    """What is asked for.

    Raises:
        GateError: where the question cannot be meant, or its file cannot be read.
    """
    question.require_sound()
    match question.mode:
        case Mode.TABLE:
            return make_table(question)
        case Mode.PROJECTION:
            return project(question)
        case Mode.CURVE:
            return draw_curve(question)
        case Mode.PLAN:
            return make_plan(question)
