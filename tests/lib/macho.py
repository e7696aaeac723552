#!/usr/bin/env python3
"""Says what a file of macOS (Mach-O, 64 bits) holds, a fact a line; or glues files of several processors into one.

  macho.py FILE                       cpu, type, platform, minimum, library, section, signature, shows, needs
  macho.py --glue OUT FILE FILE...    a universal file, which each processor loads its own part of

Layouts: mach-o/loader.h, mach-o/nlist.h and mach-o/fat.h of macOS' headers."""

import struct
import sys

CPUS = {0x01000007: "x86-64", 0x0100000C: "arm64"}
TYPES = {2: "program", 6: "library"}
SYMTAB, SEGMENT_64, LOAD_DYLIB, ID_DYLIB, SIGNATURE, MINIMUM, BUILD = 0x2, 0x19, 0xC, 0xD, 0x1D, 0x24, 0x32


def text_at(data, at):
    return data[at : data.index(b"\0", at)].decode()


def version(number):
    return f"{number >> 16}.{number >> 8 & 255}"


def symbols(data, offset, count, strings):
    """Names that others may use, and names that are taken from others."""
    for index in range(count):
        name, kind, _, _, _ = struct.unpack_from("<IBBHQ", data, offset + 16 * index)
        if kind & 0xE0 or not kind & 1:  # for debuggers, or local
            continue
        if kind & 0x10:  # private to the file
            continue
        yield ("needs" if kind & 0xE == 0 else "shows"), text_at(data, strings + name)


def segment(data, at):
    (count,) = struct.unpack_from("<I", data, at + 64)
    for index in range(count):
        place = at + 72 + 80 * index
        names = [data[place + 16 * i : place + 16 * i + 16].rstrip(b"\0").decode() for i in (1, 0)]
        yield "section", f"{','.join(names)} {struct.unpack_from('<Q', data, place + 40)[0]}"


def facts(data):
    magic, cpu, _, kind, count = struct.unpack_from("<5I", data)
    if magic != 0xFEEDFACF:
        raise ValueError("not a file of macOS for 64 bits")
    yield "cpu", CPUS.get(cpu, hex(cpu))
    yield "type", TYPES.get(kind, str(kind))
    at = 32
    for _ in range(count):
        command, size = struct.unpack_from("<II", data, at)
        command &= 0x7FFFFFFF
        if command == BUILD:
            platform, minimum = struct.unpack_from("<II", data, at + 8)
            yield "platform", "macos" if platform == 1 else str(platform)
            yield "minimum", version(minimum)
        elif command == MINIMUM:
            yield "platform", "macos"
            yield "minimum", version(struct.unpack_from("<I", data, at + 8)[0])
        elif command in (LOAD_DYLIB, ID_DYLIB):
            name = text_at(data, at + struct.unpack_from("<I", data, at + 8)[0])
            yield ("library" if command == LOAD_DYLIB else "name"), name
        elif command == SIGNATURE:
            yield "signature", "there"
        elif command == SEGMENT_64:
            yield from segment(data, at)
        elif command == SYMTAB:
            yield from symbols(data, *struct.unpack_from("<III", data, at + 8))
        at += size


def glue(out, names):
    """Each part begins at a page of 16 KiB, which is arm64's."""
    parts = [open(name, "rb").read() for name in names]
    header = struct.pack(">II", 0xCAFEBABE, len(parts))
    at, places = 1 << 14, []
    for part in parts:
        places.append(at)
        cpu, subtype = struct.unpack_from("<II", part, 4)
        header += struct.pack(">5I", cpu, subtype, at, len(part), 14)
        at = (at + len(part) + (1 << 14) - 1) & ~((1 << 14) - 1)
    with open(out, "wb") as file:
        file.write(header)
        for place, part in zip(places, parts):
            file.seek(place)
            file.write(part)


if sys.argv[1] == "--glue":
    glue(sys.argv[2], sys.argv[3:])
else:
    for word, fact in facts(open(sys.argv[1], "rb").read()):
        print(word, fact)
