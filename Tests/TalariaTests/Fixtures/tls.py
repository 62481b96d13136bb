"""Ends TLS in front of a plain server on a port: tls.py CERTIFICATE KEY PORT prints its own port, until stdin ends."""
import select
import socket
import ssl
import sys
import threading


def carry(client):
    with context.wrap_socket(client, server_side=True) as outer:
        with socket.create_connection(("127.0.0.1", int(sys.argv[3]))) as inner:
            while True:
                ready = [outer] if outer.pending() else select.select([outer, inner], [], [])[0]
                for source, target in ((outer, inner), (inner, outer)):
                    if source in ready:
                        data = source.recv(65536)
                        if not data:
                            return
                        target.sendall(data)


def serve():
    while True:
        client, _ = listener.accept()
        threading.Thread(target=carry, args=(client,), daemon=True).start()


context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(sys.argv[1], sys.argv[2])
listener = socket.create_server(("127.0.0.1", 0))
threading.excepthook = lambda _: None  # A client that refuses the certificate is what the tests want.
threading.Thread(target=serve, daemon=True).start()
print(listener.getsockname()[1], flush=True)
sys.stdin.read()
