"""The three files of a model, in the form of model2vec."""

import json

import numpy as np
from safetensors.numpy import load_file, save_file


def write(folder, table, tokenizer):
    """Rounds each row to eight bits, with a scale of its own."""
    scales = np.abs(table).max(1) / 127
    rows = np.rint(table / np.where(scales > 0, scales, 1)[:, None]).astype(np.int8)
    folder.mkdir(parents=True, exist_ok=True)
    save_file({"embeddings": rows, "weights": scales.astype(np.float32)}, folder / "model.safetensors")
    tokenizer.save(str(folder / "tokenizer.json"))
    config = {
        "model_type": "model2vec",
        "normalize": True,
        "hidden_dim": table.shape[1],
        "source": "distilled from sentence-transformers/all-MiniLM-L6-v2 (Apache-2.0)",
        "embedding_dtype": "int8",
    }
    (folder / "config.json").write_text(json.dumps(config) + "\n")


def read(folder):
    file = load_file(folder / "model.safetensors")
    return file["embeddings"].astype(np.float32) * file["weights"][:, None]
