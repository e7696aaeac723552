#!/usr/bin/env python3
"""Runs a query on SQL views with a database engine: engine.py duckdb|clickhouse VIEWS QUERY

QUERY is a query, or a file ending in .sql. Prints a JSON array with one object per row. If AWS_ENDPOINT_URL_S3 is set,
DuckDB reads the buckets of that store with the keys of the environment, as ClickHouse does by default."""
import datetime
import decimal
import glob
import json
import os
import re
import sys


def plain(value):
    if isinstance(value, (datetime.date, datetime.datetime)):
        return str(value)
    return float(value) if isinstance(value, decimal.Decimal) else value


def open_duckdb():
    import duckdb

    if "AWS_ENDPOINT_URL_S3" not in os.environ:
        return duckdb.connect()
    import duckdb_extension_httpfs

    folder = os.path.dirname(duckdb_extension_httpfs.__file__)
    connection = duckdb.connect(config={"allow_unsigned_extensions": True})
    connection.execute(f"load '{glob.glob(folder + '/**/*.duckdb_extension', recursive=True)[0]}'")
    connection.execute(f"create secret (type s3, key_id '{os.environ['AWS_ACCESS_KEY_ID']}', "
                       f"secret '{os.environ['AWS_SECRET_ACCESS_KEY']}', url_style path, use_ssl false, "
                       f"endpoint '{os.environ['AWS_ENDPOINT_URL_S3'][7:]}')")
    return connection


def ask_duckdb(views, queries):
    connection = open_duckdb()
    connection.execute(views)
    for query in queries:
        answer = connection.execute(query)
        names = [column[0] for column in answer.description]
        yield [dict(zip(names, map(plain, row))) for row in answer.fetchall()]


def ask_clickhouse(views, queries):
    from chdb import session

    connection = session.Session()
    for statement in re.split(r";\n", views):
        if statement.strip():
            connection.query(statement)
    for query in queries:
        rows = json.loads(str(connection.query(query.strip().rstrip(";"), "JSON")))["data"]
        for row in rows:
            for name, value in row.items():
                if isinstance(value, str) and re.fullmatch(r"-?[0-9]+(\.[0-9]+)?", value):
                    row[name] = float(value)
        yield rows


def text_of(query):
    return open(query, encoding="utf-8").read() if query.endswith(".sql") else query


def main():
    engine, views, *queries = sys.argv[1:]
    ask = ask_duckdb if engine == "duckdb" else ask_clickhouse
    for rows in ask(open(views, encoding="utf-8").read(), map(text_of, queries)):
        print(json.dumps(rows))


main()
