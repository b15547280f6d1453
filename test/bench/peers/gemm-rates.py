"""Dense products by torch (cuBLAS): teraproducts (multiply-adds) a second of n x n times n x n in float32 and float64.

python3 gemm-rates.py N...
"""

import json
import sys

import torch

torch.backends.cuda.matmul.allow_tf32 = False


def seconds(work, passes=5):
    """Median over passes by CUDA events, after two to warm up."""
    times = []
    for turn in range(passes + 2):
        start, end = torch.cuda.Event(True), torch.cuda.Event(True)
        start.record()
        work()
        end.record()
        torch.cuda.synchronize()
        if turn >= 2:
            times.append(start.elapsed_time(end) / 1000)
    return sorted(times)[passes // 2]


for n in map(int, sys.argv[1:]):
    found = {"n": n}
    for name, dtype in (("float32", torch.float32), ("float64", torch.float64)):
        a, b = (torch.rand(n, n, dtype=dtype, device="cuda") for _ in range(2))
        c = torch.empty_like(a)
        found[name] = n**3 / seconds(lambda: torch.matmul(a, b, out=c)) / 1e12
    print(json.dumps(found))
