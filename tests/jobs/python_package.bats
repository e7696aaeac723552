#!/usr/bin/env bats
# Tests of the Python package rtrack: marks, parts, reading runs, and a cell magic for IPython, which comes from PyPI

bats_require_minimum_version 1.5.0
load ../lib/helper
load ../lib/jobs
load ../lib/recipes

setup() {
	PYTHON=/usr/bin/python3
	need python3
	[ -x $PYTHON ] || PYTHON=$(command -v python3)
	cd "$BATS_TEST_TMPDIR"
	export PYTHONPATH=$PROJECT/integrations/python/src PATH=$BUILD:$PATH PYTHONDONTWRITEBYTECODE= PYTHONPYCACHEPREFIX=$BUILD/pycache
	ln -s "$PYTHON" python
	PATH=$PWD:$PATH
}

# needs_ipython: skips the test if IPython cannot be installed.
needs_ipython() {
	venv ipython -r "$PROJECT/tests/jobs/locks/ipython.txt"
}

parts() {
	"$BUILD/rtrack-report" show -v "$@" --format json | jq -c '.parts'
}

@test "Python package: the example of docs/integrations.md works" {
	recipe Python python >fit.py
	python fit.py >out
	[ "$(json job "$(only_run)/run.json")" = fit.py ]
	[ "$(json status "$(only_run)/run.json")" = finished ]
	python -c 'import ast, sys; assert max(ast.literal_eval(sys.stdin.read())) > 5' <out
	[ "$(column "$(only_run)/mark.csv" label | paste -sd,)" = '"all is loaded","begin training","end training","begin scoring","end scoring"' ]
	recipe Python sh 2 >commands
	RTRACK_SPOOL=$PWD/second sh -e commands >out
	grep -qE '1 .* training' out && grep -qE '1 .* scoring' out
	[ "$(json tracker.mode second/*/run.json)" = launcher ]
}

@test "Python package: pip installs it, and python -m rtrack finds the library" {
	needs_ipython
	cp -r "$PROJECT/integrations" .
	recipe Python sh | sed "s|^pip install|'$PYTHON' -m pip install --quiet --disable-pip-version-check --no-index --no-build-isolation --target new|" >command
	sh -e command
	export PYTHONPATH=$PWD/new
	[ "$(python -m rtrack path)" = "$LIBRARY" ]
	[ "$(python -m rtrack path rtrack-run)" = "$BUILD/rtrack-run" ]
	run --separate-stderr env PATH=/nowhere "$PYTHON" -m rtrack path nothing-of-that-name
	[ "$status" -eq 125 ]
	[[ "$stderr" == "python -m rtrack: cannot find nothing-of-that-name"* ]]
}

@test "Python package: a part has the CPU time and memory that its code used" {
	cat >job.py <<-'END'
		import time
		import rtrack

		def work(seconds):
		    end = time.process_time() + seconds
		    while time.process_time() < end:
		        pass

		work(0.3)
		before = time.process_time()
		with rtrack.part("fit"):
		    held = bytearray(200 << 20)
		    work(0.5)
		between = time.process_time()
		del held

		@rtrack.part
		def rest():
		    work(0.2)

		rest()
		rest()
		print(between - before, time.process_time() - between)
	END
	preload python job.py >used
	parts
	# Rows coincide with the start and end of the part, so its CPU time is exact. process_time includes the
	# tracker's CPU time.
	near "$(parts | jq '.[0].cpu_seconds')" "$(cut -d' ' -f1 used)" 0.03 0.03
	near "$(parts | jq '.[1].cpu_seconds')" "$(cut -d' ' -f2 used)" 0.03 0.03
	parts | jq -e 'map([.name, .times, .ended]) == [["fit", 1, true], ["rest", 2, true]]'
	parts | jq -e '.[0].peak_memory_mib > 200 and .[1].peak_memory_mib < 100'
}

