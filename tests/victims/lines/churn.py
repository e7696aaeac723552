# A program whose code objects come and go: modules are imported again, functions are compiled, called and dropped, and
# C code resumes generators. Each file name that a reader finds meanwhile must exist.
import importlib
import sys
import time

end = time.time() + float(sys.argv[1])
NAMES = ("textwrap csv argparse shlex glob fnmatch tempfile subprocess json json.decoder json.encoder json.scanner "
         "dataclasses inspect difflib calendar configparser string random statistics fractions decimal").split()


def generate(n):
    for i in range(n):
        yield i


while time.time() < end:
    for name in NAMES:
        sys.modules.pop(name, None)
    for name in NAMES:
        importlib.import_module(name)
    sorted(range(30), key=lambda x: sum(generate(3)))
    list(map(lambda x: sum(generate(x)), range(10)))
    for i in range(20):
        names = ",".join("a%d" % k for k in range(i))
        values = ",".join("1" for k in range(i + 1))
        source = "def f(file, %s):\n return [x for x in map(lambda q: eval('q+1'), range(9))]\nf(%s)" % (names, values)
        exec(compile(source, __file__, "exec"), {})
