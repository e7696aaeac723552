"""A second implementation of the allowance rule and its replay. It was written for tests from docs/recommend.md, not
from the program.

Reads JSON from stdin: {"runs": [{"end", "peak", "input", "limit", "asked", "seconds"}, ...], "care", "input", "limit"},
with the oldest run first. Prints {"memory", "runs", "too_small", "reserved_less"}."""
import json
import math
import statistics
import sys


def middle(values):
    return sorted(values)[(len(values) - 1) // 2]


def ask(top, mid, k, care):
    return top + max(32, top / 50) + care * (top + 4 * (top - mid)) / k


def by_line(pairs, sizes_of, next_input, smallest, r, care):
    if len(pairs) < 5 or 2 * len(pairs) < sizes_of:
        return r
    sizes, peaks = zip(*pairs)
    if len(set(sizes)) == 1 or len(set(peaks)) == 1:
        return r
    b, a = statistics.linear_regression(sizes, peaks)
    if b <= 0 or statistics.correlation(sizes, peaks) < 0.7:
        return r
    e = [p - (a + b * s) for s, p in pairs]
    at = max(a + b * next_input + max(e), smallest)
    q = ask(at, at - max(e) + middle(e), len(pairs), care)
    if next_input <= max(sizes):
        return min(r, q)
    return max(r, min(q, r * min(2, next_input / max(sizes))))


def request(runs, care, next_input, limit):
    finished = [i for i, run in enumerate(runs) if run["end"] == "finished"][-100:]
    if not runs:
        return None
    oldest = finished[0] if len(finished) == 100 else 0
    seen = runs[oldest:]
    done = [run for run in seen if run["end"] == "finished"]
    last_done = max((i for i, run in enumerate(seen) if run["end"] == "finished"), default=-1)
    below, death, dead = [], [], []
    for i, run in enumerate(seen):
        if run["end"] == "failed":
            below.append(run["peak"])
        elif run["end"] == "died":
            (below if i < last_done else death).append(run.get("limit") or run["peak"])
            dead += [run["peak"]] if i > last_done else []
    peaks = [run["peak"] for run in done]
    r = None
    if peaks or below or dead:
        largest = max(peaks + below + dead)
        r = ask(largest, middle(peaks) if peaks else largest, max(len(peaks), 1), care)
        if next_input is not None and peaks:
            pairs = [(run["input"], run["peak"]) for run in done if run.get("input") is not None]
            r = by_line(pairs, len(done), next_input, min(peaks), r, care)
        if limit and not any(run["end"] == "died" for run in seen) and largest <= 0.9 * limit:
            r = min(r, limit)
    if death:
        top = max(peaks + below, default=0)
        after = 1.1 * top if 1.1 * top > max(death) else 2 * max(death)
        r = max(r or 0, after)
    return math.ceil(round(r / 16, 6)) * 16


def replay(runs, care):
    count = too_small = 0
    reserved = asked = 0
    for i, run in enumerate(runs):
        if not any(earlier["end"] == "finished" for earlier in runs[:i]):
            continue
        r = request(runs[:i], care, run.get("input"), run.get("limit"))
        if run["end"] == "finished":
            small = run["peak"] > r
        elif run["end"] == "died" and r <= (run.get("limit") or run["peak"]):
            small = True
        else:
            continue
        count += 1
        too_small += small
        if run.get("asked"):
            reserved += r * run["seconds"]
            asked += run["asked"] * run["seconds"]
    return count, too_small, 1 - reserved / asked if asked else None


if __name__ == "__main__":
    question = json.load(sys.stdin)
    count, too_small, less = replay(question["runs"], question["care"])
    print(json.dumps({
        "memory": request(question["runs"], question["care"], question["input"], question["limit"]),
        "runs": count, "too_small": too_small, "reserved_less": less if less is None else round(less, 4)}))
