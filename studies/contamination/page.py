"""docs/contamination.md: the tables, and what they mean for the options of the check."""

import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from studies.contamination.leaks import WORDS_AN_EDIT
from studies.contamination.questions import BENCHMARKS
from studies.contamination.study import BARS, RULES, SEED, SIZES, Length, Mistaken, Planted, Results, Unrelated

_WIDTH = 120


class Made(NamedTuple):
    """What the study was made with.

    Attributes:
        packages: the corpus's packages with their versions; empty where a folder was named instead.
        tools: what ran, with its version.
    """

    packages: Mapping[str, str]
    tools: Mapping[str, str]


def write_page(results: Results, made: Made) -> str:
    """The whole page."""
    packages = f"Debian's packages {_versions(made.packages)}" if made.packages else "a folder of text"
    page = _PAGE.format(
        short=_in_short(results),
        unrelated=_unrelated_table(results.unrelated),
        mistaken="\n".join(_mistaken_line(n, found) for n, found in results.mistaken.items()),
        planted=_planted_table(results.planted),
        lengths=_lengths_table(results.lengths),
        left="; ".join(f"{100 * (1 - n / WORDS_AN_EDIT):.0f} % at n = {n}" for n in SIZES),
        items=results.items,
        leaks=results.leaks,
        others=results.items - results.leaks,
        documents=results.documents,
        edit=WORDS_AN_EDIT,
        first=SIZES[0],
        benchmarks=", ".join(f"{name} (`{path}`)" for name, path in BENCHMARKS.items()),
        packages=packages,
        tools=_versions(made.tools),
        seed=SEED,
        corpora=_corpora(results),
        error=f"{50 / results.leaks**0.5:.1f}",
    )
    return "\n\n".join(map(_wrapped, page.rstrip().split("\n\n"))) + "\n"


def percent(share: Fraction) -> str:
    """A share as it stands in a table."""
    return f"{float(100 * share):.1f}"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _in_short(results: Results) -> str:
    planted = results.planted
    default, lower = planted[SIZES[0], BARS[0], "best document"], planted[SIZES[0], BARS[1], "best document"]
    wider, pooled = planted[SIZES[1], BARS[1], "best document"], planted[SIZES[0], BARS[1], "pooled"]
    return _IN_SHORT.format(
        default_verbatim=percent(default.verbatim),
        default_false=percent(default.unrelated),
        default_edited=percent(default.edited),
        lower_edited=percent(lower.edited),
        leaked_share=f"{100 * results.leaks / results.items:.0f}",
        lower_siblings=percent(lower.siblings),
        lower_false=percent(lower.unrelated),
        pooled_false=percent(pooled.unrelated),
        pooled_edited=percent(pooled.edited),
        wider_edited=percent(wider.edited),
        wider_false=percent(wider.unrelated),
        short=", ".join(f"{percent(one.not_testable)} % at n = {one.size}" for one in _largest(results.unrelated)),
        growth="; ".join(
            f"n = {n}: " + " / ".join(f"{one.overlap:.3f}" for one in results.unrelated if one.size == n) for n in SIZES
        ),
        corpora=_corpora(results),
    )


def _corpora(results: Results) -> str:
    return " / ".join(str(one.megabytes) for one in results.unrelated if one.size == SIZES[0])


def _wrapped(block: str) -> str:
    """A paragraph or a list in lines of one width; a table as it is."""
    if block.startswith("|"):
        return block
    entries = (" ".join(entry.split()) for entry in re.split(r"\n(?=- )", block))
    return "\n".join(
        textwrap.fill(
            entry,
            _WIDTH,
            subsequent_indent="  " if entry.startswith("- ") else "",
            break_long_words=False,
            break_on_hyphens=False,
        )
        for entry in entries
    )


def _largest(unrelated: Sequence[Unrelated]) -> list[Unrelated]:
    most = max(one.megabytes for one in unrelated)
    return [one for one in unrelated if one.megabytes == most]


def _unrelated_table(unrelated: Sequence[Unrelated]) -> str:
    head = ("n", "corpus, MB", "not testable", "mean overlap", "mean of best document", "flagged", "confirmed", "whole")
    return table(
        head,
        (
            (
                str(one.size),
                str(one.megabytes),
                percent(one.not_testable),
                f"{one.overlap:.3f}",
                f"{one.best:.3f}",
                *map(percent, (one.flagged, one.confirmed, one.whole)),
            )
            for one in unrelated
        ),
    )


def _mistaken_line(n: int, found: Sequence[Mistaken]) -> str:
    told = ", ".join(f"{one.id} ({one.words} words{', all of them' if one.whole else ''})" for one in found)
    return f"- n = {n}: {told or 'none'}"


