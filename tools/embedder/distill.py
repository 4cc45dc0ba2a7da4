"""A vector for each word piece, so that their mean over a text points where the teacher points."""

import jax
import jax.numpy as jnp
import numpy as np

# Pieces of a text that are learnt from. Descriptions are shorter.
LONGEST = 48
BATCH = 1024
# Texts that are not learnt from, to see whether what is learnt holds elsewhere.
HELD_OUT = 2000
# Common words say little: the smaller, the less they weigh at the beginning.
RARE = 1e-4


def reduce(vectors, dimension):
    """The directions in which the teacher's vectors differ most."""
    values, directions = np.linalg.eigh(np.cov(vectors.T))
    kept = values[::-1][:dimension].sum() / values.sum()
    print(f"{dimension} of {vectors.shape[1]} dimensions keep {kept:.1%} of the variance")
    return directions[:, ::-1][:, :dimension].astype(np.float32)


def beginning(words, directions):
    """What the teacher says of each piece alone, reduced and weighed by how rare it is. The vocabulary is
    in the order of frequency, more or less."""
    share = 1 / np.arange(2, len(words) + 2)
    rare = RARE / (RARE + share / share.sum())
    return ((words - words.mean(0)) @ directions) * rare[:, None]


def train(table, ids, targets, epochs, seed=0):
    """Gradient descent (Adam) on the angle between the mean of a text's pieces and its target."""
    random = np.random.default_rng(seed)
    pieces = padded(ids)
    targets = unit(targets)
    order = random.permutation(len(pieces))
    held_out = min(HELD_OUT, len(pieces) // 10)
    held, learnt = order[:held_out], order[held_out:]
    batch = min(BATCH, len(learnt))
    table = jnp.asarray(table, jnp.float32)
    first, second, step = jnp.zeros_like(table), jnp.zeros_like(table), 0
    print(f"before: {1 - loss(table, pieces[held], targets[held]):.4f} cosine on held-out texts")
    for epoch in range(epochs):
        rate = 0.004 * (1 - epoch / epochs) + 0.0002
        shuffled = random.permutation(learnt)
        for start in range(0, len(shuffled) - batch + 1, batch):
            some = shuffled[start : start + batch]
            step += 1
            table, first, second = adam(table, first, second, step, pieces[some], targets[some], rate)
        print(f"epoch {epoch + 1}: {1 - loss(table, pieces[held], targets[held]):.4f}", flush=True)
    return np.array(table)


def padded(ids):
    pieces = np.full((len(ids), LONGEST), -1, np.int32)
    for row, one in zip(pieces, ids):
        row[: min(len(one), LONGEST)] = one[:LONGEST]
    return pieces


def unit(x):
    return x / np.maximum(np.linalg.norm(x, axis=-1, keepdims=True), 1e-6)


@jax.jit
def loss(table, pieces, targets):
    there = (pieces >= 0)[..., None]
    total = (table[pieces] * there).sum(1)
    made = total / jnp.maximum(jnp.linalg.norm(total, axis=-1, keepdims=True), 1e-6)
    return (1 - (made * targets).sum(-1)).mean()


@jax.jit
def adam(table, first, second, step, pieces, targets, rate):
    slope = jax.grad(loss)(table, pieces, targets)
    first = 0.9 * first + 0.1 * slope
    second = 0.999 * second + 0.001 * slope * slope
    change = first / (1 - 0.9**step) / (jnp.sqrt(second / (1 - 0.999**step)) + 1e-8)
    return table - rate * change, first, second
