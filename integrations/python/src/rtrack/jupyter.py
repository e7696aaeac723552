"""Magics of IPython and Jupyter: %%rtrack tracks the kernel, and shows the page of its run beneath the cell."""

import html

from IPython.core.magic import Magics as Base
from IPython.core.magic import cell_magic, line_magic, magics_class
from IPython.display import HTML, display

from .library import start
from .parts import Part
from .runs import page


def show():
    """The page stands in a frame of its own, so neither its style nor its script meets the notebook's."""
    text = html.escape(page(), quote=True)
    return display(HTML(f'<iframe srcdoc="{text}" style="width: 100%; height: 700px; border: 0"></iframe>'))


@magics_class
class Magics(Base):
    @cell_magic("rtrack")
    def cell(self, line, cell):
        """%%rtrack [NAME]: runs the cell as a part of that name, then shows the page of the kernel's run."""
        start()
        with Part(line.strip() or f"cell {self.shell.execution_count}"):
            result = self.shell.run_cell(cell)
        show()
        if not result.success:
            # IPython has shown the error; a cell that follows in "run all" must not run.
            result.raise_error()

    @line_magic("rtrack")
    def line(self, line):
        """%rtrack: shows the page of the kernel's run."""
        start()
        show()