@test "Python package: a generator is in its part only while it computes an item" {
	cat >job.py <<-'END'
		import asyncio, time
		import rtrack

		used = {"plain": 0, "async": 0}
		def work(seconds, name=None):
		    begun = time.process_time()
		    while time.process_time() < begun + seconds:
		        pass
		    if name:
		        used[name] += time.process_time() - begun

		@rtrack.part("plain")
		def plain():
		    try:
		        for i in range(3):
		            work(0.1, "plain")
		            got = yield i
		            assert got == (None if i < 2 else "sent"), got
		    except KeyError:
		        yield "caught"
		    return "done"

		@rtrack.part("async")
		async def asynchronous():
		    for i in range(3):
		        work(0.1, "async")
		        yield i
		        await asyncio.sleep(0)

		one = plain()
		assert [next(one), next(one)] == [0, 1]
		work(0.4)
		assert next(one) == 2
		try:
		    one.send("sent")
		except StopIteration as end:
		    assert end.value == "done"
		other = plain()
		next(other)
		assert other.throw(KeyError()) == "caught"
		other.close()

		async def consume():
		    items = []
		    async for item in asynchronous():
		        work(0.2)
		        items.append(item)
		    assert items == [0, 1, 2]
		    early = asynchronous()
		    assert await early.asend(None) == 0
		    await early.aclose()

		asyncio.run(consume())
		many = rtrack.part("many", exact=False)(lambda: (yield from range(5000)))
		assert sum(many()) == 12497500
		print(used["plain"], used["async"])
	END
	preload python job.py >used
	parts
	# The time of the consumer, 0.4 and 0.6 s, is not in the parts.
	near "$(parts | jq '.[] | select(.name == "plain") | .cpu_seconds')" "$(cut -d' ' -f1 used)" 0.05 0.05
	near "$(parts | jq '.[] | select(.name == "async") | .cpu_seconds')" "$(cut -d' ' -f2 used)" 0.05 0.05
	parts | jq -e 'map([.name, .ended]) == [["plain", true], ["async", true], ["many", true]]'
	[ "$(grep -c many "$(only_run)/mark.csv")" = 2000 ]
}

@test "Python package: start after stop begins a second run" {
	cat >job.py <<-'END'
		import multiprocessing, time
		import rtrack

		def burn(seconds):
		    end = time.process_time() + seconds
		    while time.process_time() < end:
		        pass

		first = rtrack.start(job="first")
		with rtrack.part("one"):
		    burn(0.5)
		assert rtrack.stop() and rtrack.current() is None
		burn(0.5)
		second = rtrack.start(job="second", tags={"n": "2"})
		assert second and second != first, (first, second)
		with rtrack.part("two"):
		    burn(0.3)
		worker = multiprocessing.get_context("fork").Process(target=burn, args=(0.2,))
		worker.start()
		worker.join()
	END
	python job.py
	[ "$(jq -c '[.job, .status, .labels]' "$RTRACK_SPOOL"/*/run.json | sort | paste -sd' ')" = \
		'["first","finished",{}] ["second","finished",{"n":"2"}]' ]
	"$BUILD/rtrack-report" show -v --format json first | jq -e '[.parts[].name] == ["one"]'
	"$BUILD/rtrack-report" show -v --format json second | jq -e '[.parts[].name] == ["two"] and .parts[0].cpu_seconds < 0.4'
	# The second run has the part and the worker, but not what was before.
	"$BUILD/rtrack-report" stats --format json second | jq -e '.totals | .cpu_seconds > 0.45 and .cpu_seconds < 0.8 and .processes == 2'
	# Under LD_PRELOAD, the environment names the first run, so no second run can begin.
	rm -r "$RTRACK_SPOOL"
	printf '%s\n' 'import rtrack' 'assert rtrack.current() and rtrack.stop()' 'print(rtrack.current(), rtrack.start())' >job.py
	[ "$(preload python job.py 2>err)" = "None None" ]
	grep -q 'rtrack.start: no run can begin in this process' err || { cat err; false; }
	only_run
}

@test "Python package: without the library, marks and parts do nothing" {
	cat >job.py <<-'END'
		import asyncio
		import rtrack

		@rtrack.part("waiting")
		async def wait():
		    await asyncio.sleep(0)
		    return 3

		@rtrack.part("giving")
		def give():
		    yield from (1, 2)

		assert not rtrack.mark("a\0b") and not rtrack.flush() and not rtrack.stop()
		assert asyncio.run(wait()) == 3 and list(give()) == [1, 2]
		assert rtrack.current() is None
		try:
		    with rtrack.part("failing"):
		        raise KeyError("mine")
		except KeyError as error:
		    print(error)
	END
	[ "$(python job.py)" = "'mine'" ]
	[ ! -e "$RTRACK_SPOOL" ]
	[ "$(preload python job.py 2>&1 | tail -n 1)" = AssertionError ]
	sed -i '/^assert not\|^assert rtrack/d' job.py
	rm -r "$RTRACK_SPOOL"
	preload python job.py
	[ "$(parts | jq -c 'map([.name, .ended])')" = '[["waiting",true],["giving",true],["failing",true]]' ]
	cat >start.py <<-'END'
		import os, warnings
		import rtrack, rtrack.places

		rtrack.places.PREFIXES, os.environ["PATH"], os.environ["HOME"] = (), "", os.getcwd()
		with warnings.catch_warnings(record=True) as told:
		    warnings.simplefilter("always")
		    assert rtrack.start(job="mine") is None
		print(*(warning.message for warning in told))
	END
	[[ $(python start.py) == "rtrack.start: this process is not tracked: cannot find librtrack.so"* ]]
}

