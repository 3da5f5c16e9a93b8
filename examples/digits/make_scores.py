"""Write the two score files of this example: per-item results of two classifiers on the digits in scikit-learn.

    python -m pip install scikit-learn
    python examples/digits/make_scores.py

The data set, the split (first half to learn, second half to be asked, as in scikit-learn's own example) and both
classifiers are scikit-learn's, with its default settings; nothing is drawn at random.
"""

import csv
import sys
from pathlib import Path

from sklearn.base import ClassifierMixin
from sklearn.datasets import load_digits
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

CLASSIFIERS: dict[str, ClassifierMixin] = {
    "neighbours.csv": KNeighborsClassifier(),
    "naive_bayes.csv": GaussianNB(),
}


def main(folder: Path) -> None:
    """Train on the first half of the digits, and write one row for each digit of the second half."""
    digits = load_digits()
    half = len(digits.target) // 2
    for name, classifier in CLASSIFIERS.items():
        classifier.fit(digits.data[:half], digits.target[:half])
        said = classifier.predict(digits.data[half:])
        with (folder / name).open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["id", "score", "target"])
            for index, (answer, target) in enumerate(zip(said, digits.target[half:], strict=True), start=half):
                writer.writerow([f"digit-{index:04d}", int(answer == target), int(target)])


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
