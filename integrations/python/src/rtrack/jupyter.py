# SPDX-License-Identifier: Apache-2.0
"""Magics for IPython and Jupyter. %%rtrack tracks the kernel, and prints the usage of a cell below it."""

import html
import json
import linecache
import os
import re
import urllib.request
from pathlib import Path

from IPython.core.magic import Magics as Base
from IPython.core.magic import cell_magic, line_magic, magics_class
from IPython.display import HTML, display

from .library import current, start
from .parts import Part
from .runs import page, report

MEMORY = ("MiB", "GiB", "TiB")
BYTES = ("B", "KiB", *MEMORY)
MAGIC = re.compile(r"%%rtrack(?:\s+(.*))?$")


def starters_words():
    """Returns the arguments of the program that started the kernel, such as nbconvert, without its output file."""
    try:
        words = Path(f"/proc/{os.getppid()}/cmdline").read_text(errors="replace").split("\0")
    except OSError:
        return []
    return [word for before, word in zip(words, words[1:]) if before != "--output" and not word.startswith("-")]


def servers_word(shell):
    """Asks the server for the notebook of this kernel. The classic notebook sets no variable with its name."""
    try:
        connection = Path(shell.config["IPKernelApp"]["connection_file"])
        kernel = connection.stem.replace("kernel-", "", 1)
        [told] = connection.parent.glob(f"*server-{os.environ['JPY_PARENT_PID']}.json")
        server = json.loads(told.read_text())
        asked = urllib.request.Request(
            server["url"] + "api/sessions", headers={"Authorization": "token " + server["token"]}
        )
        # The server is on this machine, so the proxy is bypassed.
        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with direct.open(asked, timeout=2) as answer:
            return next(session["path"] for session in json.load(answer) if session["kernel"]["id"] == kernel)
    except Exception:  # A run without its own name is better than a failing cell.
        return None


def notebook(shell):
    """Returns the name of the document according to VS Code, Jupyter's server, Quarto or the command line, or None."""
    told = (
        shell.user_ns.get("__vsc_ipynb_file__"),
        os.environ.get("JPY_SESSION_NAME"),
        os.environ.get("QUARTO_DOCUMENT_FILE"),
        *starters_words(),
    )
    known = (os.path.basename(str(path)) for path in told if str(path).endswith((".ipynb", ".qmd")))
    return next(known, None) or os.path.basename(servers_word(shell) or "") or None


def begin(shell):
    """Starts tracking this kernel, unless it is already tracked."""
    if current() is None:
        start(job=notebook(shell))


def amount(value, units, step):
    """Formats a value with three digits and a unit: 1.23 MiB."""
    if value is None:
        return "unknown"
    unit = 0
    while value >= step and unit + 1 < len(units):
        value, unit = value / step, unit + 1
    digits = f"{value:.0f}" if value >= 999.5 else f"{value:.3g}"
    return f"{digits} {units[unit]}"


def cell_of(shell, file):
    """Returns the cell that IPython compiled under this file name, as "In [3]", or None."""
    label = getattr(shell.compile, "format_code_name", lambda _: None)(file)
    return label[1].replace("[", " [", 1) if label else None


def place(shell, line):
    """Formats the position of a code line: "In [3] line 4 in load", or "model.py:4 in load"."""
    cell = cell_of(shell, line["file"])
    number = "" if line["line"] is None else f" line {line['line']}" if cell else f":{line['line']}"
    function = "" if line["function"] in ("", "<module>") else f" in {line['function']}"
    return f"{cell or os.path.basename(line['file'])}{number}{function}"


def lines_of(shell, cell, part):
    """Formats up to three code lines of a part, those with the most CPU time first, with their text.

    The first sample of a cell may contain a little time from before the cell. So code of another cell is left out,
    unless it is in a function, which this cell may have called.
    """
    told = []
    for line in part.get("lines", []):
        if not line["file"] or (line["function"] == "<module>" and cell_of(shell, line["file"]) not in (cell, None)):
            continue
        grew = line["memory_growth_mib"]
        memory = f", memory grew {amount(grew, MEMORY, 1024)}" if grew >= 1 else ""
        text = linecache.getline(line["file"], line["line"] or 0).strip()
        told.append(f"{place(shell, line)}: CPU {amount(line['cpu_seconds'], ['s'], 1)}{memory}  {text}".rstrip())
    return told[:3]


def figures(shell, cell, name):
    """Returns the usage of the named part as lines of text."""
    parts = json.loads(report("show", current(), "--format", "json"))["parts"]
    part = next(part for part in reversed(parts) if part["name"] == name)
    times = f", {part['times']} times in total" if part["times"] > 1 else ""
    peak = amount(part["peak_memory_mib"], MEMORY, 1024)
    # If a cell lies between two ticks and other processes ran, only an upper bound is known.
    if part["peak_memory_mib"] is None and part["peak_memory_at_most_mib"] is not None:
        peak = f"at most {amount(part['peak_memory_at_most_mib'], MEMORY, 1024)}"
    return [
        f"{name}{times}: {amount(part['seconds'], ['s'], 1)}, CPU {amount(part['cpu_seconds'], ['s'], 1)}",
        f"peak memory {peak}, "
        f"{amount(part['disk_read_bytes'], BYTES, 1024)} read, {amount(part['disk_write_bytes'], BYTES, 1024)} written",
        *lines_of(shell, cell, part),
    ]


