"""A small data job of the usual kind: writes measurements, counts and sums them in parallel processes, compresses a
file with another program, and prints a table. Python's standard library only.

    LD_PRELOAD=/usr/local/lib/librtrack.so python3 examples/job.py
"""
import collections
import csv
import math
import multiprocessing
import os
import random
import statistics
import subprocess
import sys
import tempfile

PARTS = 8
ROWS = 40000
SITES = 24


def write_part(path, seed):
    generator = random.Random(seed)
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        for _ in range(ROWS):
            hour = generator.uniform(0, 24)
            load = 40 + 2 * math.sin(hour / 12 * math.pi) + generator.gauss(0, 1)
            writer.writerow([generator.randrange(SITES), f"{hour:.3f}", f"{load:.3f}"])


def sum_part(path):
    loads = collections.defaultdict(list)
    with open(path, newline="") as file:
        for site, _hour, load in csv.reader(file):
            loads[int(site)].append(float(load))
    return {site: (len(values), statistics.fmean(values), statistics.pstdev(values)) for site, values in loads.items()}


def main():
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, f"part-{number}.csv") for number in range(PARTS)]
        with multiprocessing.Pool(2) as pool:
            pool.starmap(write_part, zip(paths, range(PARTS)))
            parts = pool.map(sum_part, paths)

        whole = os.path.join(folder, "whole.csv")
        with open(whole, "wb") as file:
            subprocess.run(["sort", "-t,", "-k1,1n", *paths], stdout=file, check=True, env={**os.environ, "LC_ALL": "C"})
        subprocess.run(["gzip", "-9", whole], check=True)
        print(f"{PARTS * ROWS} measurements, {os.path.getsize(whole + '.gz')} bytes compressed")

    for site in range(5):
        count = sum(part[site][0] for part in parts)
        mean = sum(part[site][0] * part[site][1] for part in parts) / count
        print(f"site {site}: {count} measurements, mean load {mean:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
