"""Says how near two static models are to each other, and each to the teacher.

    python check.py /tmp/model [../../model]

Vectors of two models cannot be compared: each has its own directions. What can be compared is which of a
list of sentences each finds alike.
"""

import sys
from pathlib import Path

import distill
import numpy as np
import store
from teacher import Teacher

SENTENCES = Path(__file__).resolve().parent / "sentences.txt"


def compare(made, committed, teacher):
    texts = SENTENCES.read_text().splitlines()
    ids = teacher.ids(texts)
    alike = {"teacher": likeness(teacher.vectors(ids))}
    for name, folder in [("new", made), ("committed", committed)]:
        table = store.read(folder)
        rows = [table[[i for i in one if i not in teacher.specials]].mean(0) for one in ids]
        alike[name] = likeness(np.array(rows))
    for one, other in [("new", "committed"), ("new", "teacher"), ("committed", "teacher")]:
        correlation = np.corrcoef(alike[one], alike[other])[0, 1]
        print(f"{one} and {other}: correlation of {len(texts)} sentences' cosines {correlation:.3f}")
    return alike


def likeness(vectors):
    """The cosine of each two."""
    vectors = distill.unit(vectors)
    return (vectors @ vectors.T)[np.triu_indices(len(vectors), 1)]


if __name__ == "__main__":
    here = Path(__file__).resolve().parent
    folders = [Path(folder) for folder in sys.argv[1:]]
    if not 1 <= len(folders) <= 2:
        sys.exit(__doc__)
    compare(folders[0], folders[1] if len(folders) > 1 else here.parent.parent / "model", Teacher())
