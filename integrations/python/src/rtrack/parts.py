# SPDX-License-Identifier: Apache-2.0
"""Named parts of a program. `rtrack-report show`, the page and JSON show the usage of the job during each part."""

import functools
import inspect

from .library import flush, mark

# After this many items, a generator no longer leaves its part between items, so that it sets only a few thousand marks.
ITEMS_MAX = 1000


class Steps:
    """Sets the marks of a generator, which is in its part only while it computes an item"""

    def __init__(self, part):
        self.name = part.name
        self.exact = part.exact
        self.inside = False
        self.count = 0
        if self.exact:
            flush()

    def __enter__(self):
        if not self.inside:
            mark(f"begin {self.name}")
        self.inside = True

    def __exit__(self, *exception):
        self.count += 1
        if self.count < ITEMS_MAX:
            self.leave()
        return False

    def leave(self):
        if self.inside:
            mark(f"end {self.name}")
        self.inside = False

    def close(self):
        self.leave()
        if self.exact:
            flush()


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

    def generate(self, inner):
        """Runs a generator like `yield from inner`."""
        steps, step, value = Steps(self), inner.send, None
        try:
            while True:
                with steps:
                    try:
                        item = step(value)
                    except StopIteration as end:
                        return end.value
                try:
                    step, value = inner.send, (yield item)
                except GeneratorExit:
                    with steps:
                        inner.close()
                    raise
                except BaseException as error:  # The caller has thrown this into the generator.
                    step, value = inner.throw, error
        finally:
            steps.close()

    def __call__(self, function):
        if inspect.iscoroutinefunction(function):

            @functools.wraps(function)
            async def wrapped(*arguments, **named):
                with self:
                    return await function(*arguments, **named)

        elif inspect.isgeneratorfunction(function):

            @functools.wraps(function)
            def wrapped(*arguments, **named):
                return (yield from self.generate(function(*arguments, **named)))

        elif inspect.isasyncgenfunction(function):

            @functools.wraps(function)
            async def wrapped(*arguments, **named):
                inner = function(*arguments, **named)
                steps, step, value = Steps(self), inner.asend, None
                try:
                    while True:
                        with steps:
                            try:
                                item = await step(value)
                            except StopAsyncIteration:
                                return
                        try:
                            step, value = inner.asend, (yield item)
                        except GeneratorExit:
                            with steps:
                                await inner.aclose()
                            raise
                        except BaseException as error:  # The caller has thrown this into the generator.
                            step, value = inner.athrow, error
                finally:
                    steps.close()

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

    A generator or an asynchronous generator is in its part only while it computes an item. `times` then counts items.
    After 1000 items, the generator stays in its part until it ends.
    """
    if callable(name):
        return Part(getattr(name, "__qualname__", type(name).__name__), exact)(name)
    return Part(name, exact)
