"""A reader that answers with the text of every picture, and misbehaves as its first argument says."""
import json, os, socket, sys, time
mode, text = sys.argv[1], sys.argv[2]
out = os.fdopen(os.dup(1), "wb", buffering=0)
def say(message): out.write(json.dumps(message).encode() + b"\n")
def each(count): return reads % count == 0
if mode == "exits":
    print("no model", file=sys.stderr)
    sys.exit(7)
if mode == "slow": time.sleep(1.5)
if mode == "never": time.sleep(600)
say({"ready": {"name": "Fixture", "version": "1.2"}})
reads = 0
for line in sys.stdin:
    request = json.loads(line)
    answer = {"id": request["id"], "lines": [{"text": text, "confidence": 0.5, "quad": [[0, 0], [9, 0], [9, 9], [0, 9]]}],
              "stages": {"detect": 1.5}, "book": {"title": text, "author": "A", "isbn": None}}
    size = os.path.getsize(request["image"])
    reads += 1
    if size == 0: answer = {"id": request["id"], "error": "empty"}
    if mode == "crash" and each(10):
        print("out of luck", file=sys.stderr, flush=True)
        os._exit(3)
    if mode == "hang" and each(20): time.sleep(600)
    if mode == "junk": out.write(b"loading\n[]\n{\"id\": NaN\n")
    if mode == "twice": say(answer)
    if mode == "other" and each(10): answer["id"] += 1000
    if mode == "long" and each(10):
        for _ in range(100): out.write(b"x" * 1000000)
        continue
    if mode == "types" and each(10): answer["lines"] = 5
    if mode == "closed" and each(10):
        out.close()
        os.close(1)
        time.sleep(600)
    if mode == "fork" and reads == 1 and os.fork() == 0:
        memory = bytearray(os.urandom(1000)) * 60000
        time.sleep(600)
    if mode == "fork": time.sleep(0.05)
    if mode == "network":
        try: socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        except OSError as error: answer = {"id": request["id"], "error": "socket: " + error.strerror}
    if mode == "bytes": out.write(json.dumps(answer).encode().replace(text.encode(), text.encode() + b" \xff") + b"\n")
    else: say(answer)