@test "Python package: a second start and a start under RTRACK=off have no effect" {
	cat >job.py <<-'END'
		import multiprocessing, os
		import rtrack

		def child(here):
		    assert rtrack.current() == here, (rtrack.current(), here)
		    with rtrack.part("in a child"):
		        pass
		    os._exit(7)

		here = rtrack.start(job="named", interval=0.5, tags={"team": "x", "of": "a, b"})
		if os.environ.get("RTRACK") == "off":
		    assert here is None
		else:
		    assert os.path.isdir(here) and rtrack.start(job="other") == here
		    assert "RTRACK_JOB" not in os.environ
		    worker = multiprocessing.get_context("fork").Process(target=child, args=(here,))
		    worker.start()
		    worker.join()
		    assert worker.exitcode == 7
		    assert rtrack.stop() and not rtrack.mark("too late")
	END
	python job.py
	[ "$(jq -c '[.job, .interval, .labels]' "$(only_run)/run.json")" = '["named",0.5,{"team":"x","of":"a, b"}]' ]
	[ "$(parts | jq -c 'map([.name, .ended])')" = '[["in a child",true]]' ]
	RTRACK_SPOOL=$PWD/none RTRACK=off python job.py
	[ ! -e none ]
}

@test "Python package: a program that ends by os._exit has an end and figures" {
	cat >job.py <<-'END'
		import multiprocessing, os, sys
		import rtrack

		rtrack.start(job=sys.argv[1])
		if sys.argv[1] == "works":
		    held = bytearray(100 << 20)
		    worker = multiprocessing.get_context("fork").Process(target=sum, args=(range(1000000),))
		    worker.start()
		    worker.join()
		    assert worker.exitcode == 0
		try:
		    os._exit("a")
		except TypeError as error:
		    assert "str" in str(error) and os._exit.__name__ == "_exit", error
		os._exit(status=int(sys.argv[2]))
	END
	python job.py works 0
	fails python job.py fails 3
	python job.py "ends at once" 0
	[ "$(jq -c '[.job, .status, .exit_code]' "$RTRACK_SPOOL"/*/run.json | sort | paste -sd' ')" = '["ends at once","finished",0] ["fails","failed",3] ["works","finished",0]' ]
	"$BUILD/rtrack-report" stats --format json works | jq -e '.totals | .peak_memory_mib >= 100 and .cpu_seconds > 0 and .processes == 2'
	[ "$("$BUILD/rtrack-report" recommend --format json works | jq '.resources.memory >= 100')" = true ]
}

@test "Python package: a run can be read as a dict, or into pandas, polars or arrow" {
	"$BUILD/rtrack-run" --job first true
	cat >job.py <<-'END'
		import sys, types
		import rtrack

		run = rtrack.read("first")
		assert run["run"]["job"] == "first"
		assert len(run["process"]["timestamp"]) == len(run["process"]["memory_mib"]) > 0
		assert run["process"]["gpu_usage"] == [None] * len(run["process"]["timestamp"])
		assert rtrack.read("first", table="start")["command"] == ["true"]
		assert rtrack.page("first").startswith("<!DOCTYPE html>")
		sys.modules["pandas"] = types.SimpleNamespace(DataFrame=lambda columns: ("frame", sorted(columns)))
		assert rtrack.read("first", table="exit", frame="pandas")[0] == "frame"
		sys.modules["pyarrow"] = types.SimpleNamespace(table=lambda columns: ("table", sorted(columns)))
		assert rtrack.read("first", table="exit", frame="arrow")[0] == "table"
		try:
		    rtrack.read("no-run")
		except ValueError as error:
		    print(error)
	END
	python job.py >out
	grep -q "^rtrack-report: .*no-run" out
}

