#!/usr/bin/env python3
"""Answers as Azure's metadata service does, or not at all: metadata.py FOLDER

Listens on a free port of 127.0.0.1 and writes it to FOLDER/port. While FOLDER/mute is there, no request is answered;
each request is a line in FOLDER/requests."""

import http.server
import os
import socketserver
import sys
import threading

FOLDER = sys.argv[1]
ANSWER = b'{"compute": {"vmSize": "Standard_D4s_v5", "location": "westeurope"}}'
ENDED = threading.Event()


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *arguments):
        pass

    def do_GET(self):
        with open(os.path.join(FOLDER, "requests"), "a", encoding="utf-8") as out:
            out.write(self.path + "\n")
        if os.path.exists(os.path.join(FOLDER, "mute")):
            ENDED.wait()
        right = self.path.startswith("/metadata/instance?") and self.headers.get("Metadata") == "true"
        self.send_response(200 if right else 404)
        self.end_headers()
        self.wfile.write(ANSWER if right else b"")


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True


server = Server(("127.0.0.1", 0), Handler)
with open(os.path.join(FOLDER, "port.new"), "w", encoding="utf-8") as out:
    out.write(str(server.server_port))
os.rename(os.path.join(FOLDER, "port.new"), os.path.join(FOLDER, "port"))
server.serve_forever()
