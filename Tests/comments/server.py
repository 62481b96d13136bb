"""A stand-in for the comments of GitHub's and GitLab's API: server.py FOLDER.

FOLDER/comments.json has the comments, which a test may change; FOLDER/status, where it exists, a status of HTTP that
answers every writing request, and FOLDER/gone deletes the comments before the next change. Requests are appended to
FOLDER/requests. Prints its port, and ends with its standard input.
"""

import json
import pathlib
import re
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

folder = pathlib.Path(sys.argv[1])
comments_file = folder / "comments.json"
LIST = re.compile(r"/(?:repos/me/books/issues/7/comments|projects/3/merge_requests/7/notes)")
ONE = re.compile(r"/(?:repos/me/books/issues/comments|projects/3/merge_requests/7/notes)/(\d+)")


class Handler(BaseHTTPRequestHandler):
    def answer(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def handle_request(self):
        path, _, query = self.path.partition("?")
        with (folder / "requests").open("a") as log:
            log.write(f"{self.command} {self.path}\n")
        token = self.headers.get("Authorization") or self.headers.get("PRIVATE-TOKEN")
        if token not in ("Bearer secret", "secret"):
            return self.answer(401, {"message": "Bad credentials"})
        comments = json.loads(comments_file.read_text()) if comments_file.exists() else []
        if self.command == "GET":
            if not LIST.fullmatch(path):
                return self.answer(404, {})
            page = int(re.search(r"page=(\d+)$", query)[1])
            return self.answer(200, comments[(page - 1) * 100 : page * 100])
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["body"]
        if (folder / "status").exists():
            return self.answer(int((folder / "status").read_text()), {"message": "Resource not accessible"})
        if (folder / "gone").exists():
            (folder / "gone").unlink()
            comments = []
            comments_file.write_text("[]")
        if self.command == "POST" and LIST.fullmatch(path):
            status, comment = 201, {"id": len(comments) + 1000, "body": body}
            comments.append(comment)
        else:
            one = ONE.fullmatch(path)
            comment = next((c for c in comments if one and c["id"] == int(one[1])), None)
            method = "PATCH" if path.startswith("/repos") else "PUT"
            if comment is None or self.command != method:
                return self.answer(404, {"message": "Not Found"})
            status, comment["body"] = 200, body
        comments_file.write_text(json.dumps(comments))
        self.answer(status, comment)

    do_GET = do_POST = do_PATCH = do_PUT = handle_request

    def log_message(self, *arguments):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_port, flush=True)
sys.stdin.read()
