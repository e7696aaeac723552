# SPDX-License-Identifier: Apache-2.0
"""Jobs for scripts/bench-memory with real packages from PyPI (bench/package-jobs.txt) and Debian, in the states that users
have: a virtual environment, an entry script, pools that are terminated, processes that are killed at the end, limits.

The rows have the form of bench/memory_jobs.py. A job that starts with {entry} is a shell script and the files beside it.
{bin} is the folder of the environment's programs, {tmp} the folder of the job."""
import textwrap


def script(text):
    return ["{script}", textwrap.dedent(text)]


def entry(text, files=None):
    """A shell script, and the files that are written beside it."""
    command = ["{entry}", textwrap.dedent(text)]
    for name, content in (files or {}).items():
        command += [name, textwrap.dedent(content)]
    return command


def r(text):
    return ["Rscript", "-e", textwrap.dedent(text)]


ACTIVATED = """
    . {bin}/activate
    exec python job.py
"""

TABLES = [
    ("pandas groupby, activated environment", entry(ACTIVATED, {"job.py": """
        import numpy, pandas
        n = 3_000_000
        frame = pandas.DataFrame({"key": numpy.random.randint(0, 50_000, n), "value": numpy.random.rand(n)})
        print(len(frame.groupby("key").agg({"value": ["mean", "max"]})))
        print(frame.sort_values("value").head())
        """})),
    ("pandas merge", script("""
        import numpy, pandas
        n = 1_500_000
        left = pandas.DataFrame({"key": numpy.random.randint(0, 300_000, n), "a": numpy.random.rand(n)})
        right = pandas.DataFrame({"key": numpy.arange(300_000), "b": numpy.random.rand(300_000), "c": "text"})
        print(left.merge(right, on="key").groupby("c")["b"].mean())
        """)),
    ("polars lazy group_by", script("""
        import polars
        frame = polars.LazyFrame({"key": range(3_000_000)}).with_columns(
            (polars.col("key") * 7 % 100_003).alias("group"), (polars.col("key") * 0.5).alias("value"))
        for _ in range(3): print(frame.group_by("group").agg(polars.col("value").sum()).sort("value").collect().height)
        """)),
    ("polars join", script("""
        import polars
        left = polars.DataFrame({"key": range(2_000_000)}).with_columns((polars.col("key") % 1000).alias("group"))
        right = polars.DataFrame({"group": range(1000), "name": [str(i) * 5 for i in range(1000)]})
        for _ in range(4): print(left.join(right, on="group").group_by("name").len().height)
        """)),
    ("pyarrow Parquet", script("""
        import numpy, pyarrow, pyarrow.parquet
        table = pyarrow.table({name: numpy.random.rand(2_000_000) for name in "abcdef"})
        pyarrow.parquet.write_table(table, "table.parquet")
        del table
        for _ in range(3): print(pyarrow.parquet.read_table("table.parquet", columns=["a", "b", "c"]).num_rows)
        """)),
    ("pandas read_csv in chunks", script("""
        import numpy, pandas
        pandas.DataFrame(numpy.random.rand(250_000, 8)).to_csv("table.csv", index=False)
        print(pandas.concat(chunk[chunk["0"] > 0.2] for chunk in pandas.read_csv("table.csv", chunksize=50_000)).shape)
        """)),
    ("pandas in Pool(4) that is terminated early", script("""
        import multiprocessing, numpy, pandas, time
        def work(number):
            frame = pandas.DataFrame(numpy.random.rand(300_000, 8))
            time.sleep(0.2 * number)
            return float(frame.sum().sum())
        if __name__ == "__main__":
            with multiprocessing.Pool(4) as pool:
                for result in pool.imap_unordered(work, range(1, 9)):
                    print(result)
                    if result > 0: break
                time.sleep(0.8)
        """)),
    ("pyarrow CSV with threads", script("""
        import numpy, pyarrow, pyarrow.csv
        pyarrow.csv.write_csv(pyarrow.table({name: numpy.random.rand(700_000) for name in "abcd"}), "table.csv")
        for _ in range(3): print(pyarrow.csv.read_csv("table.csv").num_rows)
        """)),
    ("polars streams a Parquet file", script("""
        import numpy, polars
        for part in range(3):
            polars.DataFrame({name: numpy.random.rand(1_500_000) for name in "abcd"}).write_parquet("part%d.parquet" % part)
        print(polars.scan_parquet("part*.parquet").filter(polars.col("a") > 0.5).select(polars.all().sum()).collect(engine="streaming"))
        """)),
    ("DuckDB sorts more than its memory limit", script("""
        import duckdb
        connection = duckdb.connect()
        connection.sql("set threads = 2")
        connection.sql("set memory_limit = '150MB'")
        connection.sql("set temp_directory = 'spill'")
        connection.sql("create table t as select range as i, hash(range) as h, 'text ' || range as s from range(4000000)")
        print(connection.sql("select count(*) from (select * from t order by h, s)").fetchone())
        """)),
    ("SQLite in memory", script("""
        import sqlite3
        connection = sqlite3.connect(":memory:")
        connection.execute("create table t (id integer primary key, k integer, name text)")
        connection.executemany("insert into t (k, name) values (?, ?)", ((i * 7919 % 100_003, "name %d" % i) for i in range(1_500_000)))
        connection.execute("create index by_k on t (k, name)")
        print(len(connection.execute("select name from t order by k, name").fetchall()))
        """)),
]

