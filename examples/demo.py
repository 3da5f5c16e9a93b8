"""What `make demo` shows: two runs that must be blocked, and why. Exits 0 where the gate did block both."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
BLOCKED = 1
DEMOS = {
    "The worked example: run B has a mean over the bar, and must not ship": "examples/worked-example/gate.yml",
    "A real pair: naive Bayes in place of nearest neighbours": "examples/digits/gate.yml",
}


def main() -> int:
    """Run the gate on both examples."""
    codes = []
    for title, config in DEMOS.items():
        print(f"\n### {title}\n$ gate check --config {config}\n", flush=True)
        command = [sys.executable, "-m", "gate", "check", "--config", config]
        codes.append(subprocess.run(command, cwd=ROOT, check=False).returncode)
        print(f"\nexit code {codes[-1]}", flush=True)
    as_expected = all(code == BLOCKED for code in codes)
    print("\nBoth were blocked, as they should be." if as_expected else "\nThis is not what the examples promise.")
    return 0 if as_expected else 1


if __name__ == "__main__":
    sys.exit(main())
