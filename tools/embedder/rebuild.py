"""Makes the static model anew from its teacher, and says how it compares with the committed one.

    python rebuild.py --out /tmp/model [--most 2000] [--epochs 12] [--cards ../../cards] [--texts FILE]
"""

import argparse
import time
from pathlib import Path

import check
import corpus
import distill
import numpy as np
import store
from teacher import Teacher


def main():
    options = read_options()
    texts = gather(options)
    teacher = Teacher()
    ids = teacher.ids(texts)
    targets = taught(teacher, ids, "texts", options.out)
    words = taught(teacher, [[word] for word in range(teacher.tokenizer.get_vocab_size())], "pieces", options.out)
    directions = distill.reduce(targets, options.dimension)
    table = distill.beginning(words, directions)
    table = distill.train(table, ids, targets @ directions, options.epochs)
    table[sorted(teacher.specials)] = 0  # they mean nothing
    store.write(options.out, table, teacher.tokenizer)
    print(f"written to {options.out}")
    check.compare(options.out, options.committed, teacher)


def read_options():
    here = Path(__file__).resolve().parent
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, help="folder to write the model to")
    parser.add_argument("--most", type=int, help="learn from so many texts only, chosen at random")
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--dimension", type=int, default=256)
    parser.add_argument("--cards", type=Path, help="learn from the descriptions and intents of cards too")
    parser.add_argument("--texts", type=Path, help="learn from the lines of a file too")
    parser.add_argument("--committed", type=Path, default=here.parent.parent / "model")
    return parser.parse_args()


def gather(options):
    texts = corpus.debian()
    if options.most and options.most < len(texts):
        chosen = np.random.default_rng(0).choice(len(texts), options.most, replace=False)
        texts = [texts[i] for i in sorted(chosen)]
    print(f"{len(texts)} descriptions of packages")
    if options.cards:
        texts += corpus.cards(options.cards)
    if options.texts:
        texts += corpus.lines(options.texts)
    texts = sorted(set(texts))
    print(f"{len(texts)} texts")
    return texts


def taught(teacher, ids, what, folder):
    """The teacher's vectors. They take most of the time, so they are kept beside the model."""
    folder.mkdir(parents=True, exist_ok=True)
    kept = folder / f"teacher-{what}.npz"
    lengths = np.array([len(one) for one in ids])
    flat = np.concatenate(ids)
    if kept.exists():
        before = np.load(kept)
        if np.array_equal(before["flat"], flat) and np.array_equal(before["lengths"], lengths):
            return before["vectors"].astype(np.float32)
    start = time.monotonic()
    tell = lambda done: done % 6400 == 0 and print(f"{what}: {done} of {len(ids)}", flush=True)
    vectors = teacher.vectors(ids, tell)
    print(f"{what}: all {len(ids)} in {time.monotonic() - start:.0f} s")
    np.savez(kept, flat=flat, lengths=lengths, vectors=vectors.astype(np.float16))
    return vectors


if __name__ == "__main__":
    main()
