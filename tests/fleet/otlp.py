#!/usr/bin/env python3
"""Prints the received OpenTelemetry metrics: otlp.py json|protobuf FOLDER...

Reads every body in the folders by the schema of opentelemetry-proto, which refuses unknown fields. For each metric and
attribute it prints `NAME ATTRIBUTE POINTS LAST`, where LAST is the value of the latest point. A cumulative sum that
decreases, and two values at the same time, are errors."""
import gzip
import json
import sys
from pathlib import Path

from google.protobuf import json_format
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest


def read(how, path):
    body = path.read_bytes()
    if body[:2] == b"\x1f\x8b":
        body = gzip.decompress(body)
    request = ExportMetricsServiceRequest()
    if how == "json":
        json_format.ParseDict(json.loads(body), request)
    else:
        request.ParseFromString(body)
    return request


def main():
    series = {}
    resources = set()
    for path in sorted(path for folder in sys.argv[2:] for path in Path(folder).rglob("*") if path.is_file()):
        for resource in read(sys.argv[1], path).resource_metrics:
            resources.add(tuple((a.key, a.value.string_value) for a in resource.resource.attributes))
            for metric in resource.scope_metrics[0].metrics:
                kind = metric.sum if metric.HasField("sum") else metric.gauge
                assert metric.HasField("gauge") or metric.sum.aggregation_temporality == 2
                for point in kind.data_points:
                    key = " ".join([metric.name] + [a.value.string_value for a in point.attributes] or "-")
                    value = point.as_int if point.HasField("as_int") else point.as_double
                    times = series.setdefault((key, metric.sum.is_monotonic), {})
                    assert times.get(point.time_unix_nano, value) == value, f"{key}: two values at one time"
                    times[point.time_unix_nano] = value
                    if metric.HasField("sum"):
                        assert 0 < point.start_time_unix_nano <= point.time_unix_nano
    for (key, monotonic), times in sorted(series.items()):
        values = [times[time] for time in sorted(times)]
        assert not monotonic or values == sorted(values), f"{key} falls"
        print(key, len(values), values[-1])
    for resource in sorted(resources):
        print("resource", " ".join(f"{key}={value}" for key, value in resource))


main()
