# SPDX-License-Identifier: Apache-2.0
"""python -m rtrack run [OPTION...] -- COMMAND, python -m rtrack report [ARGUMENT...], python -m rtrack path [NAME]."""

import os
import sys

from .places import path

PROGRAMS = {"run": "rtrack-run", "report": "rtrack-report"}


def main(arguments):
    if arguments[:1] == ["path"] and len(arguments) <= 2:
        print(path(*arguments[1:]))
        return 0
    if not arguments or arguments[0] not in PROGRAMS:
        print(__doc__, file=sys.stderr)
        return 2
    program = path(PROGRAMS[arguments[0]])
    os.execv(program, [program, *arguments[1:]])
    return None  # not reached after a successful exec


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except OSError as error:
        print(f"python -m rtrack: {error}", file=sys.stderr)
        # the status of rtrack-run if it fails itself
        sys.exit(125)
