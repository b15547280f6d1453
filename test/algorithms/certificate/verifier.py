"""Checks rank certificates by the page algorithms/certificate/README.md alone.

Usage: python3 verifier.py MATRIX P CERTIFICATE ...

MATRIX is SMS with integers. It prints a line a certificate: 'rank R', 'rank at least R' where no upper bound is
claimed, 'refused: ...' for what does not hold. It is slow, and meant to be compared with the page line by line.
"""

import base64
import hashlib
import json
import operator
import re
import struct
import sys

FORMAT = "wiedemann-rank-certificate"
KEYS = {"format", "version", "matrix", "mod", "polynomial", "rank"}
KEYS |= {"pivotRows", "pivotCols", "layers", "seed", "lower", "upper"}


class Refused(Exception):
    pass


def need(condition, what):
    if not condition:
        raise Refused(what)


def is_prime(n):
    if n < 2:
        return False
    d = 2
    while d * d <= n:
        if n % d == 0:
            return False
        d += 1
    return True


def u32(*numbers):
    return struct.pack("<%dI" % len(numbers), *numbers)


# The field E


class Field:
    def __init__(self, p):
        self.p = p
        self.d = 1
        if p < 2**10:
            while p**self.d < 2**14:
                self.d += 1
        self.q = p**self.d
        self.places = [p**i for i in range(self.d)]
        self.polynomial = None
        if self.d > 1:
            self.polynomial, self.powers = self.least()
            self.log = {element: i for i, element in enumerate(self.powers)}

    def digits(self, code):
        return [code // place % self.p for place in self.places]

    def code(self, digits):
        return sum(map(operator.mul, digits, self.places))

    def least(self):
        """The polynomial of the least c_0 + c_1*p + ... for which the powers of x are all nonzero elements."""
        for candidate in range(self.q):
            low = self.digits(candidate)
            powers, seen, element = [], {0}, [1] + [0] * (self.d - 1)
            while (code := self.code(element)) not in seen:
                seen.add(code)
                powers.append(code)
                # x^d = -(c_0 + c_1*x + ...)
                top = element.pop()
                element.insert(0, 0)
                if top != 0:
                    element = [(e - top * c) % self.p for e, c in zip(element, low)]
            if len(powers) == self.q - 1:
                return low + [1], powers

    def add(self, a, b):
        if self.d == 1:
            return (a + b) % self.p
        if a == 0 or b == 0:
            return a + b
        return self.code([(x + y) % self.p for x, y in zip(self.digits(a), self.digits(b))])

    def mul(self, a, b):
        if self.d == 1:
            return a * b % self.p
        if a == 0 or b == 0:
            return 0
        return self.powers[(self.log[a] + self.log[b]) % (self.q - 1)]


# The file


def strict_object(pairs):
    keys = [key for key, _ in pairs]
    need(len(set(keys)) == len(keys), "a key twice")
    return dict(pairs)


def strict_int(text):
    need(re.fullmatch("[0-9]+", text), "a number with a sign")
    return int(text)


def no_number(text):
    raise Refused("the number " + text)


def number(value, least, most, name):
    need(type(value) is int and least <= value <= most, name)
    return value


def words(value, name):
    need(type(value) is str, name)
    try:
        data = base64.b64decode(value.encode(), validate=True)
    except ValueError:
        raise Refused(name)
    need(base64.b64encode(data).decode() == value and len(data) % 4 == 0, name)
    return list(struct.unpack("<%dI" % (len(data) // 4), data))


def parse(data):
    need(len(data) <= 2**29 - 2**20, "too long")
    try:
        text = data.decode("ascii")
        need("\\" not in text, "a backslash")
        head = r'\s*\{\s*"format"\s*:\s*"%s"\s*,\s*"version"\s*:\s*2\b' % FORMAT
        need(re.match(head, text[:4096]), "not a certificate of version 2")
        file = json.loads(
            text,
            object_pairs_hook=strict_object,
            parse_int=strict_int,
            parse_float=no_number,
            parse_constant=no_number,
        )
    except ValueError as error:
        raise Refused(str(error))
    need(type(file) is dict and set(file) == KEYS, "other fields")
    need(file["format"] == FORMAT and file["version"] == 2, "another format")
    matrix = file["matrix"]
    need(type(matrix) is dict and set(matrix) == {"rows", "cols", "sha256"}, "other fields in matrix")
    number(matrix["rows"], 0, 2**31 - 1, "rows")
    number(matrix["cols"], 0, 2**31 - 1, "cols")
    need(type(matrix["sha256"]) is str and re.fullmatch("[0-9a-f]{64}", matrix["sha256"]), "sha256")
    number(file["mod"], 2, 2**31 - 1, "mod")
    number(file["rank"], 0, 2**31 - 1, "rank")
    number(file["layers"], 1, 16, "layers")
    seed = file["seed"]
    need(type(seed) is str and re.fullmatch("0|[1-9][0-9]*", seed) and int(seed) < 2**64, "seed")
    for name in "pivotRows", "pivotCols":
        file[name] = words(file[name], name)
        need(len(set(file[name])) == len(file[name]) <= file["rank"], name)
    need(len(file["pivotRows"]) == len(file["pivotCols"]), "as many rows as columns")
    for name in "lower", "upper":
        if name == "upper" and file[name] is None:
            continue
        need(type(file[name]) is list, name)
        file[name] = [words(vector, name) for vector in file[name]]
        need(all(len(vector) == file["rank"] for vector in file[name]), name)
    return file


def read_matrix(path, p):
    """m, n and {(row, column): residue}, the nonzero ones."""
    with open(path) as file:
        lines = [line.split() for line in file if line.strip()]
    m, n = int(lines[0][0]), int(lines[0][1])
    entries = {}
    for i, j, value in lines[1:]:
        if i == "0":
            break
        place = int(i) - 1, int(j) - 1
        entries[place] = (entries.get(place, 0) + int(value)) % p
    return m, n, {place: value for place, value in entries.items() if value != 0}


# Maps and challenges


def make_map(E, name, size, pivots, r, L, S):
    """Entries (row, column, element), those of one place to be added."""
    k = len(pivots)
    entries = [(i, pivot, 1) for i, pivot in enumerate(pivots)]
    taken = set(pivots)
    o = [line for line in range(size) if line not in taken]
    T, R = size - k, r - k
    if R == T:
        return entries + [(k + j, o[j], 1) for j in range(R)]
    if R == 0:
        return entries
    for l in range(L):
        stream = hashlib.shake_128(("%s %d %d" % (name, l, S)).encode()).digest(8 * T)
        v = struct.unpack("<%dI" % (2 * T), stream)
        g = sorted(range(T), key=lambda j: (v[j], j))
        entries += [(k + i * R // T, o[g[i]], 1 + v[T + i] % (E.q - 1)) for i in range(T)]
    return entries


def elements(E, data, count):
    """The first `count` elements from SHAKE128(data)."""
    limit = 2**32 // E.q * E.q
    length = 4 * count + 64
    while True:
        stream = hashlib.shake_128(data).digest(length)
        found = [word % E.q for (word,) in struct.iter_unpack("<I", stream) if word < limit]
        if len(found) >= count:
            return found[:count]
        length *= 2


def times(E, entries, x, rows):
    y = [0] * rows
    for i, j, a in entries:
        y[i] = E.add(y[i], E.mul(a, x[j]))
    return y


def check(data, E, matrix):
    p = E.p
    c = parse(data)
    need(c["mod"] == p and is_prime(p), "another modulus")
    need(c["polynomial"] == E.polynomial, "another polynomial")
    m, n, A = matrix
    need((m, n) == (c["matrix"]["rows"], c["matrix"]["cols"]), "other sizes")
    digest = hashlib.sha256(b"wiedemann-rank-certificate 2 matrix\n" + u32(p, m, n))
    for (i, j), value in sorted(A.items()):
        digest.update(u32(i, j, value))
    need(digest.hexdigest() == c["matrix"]["sha256"], "another matrix")

    rows = {i: at for at, i in enumerate(sorted({i for i, _ in A}))}
    cols = {j: at for at, j in enumerate(sorted({j for _, j in A}))}
    inner = [(rows[i], cols[j], value) for (i, j), value in A.items()]
    m1, n1 = len(rows), len(cols)
    r, L, S = c["rank"], c["layers"], int(c["seed"])
    need(r <= min(m1, n1), "rank")
    need(all(i < m1 for i in c["pivotRows"]) and all(j < n1 for j in c["pivotCols"]), "pivots")
    s = 1
    while E.q**s < 2**64:
        s += 1
    full = r == min(m1, n1)
    need(len(c["lower"]) == s, "lower")
    need(not full if c["upper"] is None else len(c["upper"]) == (0 if full else s), "upper")
    need(all(x < E.q for vector in c["lower"] + (c["upper"] or []) for x in vector), "elements")

    coefficients = c["polynomial"] or []
    commitment = b"wiedemann-rank-certificate 2 commitment\n" + digest.digest() + u32(m, n, p, r)
    commitment += u32(len(coefficients)) + u32(*coefficients)
    commitment += u32(len(c["pivotRows"])) + u32(*c["pivotRows"]) + u32(*c["pivotCols"])
    commitment += u32(L, S % 2**32, S // 2**32)
    D = hashlib.sha256(commitment).digest()

    P = make_map(E, "rows", m1, c["pivotRows"], r, L, S)
    Q = [(j, i, a) for i, j, a in make_map(E, "cols", n1, c["pivotCols"], r, L, S)]
    for j in range(s):
        b = elements(E, D + b"lower %d\n" % j, r)
        image = times(E, P, times(E, inner, times(E, Q, c["lower"][j], n1), m1), r)
        need(image == b, "lower bound")
    if c["upper"] is None:
        return "rank at least %d" % r
    for j in range(len(c["upper"])):
        w = elements(E, D + b"upper %d\n" % j, n1)
        image = times(E, inner, times(E, Q, c["upper"][j], n1), m1)
        need(image == times(E, inner, w, m1), "upper bound")
    return "rank %d" % r


def main(matrix_file, p, certificates):
    E = Field(p)
    matrix = read_matrix(matrix_file, p)
    for path in certificates:
        with open(path, "rb") as file:
            data = file.read()
        try:
            print(check(data, E, matrix))
        except Refused as refused:
            print("refused: %s" % refused)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3:])
