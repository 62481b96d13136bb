"""A store that speaks S3 for the integration tests: moto, which checks every signature, behind a proxy that does damage.

Prints a line of JSON with its address and keys. Then a line of JSON on standard input is an order, and one on standard output
its answer:

    {"do": "upload", "folder": "/tmp/d", "to": "bucket/prefix"}      every file below the folder
    {"do": "put", "to": "bucket/key", "text": "…"}                 or "base64"
    {"do": "delete", "to": "bucket/key"}
    {"do": "fault", "on": "part of a path", "kind": "cut"}      see Proxy; "times" is how often, without it always
    {"do": "mend"}                                              no more faults
    {"do": "requests"}                                          what came since the last such order

"open" in an order: from then on requests need no keys, for what is uploaded by it. It ends with standard input.
"""

import base64
import http.client
import http.server
import json
import logging
import os
import pathlib
import socket
import sys
import threading
import time


import boto3
import moto.settings
from moto.server import ThreadedMotoServer

REGION = "eu-central-1"
XML = '<?xml version="1.0"?><Error><Code>{0}</Code><Message>{1}</Message></Error>'


class Proxy(http.server.BaseHTTPRequestHandler):
    """Passes requests on, and answers in its own way where a fault is on their path."""

    protocol_version = "HTTP/1.1"
    faults, requests, lock, target = [], [], threading.Lock(), ("127.0.0.1", 0)

    def fault(self):
        with self.lock:
            for fault in self.faults:
                if fault["on"] in self.path and fault.get("times", 1) > 0:
                    if "times" in fault:
                        fault["times"] -= 1
                    return fault["kind"]
        return None

    def answer(self, status, body, headers=()):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def do_GET(self):
        with self.lock:
            self.requests.append([self.command, self.path, self.headers.get("Range")])
        kind = self.fault()
        if kind == "hang":
            # Longer than any test waits; the thread ends with the process.
            time.sleep(86_400)
            self.close_connection = True
            return
        if kind == "slow-down":
            return self.answer(503, XML.format("SlowDown", "Reduce your request rate").encode())
        if kind == "denied":
            return self.answer(403, XML.format("AccessDenied", "Access Denied").encode())
        if kind == "expired":
            return self.answer(403, XML.format("ExpiredToken", "The provided token has expired").encode())
        if kind == "region":
            return self.answer(301, b"", [("x-amz-bucket-region", "ap-south-1")])
        if kind == "elsewhere":
            return self.answer(307, b"", [("Location", "http://127.0.0.1:9/stolen")])
        if kind == "xml":
            return self.answer(200, XML.format("InternalError", "an error with a good status").encode())
        connection = http.client.HTTPConnection(*self.target)
        data = self.rfile.read(int(self.headers.get("Content-Length") or 0)) or None
        connection.request(self.command, self.path, body=data, headers=dict(self.headers))
        response = connection.getresponse()
        body = response.read()
        headers = [(k, v) for k, v in response.getheaders() if k.lower() not in ("content-length", "connection", "date")]
        length = response.getheader("Content-Length") or str(len(body))
        if kind == "whole":
            # As a server does that has no parts.
            response.status, headers = 200, [(k, v) for k, v in headers if k.lower() != "content-range"]
        self.send_response(response.status)
        for name, value in headers + [("Content-Length", length)]:
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body[: len(body) // 2] if kind == "cut" else body)
            if kind == "cut":
                self.wfile.flush()
                self.connection.shutdown(socket.SHUT_RDWR)
                self.close_connection = True

    do_HEAD = do_PUT = do_GET

    def log_message(self, *_):
        pass


def checks(signatures):
    """Whether moto asks for signatures and permissions."""
    moto.settings.INITIAL_NO_AUTH_ACTION_COUNT = 0 if signatures else float("inf")


def main():
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(port=0, verbose=False)
    server.start()
    _, port = server.get_host_and_port()
    Proxy.target = ("127.0.0.1", port)

    def client(service, **keys):
        keys = keys or {"aws_access_key_id": "root", "aws_secret_access_key": "root"}
        return boto3.client(service, endpoint_url=f"http://127.0.0.1:{port}", region_name=REGION, **keys)

    iam = client("iam")
    iam.create_user(UserName="reader")
    everything = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}]}
    iam.put_user_policy(UserName="reader", PolicyName="all", PolicyDocument=json.dumps(everything))
    key = iam.create_access_key(UserName="reader")["AccessKey"]
    store = client("s3", aws_access_key_id=key["AccessKeyId"], aws_secret_access_key=key["SecretAccessKey"])

    proxy = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
    proxy.daemon_threads = True
    threading.Thread(target=proxy.serve_forever, daemon=True).start()

    def say(value):
        print(json.dumps(value), flush=True)

    say(
        {
            "AWS_ENDPOINT_URL_S3": f"http://127.0.0.1:{proxy.server_address[1]}",
            "AWS_REGION": REGION,
            "AWS_ACCESS_KEY_ID": key["AccessKeyId"],
            "AWS_SECRET_ACCESS_KEY": key["SecretAccessKey"],
        }
    )
    buckets = set()
    checks(True)
    for line in sys.stdin:
        order = json.loads(line)
        # Its own requests have bodies, whose signatures moto does not know how to check.
        checks(False)
        bucket, _, name = order.get("to", "").partition("/")
        if bucket and bucket not in buckets:
            store.create_bucket(Bucket=bucket, CreateBucketConfiguration={"LocationConstraint": REGION})
            buckets.add(bucket)
        result = {}
        access = "public-read" if order.get("open") else "private"
        if order["do"] == "upload":
            folder = pathlib.Path(order["folder"])
            for file in sorted(folder.rglob("*")):
                if file.is_file():
                    path = "/".join(part for part in (name, file.relative_to(folder).as_posix()) if part)
                    store.put_object(Bucket=bucket, Key=path, Body=file.read_bytes(), ACL=access)
        elif order["do"] == "put":
            body = base64.b64decode(order["base64"]) if "base64" in order else order["text"].encode()
            store.put_object(Bucket=bucket, Key=name, Body=body, ACL=access)
        elif order["do"] == "delete":
            store.delete_object(Bucket=bucket, Key=name)
        elif order["do"] == "fault":
            Proxy.faults.append(order)
        elif order["do"] == "mend":
            Proxy.faults.clear()
        elif order["do"] == "requests":
            with Proxy.lock:
                result["requests"] = list(Proxy.requests)
                Proxy.requests.clear()
        checks(not order.get("open", False))
        say(result)
    os._exit(0)


main()
