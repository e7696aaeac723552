# SPDX-License-Identifier: Apache-2.0
"""Prints a figure and its bar as text. After to_json, also writes them as a line of JSON."""
import json
import statistics

lines = None
section = ""


def to_json(path):
    global lines
    lines = open(path, "a", encoding="utf-8")  # pylint: disable=consider-using-with


def heading(text):
    global section
    section = text
    print("\n%-58s %10s %-4s %-20s %-14s" % (text, "median", "", "middle half", "bar"))


def line(what, figure, unit, spread=None, bar="", verdict=""):
    if lines:
        try:
            figure_of = float(figure)
        except ValueError:
            figure_of = figure
        print(json.dumps({"section": section, "what": what.strip(), "figure": figure_of, "unit": unit, "spread": spread,
                          "bar": bar, "verdict": verdict}), file=lines, flush=True)
    spread = "" if spread is None else "%.2f … %.2f" % spread
    print("%-58s %10s %-4s %-20s %-14s %s" % (what, figure, unit, spread, bar, verdict), flush=True)


def middle_half(values):
    if len(values) < 2:
        return values[0], values[0]
    low, _, high = statistics.quantiles(values, n=4, method="inclusive")
    return low, high


def judged(value, bar, spread=None):
    """Compares a median with its bar. Above the bar, the result is unclear if the middle half reaches below the bar."""
    if value <= bar:
        return "met"
    return "unclear" if spread and spread[0] <= bar else "MISSED"
