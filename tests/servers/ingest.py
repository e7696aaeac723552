#!/usr/bin/env python3
"""Takes what `rtrack-report ship` sends, rightly or as no server should: ingest.py FOLDER [SEED [PORT]]

Listens on that port, or a free one, of 127.0.0.1 and writes it to FOLDER/port. The first part of a path says how to answer, the rest
is the object (`until-MODE` answers so until there is a file FOLDER/well): a PUT is kept as FOLDER/objects/REST, a POST as
FOLDER/objects/REST/N, the Nth of all. Each request is a line in FOLDER/requests: method and path. No key
is looked at: SeaweedFS and moto do that, in tests/fleet/ship_s3.bats."""
import itertools
import os
import random
import sys
import threading
import time
import urllib.parse

import served

FOLDER = sys.argv[1]
CHANCE = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
LOCK = threading.Lock()
COUNT = itertools.count(1)


class Handler(served.Handler):
    protocol_version = "HTTP/1.1"

    def keep(self, path, body):
        path = os.path.join(FOLDER, "objects", urllib.parse.unquote(path))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        draft = f"{path}.{threading.get_ident()}.draft"
        with open(draft, "wb") as file:
            file.write(body)
        os.replace(draft, path)

    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        with LOCK, open(os.path.join(FOLDER, "requests"), "a", encoding="utf-8") as requests:
            requests.write(f"{self.command} {self.path}\n")
        mode, _, path = self.path[1:].partition("/")
        if self.command == "POST":
            with LOCK:
                path += f"/{next(COUNT):06d}"
        if mode.startswith("until-"):
            mode = "right" if os.path.exists(os.path.join(FOLDER, "well")) else mode[6:]
        if mode == "flaky":
            with LOCK:
                mode = CHANCE.choice(["right", "right", "right", "right", "broken", "half", "drop", "late", "slow"])
        try:
            getattr(self, "answer_" + mode)(path, body)
        except (BrokenPipeError, ConnectionResetError):
            pass

    do_PUT = do_POST = do_GET = answer

    def answer_right(self, path, body):
        self.keep(path, body)
        self.reply()

    def answer_slow(self, path, body):
        time.sleep(0.05)
        self.answer_right(path, body)

    def answer_late(self, path, body):
        """It is there, and whoever sent it is not told."""
        self.keep(path, body)
        time.sleep(0.05)
        self.reply(status=503)

    def answer_drop(self, path, body):
        self.keep(path, body)
        self.close_connection = True

    def answer_broken(self, path, body):
        self.reply(b"<Error><Code>InternalError</Code></Error>", 500, headers=[("Retry-After", "1")])

    def answer_half(self, path, body):
        self.keep(path, body)
        self.reply(b"half", length=100)

    def answer_hang(self, path, body):
        time.sleep(120)

    def answer_refuse(self, path, body):
        self.reply(b"<Error><Code>AccessDenied</Code></Error>", 403)

    def answer_huge(self, path, body):
        self.send_response(200)
        self.send_header("Content-Length", str(100 << 20))
        self.end_headers()
        for _ in range(100):
            self.wfile.write(b" " * (1 << 20))


served.serve(Handler, FOLDER, int(sys.argv[3]) if len(sys.argv) > 3 else 0)
