#!/usr/bin/env python3
"""Reads the shipped objects in a bucket at AWS_ENDPOINT_URL_S3:

    ship_read.py fetch BUCKET PREFIX DIRECTORY              all objects, as files
    ship_read.py duckdb|clickhouse|polars BUCKET PREFIX     for each run, its rows of process.csv and their CPU time

The queries are those of docs/fleet.md."""
import os
import re
import sys

HOW, BUCKET, PREFIX = sys.argv[1:4]
URL = os.environ["AWS_ENDPOINT_URL_S3"]
KEY, SECRET = os.environ["AWS_ACCESS_KEY_ID"], os.environ["AWS_SECRET_ACCESS_KEY"]


def fetch(directory):
    import boto3

    client = boto3.client("s3", region_name="us-east-1")
    for page in client.get_paginator("list_objects_v2").paginate(Bucket=BUCKET, Prefix=PREFIX):
        for item in page["Contents"]:
            path = os.path.join(directory, item["Key"][len(PREFIX):].lstrip("/"))
            os.makedirs(os.path.dirname(path), exist_ok=True)
            client.download_file(BUCKET, item["Key"], path)


def query(name):
    text = open(os.path.join(os.path.dirname(__file__), "../../docs/fleet.md"), encoding="utf-8").read()
    found = re.search(r"^    (%s.*)$" % name, text, re.M)
    return found[1].replace("BUCKET/PREFIX", f"{BUCKET}/{PREFIX}").replace("ENDPOINT", URL)


def duckdb_rows():
    import duckdb
    import duckdb_extension_httpfs
    import glob

    folder = os.path.dirname(duckdb_extension_httpfs.__file__)
    extension = glob.glob(folder + "/**/*.duckdb_extension", recursive=True)[0]
    connection = duckdb.connect(config={"allow_unsigned_extensions": True})
    connection.execute(f"load '{extension}'")
    connection.execute(f"create secret (type s3, key_id '{KEY}', secret '{SECRET}', endpoint '{URL[7:]}', "
                       "url_style path, use_ssl false)")
    return connection.execute(query("select run, .*read_csv")).fetchall()


def clickhouse_rows():
    from chdb import session

    asked = query("select run, .*s3\\(").replace("KEY", KEY).replace("SECRET", SECRET)
    text = str(session.Session().query(asked, "TSV"))
    return [line.split("\t") for line in text.splitlines()]


def polars_rows():
    import polars

    options = {"aws_endpoint_url": URL, "aws_access_key_id": KEY, "aws_secret_access_key": SECRET,
               "aws_region": "us-east-1", "aws_allow_http": "true"}
    frame = eval(query("polars.scan_csv"), {"polars": polars, "options": options})
    return frame.rows()


if HOW == "fetch":
    fetch(sys.argv[4])
else:
    for run, rows, cpu in sorted(tuple(row) for row in globals()[HOW + "_rows"]()):
        print(run, rows, f"{float(cpu):.3f}")
