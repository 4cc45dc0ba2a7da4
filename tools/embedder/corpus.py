"""The texts that are learnt from: one line says what one thing does."""

import re
import subprocess

import yaml

# Lines that say what a package is to other packages, not what it does.
EMPTY = re.compile(r"\b(debug symbols|transitional|dummy package|documentation for)\b", re.IGNORECASE)
LINE = re.compile(r"^Description(?:-en)?: (.+)$", re.MULTILINE)


def debian():
    """The one-line descriptions of all packages that apt knows."""
    dump = subprocess.run(["apt-cache", "dumpavail"], capture_output=True, text=True, check=True).stdout
    lines = {line.strip() for line in LINE.findall(dump)}
    return sorted(line for line in lines if not EMPTY.search(line))


def cards(folder):
    """Descriptions of cards, and how people ask for them."""
    texts = set()
    for path in sorted(folder.glob("**/*.yaml")):
        card = yaml.safe_load(path.read_text())
        texts.update([card.get("description", ""), *card.get("intents", [])])
    return sorted(texts - {""})


def lines(path):
    """A text in each line of a file."""
    return sorted({line.strip() for line in path.read_text().splitlines()} - {""})
