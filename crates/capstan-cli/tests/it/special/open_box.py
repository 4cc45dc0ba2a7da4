"""Opens sealed boxes with libsodium: a private key and a box in Base64 on each line, the text on each line."""

import base64
import json
import sys

from nacl.public import PrivateKey, SealedBox

for line in sys.stdin:
    question = json.loads(line)
    key = PrivateKey(base64.b64decode(question["private_key"]))
    box = base64.b64decode(question["box"])
    print(json.dumps(SealedBox(key).decrypt(box).decode()))
