"""Shared by the servers of this folder: a request handler without a log, faulty answers, and the listening socket"""
import http.server
import os
import random
import ssl
import threading
import time


class Handler(http.server.BaseHTTPRequestHandler):
    KEEPS = False  # whether connections stay open

    def log_message(self, *arguments):
        pass

    def reply(self, body=b"", status=200, headers=(), length=None):
        body = body if isinstance(body, bytes) else body.encode()
        self.close_connection = self.close_connection or not self.KEEPS or length is not None
        self.send_response(status)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)


class Faulty(Handler):
    """Answers with faults. `act` does the requested work and returns the body and status of the right answer."""
    CHANCE = random.Random(1)
    LOCK = threading.Lock()

    def answer_as(self, mode, act, well=""):
        """`until-MODE` means MODE until the file `well` exists. `flaky` means a random mode each time."""
        if mode.startswith("until-"):
            mode = "right" if os.path.exists(well) else mode[6:]
        if mode == "flaky":
            with self.LOCK:
                mode = self.CHANCE.choice(["right", "right", "right", "right", "broken", "half", "drop", "late", "slow"])
        try:
            getattr(self, "answer_" + mode)(act)
        except (BrokenPipeError, ConnectionResetError):
            pass

    def answer_right(self, act):
        self.reply(*act())

    def answer_slow(self, act):
        time.sleep(0.05)
        self.answer_right(act)

    def answer_late(self, act):
        """Does the work, but answers 503."""
        act()
        time.sleep(0.05)
        self.reply(status=503)

    def answer_drop(self, act):
        act()
        self.close_connection = True

    def answer_broken(self, act):
        self.reply(b"<Error><Code>InternalError</Code></Error>", 500, headers=[("Retry-After", "1")])

    def answer_half(self, act):
        act()
        self.reply(b"half", length=100)

    def answer_hang(self, act):
        time.sleep(120)

    def answer_refuse(self, act):
        self.reply(b"<Error><Code>AccessDenied</Code></Error>", 403)

    def answer_huge(self, act):
        self.send_response(200)
        self.send_header("Content-Length", str(100 << 20))
        self.end_headers()
        for _ in range(100):
            self.wfile.write(b" " * (1 << 20))


def serve(handler, folder, port=0, host="127.0.0.1"):
    """Listens on a port of 127.0.0.1, or on a free port, and writes its number to FOLDER/port. Another host is for the
    network namespace of a test. If SERVED_CERTIFICATE names a file with a key and a certificate, the server uses
    TLS."""
    server = http.server.ThreadingHTTPServer((host, port), handler)
    if "SERVED_CERTIFICATE" in os.environ:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(os.environ["SERVED_CERTIFICATE"])
        server.socket = context.wrap_socket(server.socket, server_side=True)
    draft = os.path.join(folder, "port.new")
    with open(draft, "w", encoding="ascii") as file:
        file.write(str(server.server_address[1]))
    os.replace(draft, os.path.join(folder, "port"))
    server.serve_forever()
