#!/usr/bin/env python3
"""Answers like the Keeper API, or with faults: keeper.py FOLDER

Listens on a free port of 127.0.0.1 and writes it to FOLDER/port. The first part of a path is the mode of the answer.
Each request is a line in FOLDER/requests with its path and its X-Application-ID.
"""
import json
import os
import sys
import time

import served

FOLDER = sys.argv[1]


def server(name, price, **more):
    return {"vendor_id": "aws", "server_id": name, "api_reference": name, "display_name": name.upper(), "vcpus": 2,
            "memory_amount": 4096, "gpu_count": 0, "gpu_memory_total": None, "gpu_model": None,
            "cpu_architecture": "x86_64", "vendor": {"vendor_id": "aws", "name": "Amazon"}, "status": "active",
            "min_price": price, "min_price_spot": None, "min_price_ondemand": price, **more}


def price(region, amount, **more):
    return {"vendor_id": "aws", "region_id": region, "zone_id": region + "a", "server_id": "big",
            "operating_system": "Linux", "allocation": "ondemand", "unit": "hour", "price": amount, "currency": "USD",
            "status": "active", **more}


SERVERS = [
    server("unpriced", None),
    server("small", 0.01, vcpus=1),
    server("right", 0.072, min_price_spot=0.018),
    server("dear", 0.144),
    server("graphics", 3.6, gpu_count=1, gpu_memory_total=16384, gpu_model="T4"),
]
PRICES = [
    price("us-east-1", 0.1, allocation="spot"),
    price("us-east-1", 0.2, operating_system="Windows"),
    price("us-east-1", 0.36),
    price("eu-west-1", 0.72),
]


class Handler(served.Handler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        with open(os.path.join(FOLDER, "requests"), "a", encoding="utf-8") as requests:
            requests.write(f"{self.path} {self.headers.get('X-Application-ID')}\n")
        mode, _, path = self.path[1:].partition("/")
        right = SERVERS if path.startswith("servers?") else PRICES if path.startswith("server/aws/big/prices") else None
        try:
            getattr(self, "answer_" + mode)(right)
        except (BrokenPipeError, ConnectionResetError):
            pass

    def answer_right(self, right):
        if right is None:
            self.reply('{"detail": "unknown"}', 404)
        else:
            self.reply(json.dumps(right))

    def answer_slow(self, right):
        time.sleep(30)

    def answer_drip(self, right):
        self.send_response(200)
        self.send_header("Content-Length", "100")
        self.end_headers()
        for _ in range(100):
            self.wfile.write(b" ")
            self.wfile.flush()
            time.sleep(0.3)

    def answer_missing(self, right):
        self.reply("nothing here", 404)

    def answer_broken(self, right):
        self.reply(json.dumps(right), 500)

    def answer_busy(self, right):
        self.reply("slow down", 429, [("Retry-After", "1234")])

    def answer_down(self, right):
        self.reply("later", 503)

    def answer_redirect(self, right):
        self.reply("", 302, [("Location", "/right" + self.path[len("/redirect"):])])

    def answer_truncated(self, right):
        self.reply(json.dumps(right), length=100000)

    def answer_cut(self, right):
        self.reply(json.dumps(right)[:-20])

    def answer_huge(self, right):
        self.send_response(200)
        self.send_header("Content-Length", str(100 << 20))
        self.end_headers()
        for _ in range(100):
            self.wfile.write(b" " * (1 << 20))

    def answer_endless(self, right):
        self.send_response(200)
        self.send_header("Connection", "close")
        self.end_headers()
        for _ in range(100):
            self.wfile.write(b"[" * (1 << 20))

    def answer_text(self, right):
        self.reply("<html>Sign in</html>")

    def answer_csv(self, right):
        self.reply("server,vcpus,memory,price\ncheap,64,65536,0.001\n")

    def answer_object(self, right):
        self.reply('{"detail": "no"}')

    def answer_number(self, right):
        self.reply("12")

    def answer_empty(self, right):
        self.reply("")

    def answer_none(self, right):
        self.reply("[]")

    def answer_deep(self, right):
        self.reply("[" * 100000)

    def answer_strange(self, right):
        """Answers with strange items and one valid item."""
        items = [1, None, "x", [], {}, [{}], {"server_id": "a"}, {"server_id": 7, "vcpus": "2"},
                 server("free", 0), server("paid", -1), server("word", "0.01"), server("less", 0.01, vcpus=None),
                 server("lots", 0.01, vcpus=-5), server("weak", 0.01, memory_amount=[4096]),
                 server("bell\x07\x1b[2Jñ\u202e" + "x" * 500, 0.09)]
        text = json.dumps(items)
        for value in ("1e999", "-1e999", "123456789" * 60):
            text = text[:-1] + ", " + json.dumps(server("big", "@")).replace('"@"', value) + "]"
        self.reply(text)


served.serve(Handler, FOLDER)
