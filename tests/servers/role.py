#!/usr/bin/env python3
"""A container's endpoint of role credentials: role.py FOLDER

Listens on a free port of 127.0.0.1, writes it to FOLDER/port, and answers the Nth question (from 1) with FOLDER/N, or
with the last that there is; each question is a line in FOLDER/questions, its header Authorization."""
import http.server
import os
import sys

FOLDER = sys.argv[1]
ASKED = []


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *arguments):
        pass

    def do_GET(self):
        ASKED.append(self.path)
        with open(os.path.join(FOLDER, "questions"), "a", encoding="ascii") as questions:
            questions.write(f"{self.headers.get('Authorization')}\n")
        number = len(ASKED)
        while number > 1 and not os.path.exists(os.path.join(FOLDER, str(number))):
            number -= 1
        with open(os.path.join(FOLDER, str(number)), "rb") as file:
            body = file.read()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def main():
    server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    with open(os.path.join(FOLDER, "port.new"), "w", encoding="ascii") as port:
        port.write(str(server.server_address[1]))
    os.replace(os.path.join(FOLDER, "port.new"), os.path.join(FOLDER, "port"))
    server.serve_forever()


main()
