# ends.py COUNT: makes forks that run the functions of chain.py for some milliseconds. They end by exit, kill -9 or
# exec, or are forks of a fork. Each fork prints its pid, and begins once it has read a byte.
import os
import random
import signal
import sys
import time

count = int(sys.argv[1])
sys.argv[1:] = ["0", "3"]
exec(open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "chain.py"), encoding="utf-8").read())


def work(seconds):
    until = time.monotonic() + seconds
    while True:
        a(3)
        if time.monotonic() >= until:
            return


def begin(way):
    if way == "fork" and os.fork() > 0:
        os.wait()
        os._exit(0)
    os.write(1, b"%d\n" % os.getpid())
    os.read(0, 1)
    work(60 if way == "kill" else random.uniform(0, 0.004))
    if way == "exec":
        os.execv("/bin/true", ["true"])
    os._exit(0)


for i in range(count):
    how = ("exit", "kill", "exec", "fork")[i % 4]
    pid = os.fork()
    if pid == 0:
        begin(how)
    if how == "kill":
        time.sleep(random.uniform(0.004, 0.012))
        os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
