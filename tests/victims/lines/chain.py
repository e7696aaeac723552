# Functions that call each other. The name of each function begins with its caller's name, so the names show whether a
# stack is valid.
import sys
import time

source = []


def make(name, depth):
    below = [] if depth == 0 else [name + letter for letter in "pqr"]
    source.append(f"def {name}(n):\n    x = 0\n    for i in range(n):\n        x += i * i\n" +
                  "".join(f"    {one}(n)\n" for one in below) + "    return x\n")
    for one in below:
        make(one, depth - 1)


make("a", 5)
exec(compile("\n".join(source), "chain_functions.py", "exec"))
end = time.time() + float(sys.argv[1])
while time.time() < end:
    a(int(sys.argv[2]))
