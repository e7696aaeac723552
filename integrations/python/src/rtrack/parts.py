# SPDX-License-Identifier: Apache-2.0
"""Named parts of a program. `rtrack-report show`, the page and JSON show the usage of the job during each part."""

import functools
import inspect

from .library import flush, mark


class Part:
    """A context manager and a decorator. It may be used many times, and by many threads and processes at once."""

    def __init__(self, name, exact=True):
        self.name = str(name)
        self.exact = exact

    def __enter__(self):
        if self.exact:
            flush()
        mark(f"begin {self.name}")
        return self

    def __exit__(self, *exception):
        mark(f"end {self.name}")
        if self.exact:
            flush()
        return False

    def __call__(self, function):
        if inspect.iscoroutinefunction(function):

            @functools.wraps(function)
            async def wrapped(*arguments, **named):
                with self:
                    return await function(*arguments, **named)

        elif inspect.isgeneratorfunction(function):

            @functools.wraps(function)
            def wrapped(*arguments, **named):
                with self:
                    return (yield from function(*arguments, **named))

        else:

            @functools.wraps(function)
            def wrapped(*arguments, **named):
                with self:
                    return function(*arguments, **named)

        return wrapped


def part(name, exact=True):
    """A part of the program: `with part("training"):`, `@part("training")`, or `@part` alone, by the function's name.

    exact: writes a row of every series at the beginning and at the end of the part, if this process hosts the sampler.
    Such a row costs about as much as a sample. Pass False for a part that runs a thousand times a second.
    """
    if callable(name):
        return Part(getattr(name, "__qualname__", type(name).__name__), exact)(name)
    return Part(name, exact)