def link():
    """Writes the page of the run to the notebook's folder and returns a link to it, or "" if it cannot be written."""
    name = f"rtrack-{Path(current()).name}.html"
    try:
        Path(name).write_text(page(), encoding="utf-8")
    except OSError:
        return ""
    return f' &middot; <a href="{html.escape(name, quote=True)}" target="_blank">page of the run</a>'


def tell(shell, cell, name):
    if current() is None:
        return None
    told = figures(shell, cell, name)
    text = "<br>".join(html.escape(line) for line in told) + link()
    return display({"text/plain": "\n".join(told), "text/html": f"<small>{text}</small>"}, raw=True)


def show():
    """Shows the page in an iframe, so that its style and script do not affect the notebook."""
    text = html.escape(page(), quote=True)
    # IPython warns if HTML begins with an iframe, because most of these have an address. Therefore a newline comes
    # first.
    return display(HTML(f'\n<iframe srcdoc="{text}" style="width: 100%; height: 700px; border: 0"></iframe>'))


def magic_name(lines):
    """Returns the text after %%rtrack if a cell begins with this magic, or None."""
    found = MAGIC.match(lines[0].rstrip()) if lines else None
    return (found[1] or "").strip() if found else None


class Cells:
    """Measures the cells that begin with %%rtrack.

    The cell itself is executed, without the magic: a magic cannot execute a cell that awaits, because the event loop of
    the kernel is already running. A comment takes the place of the magic, so that line numbers are those that Jupyter
    shows.
    """

    def __init__(self, shell):
        self.shell = shell
        self.running = []  # for each running cell (a cell may run another): its part or None, and its number

    def transform(self, lines):
        # A magic inside another cell magic, such as %%time, is executed as usual.
        if self.running or magic_name(lines) is None:
            return lines
        # Another cell magic must be in the first line.
        return lines[1:] if lines[1:] and lines[1].startswith("%%") else ["# " + lines[0], *lines[1:]]

    transform.has_side_effects = True  # IPython then does not call it while the user types

    def before(self, info):
        part = None
        name = magic_name(info.raw_cell.lstrip().splitlines())
        # In has the earlier cells. Some versions of IPython have already incremented execution_count.
        number = len(self.shell.user_ns.get("In", [""]))
        if name is not None and not self.running:
            begin(self.shell)
            part = Part(name or f"cell {number}")
            part.__enter__()
        self.running.append((part, number))

    def after(self, result):
        part, number = self.running.pop() if self.running else (None, None)
        if part:
            part.__exit__()
            tell(self.shell, f"In [{getattr(result, 'execution_count', None) or number}]", part.name)

    def register(self):
        self.shell.input_transformers_cleanup.append(self.transform)
        self.shell.events.register("pre_run_cell", self.before)
        self.shell.events.register("post_run_cell", self.after)

    def unregister(self):
        self.shell.input_transformers_cleanup.remove(self.transform)
        self.shell.events.unregister("pre_run_cell", self.before)
        self.shell.events.unregister("post_run_cell", self.after)


registered = []


def load(shell):
    """%load_ext rtrack: the magics %%rtrack and %rtrack."""
    shell.register_magics(Magics)
    registered.append(Cells(shell))
    registered[-1].register()


def unload():
    """%unload_ext rtrack, which %reload_ext calls first. The magics remain, as those of other extensions do."""
    while registered:
        registered.pop().unregister()


@magics_class
class Magics(Base):
    @cell_magic("rtrack")
    def cell(self, line, cell):
        """%%rtrack [NAME]: runs the cell as a part with this name, and shows its usage below the cell."""
        # Called only for a cell inside another one. IPython leaves this function out of the traceback of a cell that
        # fails.
        __tracebackhide__ = True  # noqa: F841
        begin(self.shell)
        number = len(self.shell.user_ns.get("In", ["", ""])) - 1
        name = line.strip() or f"cell {number}"
        # The inner call shows no error. Below, the error is raised again, which stops "run all", and is shown then.
        shown = self.shell.showtraceback, self.shell.showsyntaxerror
        self.shell.showtraceback = self.shell.showsyntaxerror = lambda *_, **__: None
        try:
            with Part(name):
                result = self.shell.run_cell(cell)
        finally:
            self.shell.showtraceback, self.shell.showsyntaxerror = shown
        tell(self.shell, f"In [{number}]", name)
        result.raise_error()

    @line_magic("rtrack")
    def line(self, line):
        """%rtrack: shows the page of the run of this kernel."""
        begin(self.shell)
        if current() is not None:
            show()
