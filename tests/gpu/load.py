#!/usr/bin/env python3
"""Keeps an NVIDIA GPU busy for PERCENT of the time, with MIB of its memory: load.py PERCENT MIB SECONDS

It calls the driver's own interface (libcuda.so.1), so that no toolkit is needed."""
import ctypes
import sys
import time

# The kernel function spins until the GPU's clock has advanced by `cycles`.
KERNEL = b"""
.version 6.0
.target sm_50
.address_size 64
.visible .entry spin(.param .u64 cycles)
{
    .reg .u64 %begin, %now, %passed, %wanted;
    .reg .pred %more;
    ld.param.u64 %wanted, [cycles];
    mov.u64 %begin, %clock64;
again:
    mov.u64 %now, %clock64;
    sub.u64 %passed, %now, %begin;
    setp.lt.u64 %more, %passed, %wanted;
    @%more bra again;
    ret;
}
\0"""


def call(function, *arguments):
    """Calls the driver. On an error, prints its number and exits."""
    result = function(*arguments)
    if result != 0:
        sys.exit("load: %s: error %d" % (function.__name__, result))


def main():
    percent, mib, seconds = (float(word) for word in sys.argv[1:4])
    cuda = ctypes.CDLL("libcuda.so.1")
    device, context, module, function, memory = ctypes.c_int(), ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_uint64()
    call(cuda.cuInit, 0)
    call(cuda.cuDeviceGet, ctypes.byref(device), 0)
    call(cuda.cuCtxCreate_v2, ctypes.byref(context), 0, device)
    if mib > 0:
        call(cuda.cuMemAlloc_v2, ctypes.byref(memory), ctypes.c_size_t(int(mib) << 20))
    call(cuda.cuModuleLoadData, ctypes.byref(module), KERNEL)
    call(cuda.cuModuleGetFunction, ctypes.byref(function), module, b"spin")
    cycles = ctypes.c_uint64(10_000_000)
    arguments = (ctypes.c_void_p * 1)(ctypes.cast(ctypes.byref(cycles), ctypes.c_void_p))
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if percent <= 0:
            time.sleep(0.05)
            continue
        begun = time.monotonic()
        call(cuda.cuLaunchKernel, function, 1, 1, 1, 1, 1, 1, 0, None, arguments, None)
        call(cuda.cuCtxSynchronize)
        busy = time.monotonic() - begun
        time.sleep(busy * (100 - percent) / percent)


main()