NUMBERS = [
    ("numpy memmap", script("""
        import numpy
        data = numpy.memmap("data", dtype="d", mode="w+", shape=20_000_000)
        data[:] = numpy.random.rand(len(data))
        data.flush()
        for _ in range(3): print(numpy.sort(data[::4]).sum())
        """)),
    ("Pillow in threads", script("""
        import concurrent.futures
        from PIL import Image
        def work(number): return Image.effect_noise((3000, 3000), 80).convert("RGB").resize((800, 800)).size
        with concurrent.futures.ThreadPoolExecutor(4) as pool: print(list(pool.map(work, range(10))))
        """)),
]

PROCESSES = [
    ("daemon processes that are terminated at the end", script("""
        import multiprocessing, time
        def work(queue, number):
            x = list(range(1_500_000))
            queue.put(len(x))
            time.sleep(60)
        if __name__ == "__main__":
            queue = multiprocessing.Queue()
            for number in range(4): multiprocessing.Process(target=work, args=(queue, number), daemon=True).start()
            print(sum(queue.get() for _ in range(4)))
            time.sleep(0.5)
        """)),
    ("workers that are killed at the end", script("""
        import os, signal, subprocess, sys, time
        code = "x = bytearray(60 << 20); x[::4096] = bytes(len(x[::4096])); print(1, flush=True); import time; time.sleep(60)"
        workers = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) for _ in range(4)]
        for worker in workers: worker.stdout.readline()
        time.sleep(0.5)
        for worker in workers: worker.kill()
        for worker in workers: worker.wait()
        """)),
    ("asyncio subprocesses, four at a time", script("""
        import asyncio, sys
        async def work(limit):
            async with limit:
                code = "x = sorted(str(i) for i in range(400_000)); import time; time.sleep(0.3)"
                return await (await asyncio.create_subprocess_exec(sys.executable, "-c", code)).wait()
        async def main():
            limit = asyncio.Semaphore(4)
            return await asyncio.gather(*(work(limit) for _ in range(10)))
        print(asyncio.run(main()))
        """)),
    ("an entry script that prepares, then execs a program that is killed", entry("""
        sh inner.sh
        [ $? = 137 ]
    """, {"inner.sh": """
        {python} prepare.py
        exec {python} job.py
    """, "prepare.py": "x = bytearray(120 << 20); x[::4096] = bytes(len(x[::4096]))", "job.py": """
        import os, signal, time
        x = bytearray(300 << 20)
        x[::4096] = bytes(len(x[::4096]))
        time.sleep(1.5)
        os.kill(os.getpid(), signal.SIGKILL)
        """})),
    ("a MemoryError that is handled, ulimit -v", entry("""
        ulimit -v 600000
        exec {python} job.py
    """, {"job.py": """
        import time
        held = []
        try:
            while True: held.append(bytearray(b"x") * (8 << 20))
        except MemoryError: del held[len(held) // 2:]
        time.sleep(1)
        print(len(held))
        """})),
    ("timeout before each step of an entry script", entry("""
        for step in 1 2 3 4; do timeout 60 {python} job.py; done
    """, {"job.py": """
        import time
        x = list(range(4_000_000))
        time.sleep(0.4)
        """})),
    ("uvicorn with two workers, killed at the end", entry("""
        rm -f {tmp}/socket
        timeout -s KILL 4 {bin}/python -m uvicorn app:app --workers 2 --uds {tmp}/socket --log-level error
        [ $? = 137 ]
    """, {"app.py": """
        data = bytearray(90 << 20)
        data[::4096] = bytes(len(data[::4096]))
        async def app(scope, receive, send): pass
        """})),
    ("make -j3 with timeouts", entry("""
        make -s -j3
    """, {"Makefile": """
        all: a b c d e f
        a b c d e f:
        \t@timeout 60 {python} -c 'x = list(range(2500000)); import time; time.sleep(0.4)'
        """})),
    ("static programs of 40 MiB, three at a time", entry("""
        seq 9 | xargs -P 3 -I @ timeout 60 busybox awk 'BEGIN { while (i < 400000) a[i++] = i "text"; system("sleep 0.3") }'
    """)),
    ("a shell loop over 300 static programs", entry("""
        {python} -c 'x = bytearray(120 << 20); x[::4096] = bytes(len(x[::4096])); import time; time.sleep(0.5)'
        for i in $(seq 300); do busybox true; done
    """)),
    ("ProcessPoolExecutor, fork, lzma", script("""
        import concurrent.futures, lzma, random
        def work(seed):
            data = bytes(random.Random(seed).choices(b"abcd", k=300_000))
            return len(lzma.compress(data, preset=6))
        if __name__ == "__main__":
            with concurrent.futures.ProcessPoolExecutor(2) as pool:
                print(sum(pool.map(work, range(6))))
        """)),
]

