#!/usr/bin/env python3
"""Lets an engine read views and answer a query: engine.py duckdb|clickhouse VIEWS QUERY.

QUERY is a query, or a file of one that ends in .sql. Prints a JSON array of objects, a row each."""
import datetime
import decimal
import json
import re
import sys


def plain(value):
    if isinstance(value, (datetime.date, datetime.datetime)):
        return str(value)
    return float(value) if isinstance(value, decimal.Decimal) else value


def main():
    engine, views, query = sys.argv[1:]
    views = open(views, encoding="utf-8").read()
    if query.endswith(".sql"):
        query = open(query, encoding="utf-8").read()
    if engine == "duckdb":
        import duckdb

        connection = duckdb.connect()
        connection.execute(views)
        answer = connection.execute(query)
        names = [column[0] for column in answer.description]
        rows = [dict(zip(names, map(plain, row))) for row in answer.fetchall()]
    else:
        from chdb import session

        connection = session.Session()
        for statement in re.split(r";\n", views):
            if statement.strip():
                connection.query(statement)
        text = str(connection.query(query.strip().rstrip(";"), "JSON"))
        rows = json.loads(text)["data"]
        for row in rows:
            for name, value in row.items():
                if isinstance(value, str) and re.fullmatch(r"-?[0-9]+(\.[0-9]+)?", value):
                    row[name] = float(value)
    print(json.dumps(rows))


main()
