"""Sparse matrix times dense by torch.sparse (cuSPARSE), float32: microseconds by width, and the copy bandwidth in GB/s.

python3 cusparse-spmm.py BASE BLOCK ROWS COLS WIDTH...   BASE.rowPtr and BASE.colIdx hold 32-bit integers

With BLOCK above 0 as blocks of so many rows and columns as well (BSR): under "bsr WIDTH", where that is not refused.
"""

import json
import sys
import warnings

import numpy
import torch

warnings.filterwarnings("ignore")


def microseconds(work, passes=20, repeats=5):
    """Median over passes of `repeats` calls each, by CUDA events, after 400 ms or more of warming up."""
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


base, block, rows, cols, *widths = sys.argv[1], *map(int, sys.argv[2:])
source = torch.randint(0, 100, (2**29,), dtype=torch.int32, device="cuda")
target = torch.empty_like(source)
for _ in range(200):
    target.copy_(source)
found = {"copy": 2 * 4 * 2**29 / microseconds(lambda: target.copy_(source)) / 1000}
row_ptr, col_idx = (torch.from_numpy(numpy.fromfile(f"{base}.{name}", dtype=numpy.int32)).cuda() for name in ("rowPtr", "colIdx"))
a = torch.sparse_csr_tensor(row_ptr, col_idx, torch.rand(col_idx.numel(), device="cuda"), size=(rows, cols))
for width in widths:
    x = torch.rand(cols, device="cuda") if width == 1 else torch.rand(cols, width, device="cuda")
    found[width] = microseconds(lambda: a @ x)
    if block == 0:
        continue
    try:
        blocked = a.to_sparse_bsr((block, block))
        found[f"bsr {width}"] = microseconds(lambda: blocked @ x)
    except RuntimeError as refused:
        print(f"bsr {width}: {refused}", file=sys.stderr)
print(json.dumps(found))
