#!/usr/bin/env python3
"""A proxy: proxy.py FOLDER

Listens on a free port of 127.0.0.1, writes it to FOLDER/port, and resolves every name to 127.0.0.1. Each request is a
line in FOLDER/requests with method, target, and the header Proxy-Authorization. While the file FOLDER/closed exists, it
answers 407."""
import http.client
import os
import socket
import sys
import threading
import urllib.parse

import served

FOLDER = sys.argv[1]


def copy(source, sink):
    try:
        while part := source.recv(65536):
            sink.sendall(part)
        sink.shutdown(socket.SHUT_WR)
    except OSError:
        pass


class Handler(served.Handler):
    def may(self):
        with open(os.path.join(FOLDER, "requests"), "a", encoding="utf-8") as requests:
            requests.write(f"{self.command} {self.path} {self.headers.get('Proxy-Authorization')}\n")
        if not os.path.exists(os.path.join(FOLDER, "closed")):
            return True
        self.reply(status=407)
        return False

    def do_CONNECT(self):
        if not self.may():
            return
        self.close_connection = True
        with socket.create_connection(("127.0.0.1", int(self.path.rpartition(":")[2]))) as other:
            self.send_response(200)
            self.end_headers()
            back = threading.Thread(target=copy, args=(other, self.connection))
            back.start()
            copy(self.connection, other)
            back.join()

    def forward(self):
        if not self.may():
            return
        url = urllib.parse.urlsplit(self.path)
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        other = http.client.HTTPConnection("127.0.0.1", url.port)
        headers = {name: value for name, value in self.headers.items() if not name.lower().startswith("proxy-")}
        other.request(self.command, url.path + (f"?{url.query}" if url.query else ""), body, headers)
        answer = other.getresponse()
        self.reply(answer.read(), answer.status)

    do_PUT = do_POST = do_GET = forward


served.serve(Handler, FOLDER)