def _planted_table(planted: Mapping[tuple[int, float, str], Planted]) -> str:
    head = ("n", "bar", "judged by", "false: unrelated", "false: siblings", "found: verbatim", "found: edited")
    return table(head, ((str(n), f"{bar:g}", rule, *map(percent, one)) for (n, bar, rule), one in planted.items()))


def _lengths_table(lengths: Sequence[Length]) -> str:
    columns = [(rule, bar) for bar in BARS for rule in RULES]
    return table(
        ("words", "planted", *(f"{rule}, {bar:g}" for rule, bar in columns)),
        ((_span(one), str(one.planted), *(percent(one.edited[column]) for column in columns)) for one in lengths),
    )


def _span(one: Length) -> str:
    first, last = one.words
    return f"{first} or more" if last is None else f"{first} to {last}"


def _versions(versions: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {version}" for name, version in versions.items())


_IN_SHORT = """\
- **The defaults** (`ngram: 3`, `bar: 0.8`, `confirm: best_document`) confirm {default_false} % of questions that nobody
  planted, and find {default_verbatim} % of leaks that stand word for word. Of leaks with changed words they find
  {default_edited} % only: a PASS says that no question was copied, not that none was reworded.
- **To find edited leaks, lower the bar and keep `confirm: best_document`.** At `bar: 0.5` it finds {lower_edited} % of
  them and confirms {lower_false} % of unrelated questions; where {leaked_share} % of the questions had leaked,
  {lower_siblings} % of the others, since many share phrases with those. `confirm: pooled` finds
  {pooled_edited} % and takes {pooled_false} % of unrelated questions for leaks.
- **Where the corpus is large, ask for n-grams of five words too**: `ngram: [3, 5]` tells both, `[5, 3]` lets five
  decide. The mean overlap with unrelated text, at {corpora} MB, is {growth}. With five words and
  `bar: 0.5`, {wider_false} % of unrelated questions are confirmed, and {wider_edited} % of edited leaks found.
- **n-grams of eight words suit long questions only.** Of these questions, {short} have too few words to be tested. And
  a changed word breaks every n-gram that holds it, so longer ones miss more.
- **Look before you act on a short question.** The same few words in the same order may be a phrase that anyone would
  write; the report names the document and the words. `allow` takes such a phrase out."""

_PAGE = """\
# How often the contamination check errs

Any large corpus holds many of the short runs of words that a question is made of. This page measures on real text how
often the [contamination check](../README.md#contamination) takes that for a leak, and how many leaks it finds, for the
choice of `ngram`, `bar` and `confirm`.

## What it means for the options

{short}

## Unrelated text

{items} benchmark questions against documentation that has nothing to do with them, at `bar: 0.8`, in % of all
questions; the means are of those that are testable. *Flagged* is by the overlap with the corpus as a whole, *confirmed*
by that with one document; both take a question whose *whole* text stands in a document, which is looked for however
short it is.

{unrelated}

Confirmed in the largest corpus though nobody planted them:

{mistaken}

## Planted leaks

{leaks} of the questions, drawn at random, were put into documents of the largest corpus, a document each: once word for
word, once *edited*, with one word in {edit} replaced by another word of the questions, and at least one. In %:

- *false: unrelated*: of all {items} questions, those found while nothing was planted;
- *false: siblings*: of the {others} that were not planted, those found where the others were, word for word. Questions
  of one benchmark share phrases, so that a leak of some makes others look leaked;
- *found*: of the {leaks} that were planted. Whole texts count here too, so that no copy is missed.

*Pooled* is `confirm: pooled`, and what the report calls flagged; *best document* is `confirm: best_document`. *By
rarity* judges by the overlap in which rare n-grams weigh more; it stands in the report and decides nothing.

{planted}

A changed word breaks up to n n-grams. With one word in {edit} changed, a document that holds a long question has about
{left} of its n-grams left: under a bar of 0.8, whatever the n. Pooled finds more at that bar only because other
documents happen to hold some of the rest. Edited leaks by the length of the question, in % found, n = {first}:

{lengths}

## How it was made

`GATE_REAL_FILES=FOLDER make contamination-study` writes this page, on Debian 12, the same for the same seed ({seed})
and versions.

- Corpus: {packages}; the words of each page without markup, pages in random order up to {corpora} MB, each corpus the
  beginning of the next. The largest has {documents} pages.
- Questions: {benchmarks}, read by the gate's own readers. None of their text stands here: this page leaks nothing.
- Made with {tools}.

A share of {leaks} has a standard error of up to {error} points. Documentation is not the web, and training corpora are
larger: false flags grow with the corpus, so the shares here are a lower end. `python -m studies.contamination --corpus
FOLDER` measures the same on text of your own.
"""
