#!/usr/bin/env python3
"""Answers like Azure's metadata service, or not at all: metadata.py FOLDER

Listens on a free port of 127.0.0.1 and writes it to FOLDER/port. While the file FOLDER/mute exists, no request is
answered. Each request is a line in FOLDER/requests."""

import os
import sys
import threading

import served

FOLDER = sys.argv[1]
ANSWER = b'{"compute": {"vmSize": "Standard_D4s_v5", "location": "westeurope"}}'
ENDED = threading.Event()


class Handler(served.Handler):
    def do_GET(self):
        with open(os.path.join(FOLDER, "requests"), "a", encoding="utf-8") as out:
            out.write(self.path + "\n")
        if os.path.exists(os.path.join(FOLDER, "mute")):
            ENDED.wait()
        right = self.path.startswith("/metadata/instance?") and self.headers.get("Metadata") == "true"
        self.reply(ANSWER if right else b"", 200 if right else 404)


served.serve(Handler, FOLDER)
