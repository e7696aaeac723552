# SPDX-License-Identifier: Apache-2.0
"""Makes a wheel of the Python package with the programs and the library of one machine in it.

    wheel.py TREE integrations/python VERSION MACHINE OUT

Programs go to the environment's bin, the library to its lib: where rtrack-run looks for it, and python -m rtrack too.
The programs are static and the library needs none, so one wheel is for glibc from 2.17 on and for musl. The same tree
gives the same bytes.
"""
import base64
import hashlib
import os
import pathlib
import re
import sys
import time
import zipfile

TAG = "py3-none-manylinux_2_17_{0}.manylinux2014_{0}.musllinux_1_1_{0}"


def contents(tree, package, version):
    """Returns the content of the wheel as pairs of a name and a file, with the programs as scripts."""
    for path in sorted((package / "src").rglob("*.py")):
        yield path.relative_to(package / "src").as_posix(), path, 0o644
    for path in sorted((tree / "usr/bin").iterdir()):
        yield "rtrack-{}.data/scripts/{}".format(version, path.name), path, 0o755
    for path in sorted((tree / "usr/lib").iterdir()):
        # rtrack-gpu loads libraries of drivers, and therefore needs a C library at least as new as the one it was built
        # with.
        if path.is_file() and path.name != "rtrack-gpu":
            yield "rtrack-{}.data/data/lib/{}".format(version, path.name), path, 0o755


def metadata(package, version):
    """Returns the core metadata, made from pyproject.toml."""
    project = (package / "pyproject.toml").read_text()
    field = lambda name: re.search(r'^%s = "(.*)"$' % name, project, re.M).group(1)
    head = ["Metadata-Version: 2.1", "Name: rtrack", "Version: " + version, "Summary: " + field("description"),
            "License: Apache-2.0", "Requires-Python: " + field("requires-python"), "Description-Content-Type: text/markdown"]
    return "\n".join(head) + "\n\n" + (package / "README.md").read_text()


def digest(data):
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def main(tree, package, version, machine, out):
    tree, package = pathlib.Path(tree), pathlib.Path(package)
    tag = TAG.format(machine)
    # A zip archive cannot contain dates before 1980.
    moment = time.gmtime(max(int(os.environ["SOURCE_DATE_EPOCH"]), 315532800))[:6]
    wheel = "\n".join(["Wheel-Version: 1.0", "Generator: rtrack", "Root-Is-Purelib: false"]
                      + ["Tag: py3-none-" + each for each in tag.split("-", 2)[2].split(".")]) + "\n"
    made = [("METADATA", metadata(package, version)), ("WHEEL", wheel), ("LICENSE", pathlib.Path("LICENSE").read_text())]
    record = []
    name = "rtrack-{}-{}.whl".format(version, tag)
    with zipfile.ZipFile(os.path.join(out, name), "w", zipfile.ZIP_DEFLATED) as archive:
        def put(path, data, mode):
            info = zipfile.ZipInfo(path, moment)
            info.external_attr = (0o100000 | mode) << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            info.create_system = 3
            archive.writestr(info, data)

        for path, source, mode in contents(tree, package, version):
            data = source.read_bytes()
            put(path, data, mode)
            record.append("{},{},{}".format(path, digest(data), len(data)))
        for path, text in made:
            path = "rtrack-{}.dist-info/{}".format(version, path)
            put(path, text.encode(), 0o644)
            record.append("{},{},{}".format(path, digest(text.encode()), len(text.encode())))
        path = "rtrack-{}.dist-info/RECORD".format(version)
        put(path, "\n".join(record + [path + ",,"]) + "\n", 0o644)


if __name__ == "__main__":
    main(*sys.argv[1:])