LANGUAGES = [
    ("R linear model", r("""
        x <- matrix(rnorm(8e6), ncol = 20)
        for (i in 1:2) print(coef(lm.fit(x, rowSums(x)))[1])
        """)),
    ("R mcparallel, workers that are killed", r("""
        jobs <- lapply(1:4, function(i) parallel::mcparallel({ x <- runif(6e6); Sys.sleep(60); sum(x) }))
        Sys.sleep(2)
        tools::pskill(sapply(jobs, function(job) job$pid), tools::SIGKILL)
        suppressWarnings(invisible(parallel::mccollect(jobs)))
        """)),
    ("node worker_threads", ["{file:job.js}", """
const { Worker, isMainThread } = require("worker_threads");
if (isMainThread) { for (let i = 0; i < 3; i++) new Worker(__filename); }
else { const x = new Float64Array(6e6).fill(1.5); setTimeout(() => process.exit(x[7] > 1 ? 0 : 1), 1200); }
""", "node"]),
    ("node JSON", ["{file:job.js}", """
const rows = [];
for (let i = 0; i < 400000; i++) rows.push({ id: i, name: "name " + i, tags: ["a", "b"] });
const text = JSON.stringify(rows);
console.log(JSON.parse(text).length, text.length);
""", "node"]),
    ("node child processes", ["{file:job.js}", """
const { execFile } = require("child_process");
const code = "const x = Buffer.alloc(40 << 20, 1); setTimeout(() => process.exit(x[5] - 1), 700)";
const run = () => new Promise((done) => execFile(process.execPath, ["-e", code], done));
(async () => { for (let i = 0; i < 2; i++) await Promise.all([run(), run(), run()]); })();
""", "node"]),
    ("Java parallel stream, -Xmx300m", ["{file:Job.java}", """
import java.util.stream.*;
public class Job { public static void main(String[] a) {
  for (int i = 0; i < 4; i++)
    System.out.println(IntStream.range(0, 800000).parallel().mapToObj(n -> "text " + n).collect(Collectors.groupingBy(s -> s.length())).size()); } }
""", "java", "-Xmx300m"]),
    ("Perl hash", ["perl", "-e", "$h{$_} = \"text $_\" for 1 .. 1_500_000; sleep 1; print scalar(keys %h)"]),
    ("Redis, killed at the end", entry("""
        redis-server --port 0 --unixsocket {tmp}/redis --save '' >/dev/null &
        until [ -S {tmp}/redis ]; do sleep 0.1; done
        redis-benchmark -s {tmp}/redis -t set -n 500000 -r 500000 -d 200 -P 50 -q
        kill -9 $!
        wait
        rm -f {tmp}/redis
    """)),
    ("R Markdown", entry("""
        Rscript -e 'rmarkdown::render("job.Rmd", quiet = TRUE)'
    """, {"job.Rmd": """
        ---
        output: html_document
        ---
        ```{r}
        x <- data.frame(a = rnorm(2e6), b = runif(2e6)); plot(x[1:5000, ]); summary(x)
        ```
        """})),
    ("javac of a large class", entry("""
        awk 'BEGIN { print "class Job {"; for (i = 0; i < 4000; i++) print "int m" i "(int x) { String s = \\"t\\" + x; return s.length() + x * " i "; }"; print "}" }' >Job.java
        javac -J-Xmx400m -d {tmp}/classes Job.java
    """)),
    ("Go build with an empty cache, then the program", entry("""
        rm -rf {tmp}/cache
        GOCACHE={tmp}/cache GOPATH={tmp}/go GOFLAGS= GO111MODULE=off CGO_ENABLED=0 go build -p 2 -o {tmp}/job.bin job.go
        {tmp}/job.bin
    """, {"job.go": """
        package main

        import (
        \t"fmt"
        \t"sync"
        \t"time"
        )

        func main() {
        \tvar group sync.WaitGroup
        \tfor i := 0; i < 6; i++ {
        \t\tgroup.Add(1)
        \t\tgo func() {
        \t\t\tdefer group.Done()
        \t\t\tx := make([]byte, 60<<20)
        \t\t\tfor k := 0; k < len(x); k += 4096 {
        \t\t\t\tx[k] = 1
        \t\t\t}
        \t\t\ttime.Sleep(time.Second)
        \t\t\tfmt.Println(x[5])
        \t\t}()
        \t}
        \tgroup.Wait()
        }
        """})),
]

PACKAGE_JOBS = [(name, command, False) for name, command in TABLES + NUMBERS + PROCESSES + LANGUAGES]
