"""Sparse matrix times dense by torch.sparse (cuSPARSE), float32: microseconds by width, and the copy bandwidth in GB/s.

python3 cusparse-spmm.py   reads lines "BASE BLOCK ROWS COLS WIDTH...", and answers each by a line of JSON

BASE.rowPtr and BASE.colIdx hold 32-bit integers. With BLOCK above 0 as blocks of so many rows and columns as well
(BSR): under "bsr WIDTH", where that is not refused.
"""

import json
import sys
import warnings

import numpy
import torch

warnings.filterwarnings("ignore")


def microseconds(work, passes=20, repeats=5):
    """Median over passes of `repeats` calls each, by CUDA events."""
    for _ in range(3):
        work()
    torch.cuda.synchronize()
    times = []
    for _ in range(passes):
        start, end = torch.cuda.Event(True), torch.cuda.Event(True)
        start.record()
        for _ in range(repeats):
            work()
        end.record()
        torch.cuda.synchronize()
        times.append(1000 * start.elapsed_time(end) / repeats)
    return sorted(times)[len(times) // 2]


def copying(target, source, times):
    for _ in range(times):
        target.copy_(source)


def in_blocks(row_ptr, col_idx, rows, cols, block):
    """The pattern's blocks with random values; torch's own conversion takes a minute for a few million entries."""
    across = -(-cols // block)
    row = torch.repeat_interleave(torch.diff(row_ptr.long()))
    place = torch.unique(row // block * across + col_idx.long() // block)
    ptr = torch.searchsorted(place, torch.arange(-(-rows // block) + 1, device="cuda") * across)
    values = torch.rand(place.numel(), block, block, device="cuda")
    size = (block * -(-rows // block), block * across)
    return torch.sparse_bsr_tensor(ptr.int(), (place % across).int(), values, size=size)


source = torch.randint(0, 100, (2**28,), dtype=torch.int32, device="cuda")
target = torch.empty_like(source)
copying(target, source, 400)
copy = 2 * 4 * 2**28 / microseconds(lambda: target.copy_(source)) / 1000

for line in sys.stdin:
    base, block, rows, cols, *widths = line.split()
    block, rows, cols, *widths = map(int, (block, rows, cols, *widths))
    found = {"copy": copy}
    row_ptr, col_idx = (
        torch.from_numpy(numpy.fromfile(f"{base}.{name}", dtype=numpy.int32)).cuda() for name in ("rowPtr", "colIdx")
    )
    a = torch.sparse_csr_tensor(row_ptr, col_idx, torch.rand(col_idx.numel(), device="cuda"), size=(rows, cols))
    blocked = in_blocks(row_ptr, col_idx, rows, cols, block) if block > 0 else None
    for width in widths:
        x = torch.rand(cols, device="cuda") if width == 1 else torch.rand(cols, width, device="cuda")
        copying(target, source, 100)  # a GPU at rest takes a while to raise its clocks
        found[width] = microseconds(lambda: a @ x)
        if blocked is None:
            continue
        try:
            wide = torch.cat([x, x.new_zeros(blocked.shape[1] - cols, *x.shape[1:])])
            found[f"bsr {width}"] = microseconds(lambda: blocked @ wide)
        except RuntimeError as refused:
            print(f"bsr {width}: {refused}", file=sys.stderr)
    del a, blocked, row_ptr, col_idx
    print(json.dumps(found), flush=True)
