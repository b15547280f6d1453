"""Kernels on batches of block tridiagonal matrices by cuBLAS and cuSPARSE in float32: milliseconds by kernel.

python3 block-batches.py CALLS BLOCK WIDTH SIZE,SIZE...

Problems of SIZE block rows each. Tall blocks go through torch's bmm and baddbmm (cuBLAS, batched), which take problems
of one size: as many, of the mean. The right factors of the sums come from the host, as dot products go there. The
matrices are one block diagonal matrix in blocks (BSR): products through torch (cuSPARSE), incomplete LU, which on a
block tridiagonal pattern is complete, and both triangular solves through cuSPARSE itself, their analysis not timed.
"copy" is the bandwidth of a copy in GB/s. A kernel that this machine's libraries do not have is absent, its reason on
stderr.
"""

import ctypes
import glob
import json
import os
import sys
import time
import warnings

import torch

warnings.filterwarnings("ignore")
CALLS, b, w = map(int, sys.argv[1:4])
sizes = torch.tensor([int(size) for size in sys.argv[4].split(",")])
blocks, count = int(sizes.sum()), len(sizes)
mean = -(-blocks // count)
torch.backends.cuda.matmul.allow_tf32 = False


def milliseconds(work):
    """Of a call, CALLS of them without waiting: the least of looks in half a second behind one, or of three."""
    least, looks = float("inf"), 0
    warm = time.perf_counter() + 0.5
    while looks < 3 or time.perf_counter() < warm + 0.5:
        torch.cuda.synchronize()
        start = time.perf_counter()
        for _ in range(CALLS):
            work()
        torch.cuda.synchronize()
        if start >= warm:
            least, looks = min(least, (time.perf_counter() - start) * 1000 / CALLS), looks + 1
    return least


found = {}


def measure(name, work):
    try:
        found[name] = milliseconds(work)
    except (RuntimeError, AttributeError, OSError) as refused:
        print(f"{name}: {str(refused).splitlines()[0]}", file=sys.stderr)


x, y = (torch.rand(count, mean * b, w, device="cuda") for _ in range(2))
m = torch.rand(count, w, w) / w
source = torch.randint(0, 100, (2**28,), dtype=torch.int32, device="cuda")
target = torch.empty_like(source)
found["copy"] = 2 * 4 * 2**28 / milliseconds(lambda: target.copy_(source)) / 1e6
del source, target
measure("axpy", lambda: y.baddbmm_(x, m.cuda(), alpha=-1))
measure("dot", lambda: torch.bmm(x.transpose(1, 2), y).cpu())

# Block tridiagonal: the first and the last row of each problem have two blocks, the others three.
place = torch.arange(blocks, device="cuda")
ends = sizes.cumsum(0)
of = torch.repeat_interleave(sizes).cuda()
inner, n = place - (ends - sizes).cuda()[of], sizes.cuda()[of]
columns = torch.stack([place - 1, place, place + 1], 1)
kept = torch.stack([inner > 0, inner >= 0, inner < n - 1], 1)
col_idx = columns[kept].to(torch.int32)
row_ptr = torch.cat([torch.zeros(1, device="cuda", dtype=torch.int64), kept.sum(1).cumsum(0)]).to(torch.int32)
values = torch.rand(col_idx.numel(), b, b, device="cuda") / (4 * b)
values[columns[kept] == place[:, None].expand(-1, 3)[kept]] += torch.eye(b, device="cuda")
x, y = (torch.rand(blocks * b, w, device="cuda") for _ in range(2))


def bsr(ptr, idx, val):
    return torch.sparse_bsr_tensor(ptr, idx, val, size=(blocks * b, blocks * b))


a = bsr(row_ptr, col_idx, values)
# The pattern is symmetric: the transpose has it too, its blocks in the order of the columns.
keys = columns[kept] * blocks + place[:, None].expand(-1, 3)[kept]
transposed = bsr(row_ptr, col_idx, values[torch.argsort(keys)].transpose(1, 2).contiguous())
measure("multiply", lambda: torch.addmm(y, a, x, alpha=-1, out=y))
measure("transposed", lambda: torch.addmm(y, transposed, x, out=y))


def library():
    paths = glob.glob(os.path.join(os.path.dirname(torch.__file__), "..", "nvidia", "**", "libcusparse.so*"), recursive=True)
    return ctypes.CDLL(paths[0] if paths else "libcusparse.so.12")


def expect(status, name):
    if status != 0:
        raise RuntimeError(f"{name}: status {status}")


class CuSparse:
    """cuSPARSE's functions of factors in blocks, for one matrix."""

    def __init__(self, val):
        self.lib = library()
        self.handle = ctypes.c_void_p()
        expect(self.lib.cusparseCreate(ctypes.byref(self.handle)), "cusparseCreate")
        self.val = val.transpose(1, 2).contiguous()  # direction: by columns
        self.keep = []

    def pointer(self, tensor):
        return ctypes.c_void_p(tensor.data_ptr())

    def matrix(self):
        return self.pointer(self.val), self.pointer(row_ptr), self.pointer(col_idx), ctypes.c_int(b)

    def made(self, name):
        thing = ctypes.c_void_p()
        expect(getattr(self.lib, name)(ctypes.byref(thing)), name)
        return thing

    def buffer(self, function, arguments):
        size = ctypes.c_int()
        expect(getattr(self.lib, function)(*arguments, ctypes.byref(size)), function)
        self.keep.append(torch.empty(max(size.value, 16), dtype=torch.uint8, device="cuda"))
        return self.pointer(self.keep[-1])

    def call(self, function, *arguments):
        expect(getattr(self.lib, function)(*arguments), function)

    def factor(self):
        """What factors `val` in place."""
        info, descr = self.made("cusparseCreateBsrilu02Info"), self.made("cusparseCreateMatDescr")
        head = (self.handle, ctypes.c_int(1), ctypes.c_int(blocks), ctypes.c_int(col_idx.numel()), descr)
        arguments = (*head, *self.matrix(), info)
        buffer = self.buffer("cusparseSbsrilu02_bufferSize", arguments)
        self.call("cusparseSbsrilu02_analysis", *arguments, ctypes.c_int(1), buffer)
        return lambda: self.call("cusparseSbsrilu02", *arguments, ctypes.c_int(1), buffer)

    def solve(self, fill, diagonal, right, out):
        """What solves by the triangle: 0 lower or 1 upper, 1 with ones on the diagonal."""
        info, descr = self.made("cusparseCreateBsrsm2Info"), self.made("cusparseCreateMatDescr")
        self.call("cusparseSetMatFillMode", descr, ctypes.c_int(fill))
        self.call("cusparseSetMatDiagType", descr, ctypes.c_int(diagonal))
        sizes = (ctypes.c_int(blocks), ctypes.c_int(w), ctypes.c_int(col_idx.numel()))
        head = (self.handle, ctypes.c_int(1), ctypes.c_int(0), ctypes.c_int(0), *sizes)
        arguments = (*head, descr, *self.matrix(), info)
        buffer = self.buffer("cusparseSbsrsm2_bufferSize", arguments)
        self.call("cusparseSbsrsm2_analysis", *arguments, ctypes.c_int(1), buffer)
        one = ctypes.c_float(1)
        length = ctypes.c_int(blocks * b)
        sides = (self.pointer(right), length, self.pointer(out), length, ctypes.c_int(1), buffer)
        return lambda: self.call("cusparseSbsrsm2_solve", *head, ctypes.byref(one), descr, *self.matrix(), info, *sides)


def factored():
    own = CuSparse(values)
    original = own.val.clone()
    factor = own.factor()

    def again():
        own.val.copy_(original)  # ours copies A too
        factor()

    measure("factor", again)
    right = torch.rand(w, blocks * b, device="cuda")  # by columns
    between, out = torch.empty_like(right), torch.empty_like(right)
    lower, upper = own.solve(0, 1, right, between), own.solve(1, 0, between, out)

    def both():
        lower()
        upper()

    measure("solve", both)
    error = (a @ out.t().contiguous() - right.t()).abs().max().item()
    if not error < 1e-2:
        raise RuntimeError(f"the solution is wrong by {error}")


try:
    factored()
except (RuntimeError, AttributeError, OSError) as refused:
    print(f"factor, solve: {str(refused).splitlines()[0]}", file=sys.stderr)
    for name in ("factor", "solve"):
        found.pop(name, None)
print(json.dumps(found))
