#!/usr/bin/env bats
# Tests of notebooks: a run is named after its notebook, whichever program executes it, and each measured cell prints
# two lines of usage.

bats_require_minimum_version 1.5.0
load ../lib/helper

# setup installs Jupyter's server, kernel and nbconvert, from PyPI.
setup() {
	cd "$BATS_TEST_TMPDIR"
	venv jupyter -r "$PROJECT/tests/jobs/locks/jupyter.txt"
	export PYTHONPATH=$PROJECT/integrations/python/src PATH=$BUILD:$(dirname "$PYTHON"):$PATH PYTHONDONTWRITEBYTECODE=
	export PYTHONPYCACHEPREFIX=$BUILD/pycache HOME=$PWD JUPYTER_PLATFORM_DIRS=1
	mkdir "with a space"
	"$PYTHON" - <<-'END'
		import nbformat.v4 as v4

		sources = "%load_ext rtrack", "%%rtrack adding\nx = sum(range(120000000))\nx", "%%rtrack waiting\nimport asyncio\nawait asyncio.sleep(0)", "%%rtrack failing\n1 / 0"
		notebook = v4.new_notebook(cells=[v4.new_code_cell(source) for source in sources])
		open("with a space/a study.ipynb", "w").write(v4.writes(notebook))
	END
}

# as_it_should: the output of all cells of the notebook is correct.
as_it_should() {
	grep -qE '^adding: [0-9.]+ s, CPU [0-9.e-]+ s$' out
	grep -qE '^peak memory (at most )?[0-9.]+ MiB, .* read, .* written$' out
	[ "$(grep -c 'page of the run' out)" -eq 3 ]
	[ "$(grep -c '^error ZeroDivisionError' out)" -eq 1 ]
	fails grep -q '^stream' out
}

# by_a_page NAME: runs the cells as a web page does, with a session over REST and messages over a websocket. NAME is the
# name that the page sends.
by_a_page() { # NAME
	cat >page.py <<-'END'
		import asyncio, json, os, subprocess, sys, time, urllib.request, uuid
		import nbformat
		from tornado.websocket import websocket_connect

		def ask(path, body=None):
		    request = urllib.request.Request(url + path, json.dumps(body).encode() if body else None, {"Authorization": "token " + token})
		    return json.load(urllib.request.urlopen(request, timeout=30))

		async def run(socket, source):
		    message = {"msg_type": "execute_request", "msg_id": uuid.uuid4().hex, "session": "page", "username": "", "version": "5.3"}
		    content = {"code": source, "silent": False, "store_history": True, "user_expressions": {}, "allow_stdin": False}
		    await socket.write_message(json.dumps(
		        {"header": message, "parent_header": {}, "metadata": {}, "content": content, "channel": "shell", "buffers": []}))
		    while True:
		        answer = json.loads(await asyncio.wait_for(socket.read_message(), 60))
		        if answer["parent_header"].get("msg_id") != message["msg_id"]:
		            continue
		        kind, content = answer["msg_type"], answer["content"]
		        if kind == "display_data":
		            print(content["data"]["text/plain"], content["data"]["text/html"], sep="\n")
		        elif kind == "error":
		            print(kind, content["ename"])
		        elif kind == "stream":
		            print(kind, content["text"])
		        elif kind == "status" and content["execution_state"] == "idle":
		            return

		async def main():
		    path = "with a space/a study.ipynb"
		    answer = ask("api/sessions", {"path": path, "type": "notebook", "name": sys.argv[1], "kernel": {"name": "python3"}})
		    kernel = answer["kernel"]["id"]
		    socket = await websocket_connect(f"{url.replace('http', 'ws')}api/kernels/{kernel}/channels?token={token}")
		    for cell in nbformat.read(path, 4).cells:
		        await run(socket, cell.source)

		token = uuid.uuid4().hex
		log = open("server.log", "w")
		server = subprocess.Popen(["jupyter", "server", "--allow-root", "--ip=127.0.0.1", "--port=0", "--IdentityProvider.token=" + token],
		                          stdout=log, stderr=log)
		try:
		    for _ in range(600):
		        found = subprocess.run(["jupyter", "server", "list", "--jsonlist"], capture_output=True).stdout
		        if found and json.loads(found):
		            break
		        time.sleep(0.1)
		    url = json.loads(found)[0]["url"]
		    asyncio.run(main())
		finally:
		    server.terminate()
		    server.wait()
	END
	"$PYTHON" page.py "$1" >out 2>err || { cat err server.log; false; }
}