@test "Python package: pandas, polars and pyarrow get numeric columns" {
	venv frames -r "$PROJECT/tests/jobs/locks/frames.txt"
	"$BUILD/rtrack-run" --job first sh -c 'sleep 0.1'
	"$PYTHON" - <<-'END'
		import pandas, polars, pyarrow
		import rtrack

		rows = rtrack.read("first", table="process")
		frames = {name: rtrack.read("first", frame=name)["process"] for name in ("pandas", "polars", "arrow")}
		assert isinstance(frames["pandas"], pandas.DataFrame) and isinstance(frames["polars"], polars.DataFrame)
		assert isinstance(frames["arrow"], pyarrow.Table)
		for frame in frames.values():
		    assert frame.shape == (len(rows["timestamp"]), len(rows))
		assert frames["pandas"]["memory_mib"].max() == max(rows["memory_mib"])
		assert frames["polars"]["memory_mib"].max() == max(rows["memory_mib"])
		assert frames["arrow"]["memory_mib"].to_pylist() == rows["memory_mib"]
	END
}

@test "Python package: %%rtrack records a cell as a part and prints the cell's usage" {
	needs_ipython
	export IPYTHONDIR=$PWD/ipython HOME=$PWD JPY_SESSION_NAME=/home/ada/a\ study.ipynb
	cat >session.py <<-'END'
		from IPython.core.interactiveshell import InteractiveShell
		from IPython.utils.capture import capture_output

		shell = InteractiveShell.instance()
		shell.run_cell("%load_ext rtrack")
		with capture_output() as shown:
		    assert shell.run_cell("%%rtrack adding\nx = 1 + 1").success
		assert shell.user_ns["x"] == 2
		[output] = shown.outputs
		# The cell ends after a fixed CPU time, so a busy machine takes as many samples, but more slowly. The
		# loop has two lines, because the usage of a line is recorded when the next line begins.
		busy = "%%rtrack busy\nimport time\nend = time.process_time() + 3\nkept = []\nwhile time.process_time() < end:\n"
		busy += "    kept.append(b'x' * 20000)\n    sum(range(2000))"
		with capture_output() as long:
		    assert shell.run_cell(busy).success
		print(long.outputs[0].data["text/plain"])
		print(output.data["text/plain"])
		print(output.data["text/html"])
		with capture_output() as shown:
		    assert shell.run_cell("%%rtrack waiting\nimport asyncio\nawait asyncio.sleep(0)\ny = 3").success
		    assert shell.user_ns["y"] == 3
		    assert shell.run_cell("%%time\n%%rtrack timed\nz = 4").success
		    assert shell.user_ns["z"] == 4
		with capture_output() as shown:
		    assert not shell.run_cell("%%rtrack failing\n1 / 0").success
		print("tracebacks", shown.stdout.count("Traceback"))
		with capture_output() as shown:
		    assert shell.run_cell("%rtrack").success
		print(shown.stderr, shown.outputs[0].data["text/html"])
	END
	"$PYTHON" session.py >out 2>&1
	grep -qE '^adding: [0-9.e-]+ s, CPU [0-9.e-]+ s$' out
	grep -qE '^peak memory (at most )?[0-9.]+ MiB, .* read, .* written$' out
	page=$(sed -n 's/.*<a href="\([^"]*\)" target="_blank">page of the run<.*/\1/p' out)
	grep -qF '<bdi>adding</bdi>' "$page"
	# The magic is line 1. The lines are printed with their text.
	[ "$(grep -cE '^In \[1\] line [567]: CPU [0-9.e-]+ s' out)" -ge 2 ]
	grep -qE '^In \[1\] line 7: CPU [0-9.e-]+ s(, memory grew [0-9.e+]+ [MG]iB)?  sum\(range\(2000\)\)$' out
	grep -qx 'tracebacks 1' out
	fails grep -q Warning out
	grep -q '^<iframe srcdoc="&lt;!DOCTYPE html' out
	grep -qF '&lt;bdi&gt;adding&lt;/bdi&gt;' out
	[ "$(parts | jq -c 'map(.name)')" = '["adding","busy","waiting","timed","failing"]' ]
	[ "$("$BUILD/rtrack-report" show --format json | jq -r .run.job)" = 'a study.ipynb' ]
}
