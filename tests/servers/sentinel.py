#!/usr/bin/env python3
"""A fake Spare Cores Sentinel that checks requests by its schema: sentinel.py FOLDER PREFIX [PORT]

Listens on PORT or a free port of 127.0.0.1, and writes it to FOLDER/port. If the first part of the path is not one of
the service, it is the mode of the answer, as in ingest.py. PREFIX, such as s3://bucket/path, is where runs may be put.
The service gives the keys in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, but wrong keys at first if the file
FOLDER/wrong exists. Every request is a line of JSON in FOLDER/questions: path, body, whether the body was gzipped (as
in the last request of resource-tracker), its Content-Type, and the status of the answer."""
import datetime
import gzip
import json
import os
import sys

import served

FOLDER, PREFIX = sys.argv[1:3]
TEXT, WHOLE, NUMBER = (str,), (int,), (int, float)
RUN = {key: TEXT for key in (
    "project_name", "job_name", "stage_name", "task_name", "external_run_id", "container_image", "env", "language",
    "orchestrator", "executor", "team", "command", "host_id", "host_hostname", "host_ip", "host_server_allocation",
    "host_cpu_model", "host_gpu_model", "cloud_vendor_id", "cloud_account_id", "cloud_region_id", "cloud_zone_id",
    "cloud_instance_type")}
RUN |= {"tags": (dict,), "host_vcpus": NUMBER, "host_memory_mib": NUMBER, "host_gpu_count": NUMBER,
        "host_gpu_memory_mib": NUMBER, "host_storage_gb": NUMBER}
FINISH = {"exit_code": WHOLE, "run_status": TEXT, "data_source": TEXT, "data_uris": (list,), "data_csv": TEXT}
RUNS = {}


def fits(body, schema):
    return isinstance(body, dict) and all(key in schema and isinstance(value, schema[key]) for key, value in body.items())


def keys():
    wrong = os.path.join(FOLDER, "wrong")
    secret = "wrong" if os.path.exists(wrong) else os.environ["AWS_SECRET_ACCESS_KEY"]
    if secret == "wrong":
        os.unlink(wrong)
    end = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=1)
    return {"access_key": os.environ["AWS_ACCESS_KEY_ID"], "secret_key": secret, "session_token": "",
            "expires_at": end.strftime("%Y-%m-%dT%H:%M:%SZ")}


def answer(path, body):
    if path == "/runs":
        if not fits(body, RUN) or not isinstance(json.loads(body["command"]), list):
            return 422, {}
        name = f"r{len(RUNS) + 1}"
        RUNS[name] = "open"
        return 201, {"run_id": name, "upload_uri_prefix": f"{PREFIX}/{name}", "upload_credentials": keys(),
                     "region": "us-east-1"}
    _, _, name, what = path.split("/")
    if RUNS.get(name) != "open":
        return 404, {}
    if what == "refresh-credentials":
        return (200, {"upload_credentials": keys()}) if body is None else (422, {})
    if what == "finish":
        source = body.get("data_source") if fits(body, FINISH) else None
        other = {"s3": "data_csv", "inline": "data_uris"}.get(source)
        needed = {"s3": "data_uris", "inline": "data_csv"}.get(source)
        if not other or other in body or needed not in body or body.get("run_status") not in ("finished", "failed"):
            return 422, {}
        RUNS[name] = "closed"
        return 200, {}
    return 404, {}


class Handler(served.Faulty):
    def answer(self, path, data):
        body = None
        gzipped = self.headers.get("Content-Encoding") == "gzip"
        if self.headers.get("Authorization") != "Bearer token-of-test":
            status, said = 401, {}
        else:
            try:
                data = gzip.decompress(data) if gzipped else data
                body = json.loads(data) if data else None
                status, said = answer(path, body)
            except (ValueError, KeyError, OSError):
                status, said = 422, {}
        with open(os.path.join(FOLDER, "questions"), "a", encoding="utf-8") as questions:
            questions.write(json.dumps({
                "path": self.path, "body": body, "gzipped": gzipped, "type": self.headers.get("Content-Type"),
                "status": status}) + "\n")
        return json.dumps(said), status

    def do_POST(self):
        data = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        mode, path = "right", self.path
        if not path.startswith("/runs"):
            mode, _, path = path[1:].partition("/")
            path = "/" + path
        self.answer_as(mode, lambda: self.answer(path, data), os.path.join(FOLDER, "well"))


served.serve(Handler, FOLDER, int(sys.argv[3]) if len(sys.argv) > 3 else 0)