@test "notebooks: a run is named after its notebook in JupyterLab (simulated)" {
	by_a_page "a study.ipynb"
	as_it_should
	[ "$(json job "$(only_run)/run.json")" = 'a study.ipynb' ]
	page=$(sed -n 's/.*<a href="\([^"]*\)" target="_blank">page of the run<.*/\1/p' out | head -n 1)
	grep -qF '<bdi>adding</bdi>' "with a space/$page"
}

@test "notebooks: a run is named after its notebook in a classic page (simulated)" {
	by_a_page ""
	as_it_should
	[ "$(json job "$(only_run)/run.json")" = 'a study.ipynb' ]
}

@test "notebooks: nbconvert names the run after the notebook, also under rtrack-run" {
	jupyter nbconvert --to notebook --execute --allow-errors --output out.ipynb "with a space/a study.ipynb" 2>err || { cat err; false; }
	[ "$(json job "$(only_run)/run.json")" = 'a study.ipynb' ]
	jq -e '[.cells[].outputs[] | select(.output_type == "error")] | length == 1' "with a space/out.ipynb"
	jq -e '[.cells[].outputs[] | select(.output_type == "stream")] == []' "with a space/out.ipynb"
	[ "$(jq '[.cells[].outputs[] | select(.data["text/html"] // [] | tostring | contains("page of the run"))] | length' \
		"with a space/out.ipynb")" -eq 3 ]
	export RTRACK_SPOOL=$PWD/second
	RTRACK_INTERVAL=0.1 rtrack-run --job mine jupyter nbconvert --to notebook --execute --allow-errors --output out.ipynb "with a space/a study.ipynb" 2>err
	[ "$(rtrack-report show --format json | jq -c '[.run.job, (.parts | map(.name))]')" = '["mine",["adding","waiting","failing"]]' ]
	# The magic is line 1 of the second cell.
	jq -r '.cells[1].outputs[] | .data["text/plain"] // [] | if type == "array" then join("") else . end' "with a space/out.ipynb" >told
	grep -qE '^In \[2\] line 2: CPU .*  x = sum\(range\(120000000\)\)$' told || { cat told; false; }
	rtrack-report show --by line >told
	grep -q ' In \[2\] line 2 in <module>  x = sum(range(120000000))$' told || { cat told; false; }
}

# VS Code and Quarto pass the notebook's name in a variable. Neither program is installed, so the test sets the
# variables.
@test "notebooks: VS Code and Quarto (both simulated) name the run after the notebook" {
	cat >session.py <<-'END'
		import os, sys
		from IPython.core.interactiveshell import InteractiveShell

		shell = InteractiveShell.instance()
		if sys.argv[1] == "code":
		    shell.user_ns["__vsc_ipynb_file__"] = "/home/ada/by code.ipynb"
		else:
		    os.environ["QUARTO_DOCUMENT_FILE"] = "by quarto.qmd"
		shell.run_cell("%load_ext rtrack")
		assert shell.run_cell("%%rtrack one\n1").success
	END
	for how in code quarto; do
		RTRACK_SPOOL=$PWD/$how "$PYTHON" session.py $how >out 2>&1
		fails grep -qi warning out
	done
	[ "$(json job code/*/run.json)" = 'by code.ipynb' ]
	[ "$(json job quarto/*/run.json)" = 'by quarto.qmd' ]
}
