#!/usr/bin/env python3
"""Endpoints that give the keys of a role: role.py FOLDER [HOST]

Listens on a free port of 127.0.0.1, or on port 80 of HOST, and writes it to FOLDER/port. The Nth request for keys (from
1) gets those in the file FOLDER/N, or in the last such file. The files have the JSON of a container's endpoint.

    GET /creds                                  for a container; the header Authorization is written to FOLDER/questions
    PUT /latest/api/token, GET /latest/...      for an instance, by IMDSv2: 401 without the token of the PUT. While the
                                                file FOLDER/far exists, the PUT gets no answer
    POST /                                      AssumeRoleWithWebIdentity, in XML; 400 unless the token in the form is
                                                "identity+/=" and the role arn:aws:iam::123456789012:role/job

Each request for keys is a line in FOLDER/questions."""
import json
import os
import sys
import threading
import urllib.parse

import served

FOLDER = sys.argv[1]
ROLES = "/latest/meta-data/iam/security-credentials/"
ASKED = []
ENDED = threading.Event()


def keys(line):
    with open(os.path.join(FOLDER, "questions"), "a", encoding="utf-8") as questions:
        questions.write(f"{line}\n")
    ASKED.append(line)
    number = len(ASKED)
    while number > 1 and not os.path.exists(os.path.join(FOLDER, str(number))):
        number -= 1
    with open(os.path.join(FOLDER, str(number)), "rb") as file:
        return file.read()


def assumed(given):
    of = json.loads(given)
    names = {"AccessKeyId": of["AccessKeyId"], "SecretAccessKey": of["SecretAccessKey"], "SessionToken": of["Token"],
             "Expiration": of["Expiration"]}
    inside = "".join(f"<{name}>{value}</{name}>\n" for name, value in names.items())
    return ('<AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">'
            f"<AssumeRoleWithWebIdentityResult><Credentials>\n{inside}</Credentials></AssumeRoleWithWebIdentityResult>"
            "</AssumeRoleWithWebIdentityResponse>").encode()


class Handler(served.Handler):
    def do_PUT(self):
        if os.path.exists(os.path.join(FOLDER, "far")):
            ENDED.wait()
        right = self.path == "/latest/api/token" and self.headers.get("X-aws-ec2-metadata-token-ttl-seconds")
        self.reply(b"token-of-instance" if right else b"", 200 if right else 400)

    def do_GET(self):
        if not self.path.startswith("/latest/"):
            self.reply(keys(self.headers.get("Authorization")))
        elif self.headers.get("X-aws-ec2-metadata-token") != "token-of-instance":
            self.reply(status=401)
        elif self.path == ROLES:
            self.reply(b"job-role\n")
        elif self.path == ROLES + "job-role":
            self.reply(keys("instance"))
        else:
            self.reply(status=404)

    def do_POST(self):
        form = urllib.parse.parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode("ascii"))
        right = {"Action": ["AssumeRoleWithWebIdentity"], "Version": ["2011-06-15"], "RoleSessionName": ["rtrack"],
                 "RoleArn": ["arn:aws:iam::123456789012:role/job"], "WebIdentityToken": ["identity+/="]}
        self.reply(*((assumed(keys("identity")), 200) if form == right else (b"<Error/>", 400)))


served.serve(Handler, FOLDER, *([80, sys.argv[2]] if len(sys.argv) > 2 else []))
