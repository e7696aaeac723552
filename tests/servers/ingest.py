#!/usr/bin/env python3
"""Receives what `rtrack-report ship` sends, and answers correctly or with faults: ingest.py FOLDER [SEED [PORT]]

Listens on PORT or on a free port of 127.0.0.1, and writes its number to FOLDER/port. The first part of a path is the
mode of the answer, and the rest is the object. The mode `until-MODE` lasts until the file FOLDER/well exists. A PUT is
stored as FOLDER/objects/REST, and the Nth POST as FOLDER/objects/REST/N. Each request is a line in FOLDER/requests with
method and path, and its headers are in FOLDER/headers. Each connection is a line in FOLDER/connections. An incomplete
body is dropped. Keys are not checked; SeaweedFS and moto do that, in tests/fleet/ship_s3.bats."""
import itertools
import os
import random
import sys
import threading
import urllib.parse

import served

FOLDER = sys.argv[1]
LOCK = served.Faulty.LOCK
COUNT = itertools.count(1)


class Handler(served.Faulty):
    protocol_version = "HTTP/1.1"
    KEEPS = True

    def keep(self, path, body):
        path = os.path.join(FOLDER, "objects", urllib.parse.unquote(path).lstrip("/"))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        draft = f"{path}.{threading.get_ident()}.draft"
        with open(draft, "wb") as file:
            file.write(body)
        os.replace(draft, path)

    def note(self, file, text):
        with LOCK, open(os.path.join(FOLDER, file), "a", encoding="utf-8") as notes:
            notes.write(text)

    def setup(self):
        super().setup()
        self.note("connections", f"{self.client_address}\n")

    def answer(self):
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length)
        if len(body) < length:
            self.close_connection = True
            return
        self.note("requests", f"{self.command} {self.path}\n")
        self.note("headers", str(self.headers))
        mode, _, path = self.path[1:].partition("/")
        if self.command == "POST":
            with LOCK:
                path += f"/{next(COUNT):06d}"
        def act():
            self.keep(path, body)
            return b"", 200

        self.answer_as(mode, act, os.path.join(FOLDER, "well"))

    do_PUT = do_POST = do_GET = answer


served.Faulty.CHANCE = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
served.serve(Handler, FOLDER, int(sys.argv[3]) if len(sys.argv) > 3 else 0)
