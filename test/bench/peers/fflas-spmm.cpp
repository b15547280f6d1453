/*
 * The peer of the SpMM benchmark: FFLAS-FFPACK's sparse matrix times block of vectors, on one thread.
 *
 *   fflas-spmm FILE P WIDTH
 *
 * FILE: little-endian words rows, cols, nnz, then nnz rows, nnz columns, nnz residues mod P, row by row.
 * X[i] = (i * 2654435761 mod 2^32) mod P over the flat block. First line of output: the variants (field and format)
 * that are there, each as NAME=CHECKSUM of Y = A * X; sum of Y[i] * (i mod 65521 + 1) mod P, i flat. Then for every
 * line NAME on the input one line: the milliseconds of one product, reduction included, by the clock on the wall and by
 * this process's.
 */
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <givaro/modular-balanced.h>
#include <givaro/modular.h>

#include <fflas-ffpack/fflas/fflas.h>
#include <fflas-ffpack/fflas/fflas_sparse.h>

struct Triplets {
    uint32_t rows, cols, nnz;
    std::vector<uint32_t> row, col, value;
};

static Triplets read(const char *name) {
    std::ifstream in(name, std::ios::binary);
    Triplets t;
    uint32_t head[3];
    in.read(reinterpret_cast<char *>(head), sizeof head);
    t.rows = head[0];
    t.cols = head[1];
    t.nnz = head[2];
    for (auto *part : {&t.row, &t.col, &t.value}) {
        part->resize(t.nnz);
        in.read(reinterpret_cast<char *>(part->data()), 4l * t.nnz);
    }
    if (!in) {
        std::fprintf(stderr, "fflas-spmm: cannot read %s\n", name);
        std::exit(1);
    }
    return t;
}

static double processMs() {
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e3 * static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_nsec);
}

struct Variant {
    uint64_t checksum;
    std::function<std::pair<double, double>()> time;
};

template <class Field, FFLAS::SparseMatrix_t format>
static Variant variant(const Triplets &t, uint64_t p, size_t width) {
    using Element = typename Field::Element;
    auto *F = new Field(static_cast<Element>(p));
    Element *dat = FFLAS::fflas_new(*F, t.nnz, Alignment::CACHE_LINE);
    for (size_t k = 0; k < t.nnz; k++) F->init(dat[k], static_cast<int64_t>(t.value[k]));
    auto *A = new FFLAS::Sparse<Field, format>();
    FFLAS::sparse_init(*F, *A, t.row.data(), t.col.data(), dat, t.rows, t.cols, t.nnz);
    Element *x = FFLAS::fflas_new(*F, t.cols * width, Alignment::CACHE_LINE);
    Element *y = FFLAS::fflas_new(*F, t.rows * width, Alignment::CACHE_LINE);
    for (size_t i = 0; i < t.cols * width; i++) {
        F->init(x[i], static_cast<int64_t>((static_cast<uint32_t>(i) * 2654435761u) % p));
    }
    auto product = [=]() { FFLAS::fspmm(*F, *A, width, x, static_cast<int>(width), F->zero, y, static_cast<int>(width)); };
    product();
    uint64_t sum = 0;
    for (size_t i = 0; i < t.rows * width; i++) {
        int64_t value;
        F->convert(value, y[i]);
        uint64_t residue = static_cast<uint64_t>(value < 0 ? value + static_cast<int64_t>(p) : value);
        sum = (sum + residue * (i % 65521 + 1)) % p;
    }
    return {sum, [product]() {
                auto start = std::chrono::steady_clock::now();
                auto used = processMs();
                product();
                auto wall = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
                return std::make_pair(wall, processMs() - used);
            }};
}

/** Integers below this are exact in the element type. */
constexpr double F32 = 1 << 24, F64 = 1l << 53, I64 = 9223372036854775808.0;

template <class Field>
static void add(std::map<std::string, Variant> &all, const std::string &field, bool balanced, double capacity,
                const Triplets &t, uint64_t p, size_t width) {
    if (p > static_cast<uint64_t>(Field::maxCardinality())) return;
    using FFLAS::SparseMatrix_t;
    all.emplace(field + "/CSR", variant<Field, SparseMatrix_t::CSR>(t, p, width));
    // CSR_HYB is left out: in 2.5 its fspmm reads beyond its arrays and often ends the process.
    std::vector<uint32_t> lengths(t.rows, 0), general(t.rows, 0);
    for (size_t k = 0; k < t.nnz; k++) {
        lengths[t.row[k]]++;
        general[t.row[k]] += t.value[k] != 1 && t.value[k] != p - 1;
    }
    // HYB_ZO of 2.5 reduces once at the end however long a row is: left out where the worst row could overflow.
    const double residue = balanced ? static_cast<double>(p / 2) : static_cast<double>(p - 1);
    const double most = *std::max_element(general.begin(), general.end());
    if (most * residue * residue < capacity) all.emplace(field + "/HYB_ZO", variant<Field, SparseMatrix_t::HYB_ZO>(t, p, width));
    // A rectangle of the longest row: left out where it would be mostly padding.
    const uint64_t longest = *std::max_element(lengths.begin(), lengths.end());
    if (longest * t.rows <= 2 * static_cast<uint64_t>(t.nnz)) {
        all.emplace(field + "/ELL", variant<Field, SparseMatrix_t::ELL>(t, p, width));
    }
}

int main(int argc, char **argv) {
    if (argc != 4) return 2;
    const Triplets t = read(argv[1]);
    const uint64_t p = std::stoull(argv[2]);
    const size_t width = std::stoul(argv[3]);
    std::map<std::string, Variant> all;
    add<Givaro::Modular<double>>(all, "Modular<double>", false, F64, t, p, width);
    add<Givaro::ModularBalanced<double>>(all, "ModularBalanced<double>", true, F64, t, p, width);
    add<Givaro::Modular<float>>(all, "Modular<float>", false, F32, t, p, width);
    add<Givaro::ModularBalanced<float>>(all, "ModularBalanced<float>", true, F32, t, p, width);
    add<Givaro::Modular<int64_t>>(all, "Modular<int64>", false, I64, t, p, width);
    add<Givaro::ModularBalanced<int64_t>>(all, "ModularBalanced<int64>", true, I64, t, p, width);
    for (auto &entry : all) std::cout << entry.first << '=' << entry.second.checksum << ' ';
    std::cout << std::endl;
    std::string name;
    while (std::getline(std::cin, name)) {
        auto found = all.find(name);
        if (found == all.end()) return 2;
        auto ms = found->second.time();
        std::cout << ms.first << ' ' << ms.second << std::endl;
    }
}
