/**
 * The exports of the kernels module. A kernel is `name(thread, threads, args)`: it does thread's share of the work.
 * What kernels/threads and compiled code (kernels/jit/row-ends.as.ts) call are functions of other arguments.
 */
export { awaitCommand, arrive, startCommand, awaitArrivals } from './threads/fork-join.as';
export { replay } from './threads/replay.as';
export { copyBytes } from './residues/copy.as';
export { polyDirect, polyUnwrap, polyAdd } from './poly/mul-direct.as';
export { mbasis } from './poly/mbasis.as';
export { determinants } from './dense/determinants.as';
export { smallRank } from './dense/small-rank.as';
export { blockAxpy, blockDot, blockMultiply } from './block-sparse/block-products.as';
export { blockFactor, blockSubstitute } from './block-sparse/block-factors.as';
export { spmmU16, spmmU32, spmmGf256 } from './spmm/spmm.as';
export { spmmF32U16, spmmF64U16, spmmF64U32 } from './float-words/spmm-floats.as';
export { floatsU16F32, floatsU16F64, floatsU32F64 } from './float-words/float-vectors.as';
export { spmmJit } from './jit/jit.as';
export { jitEndWord, jitLowU16, jitHighU16, jitReduceU16, jitEndUnitsU16, jitEndU16, jitReduceU32, jitEndU32 } from './jit/row-ends.as';
export { substituteU16, substituteU32, substituteGf256 } from './spmm/triangular-solve.as';
export { pairsU16 } from './residues/u16.as';
export { multipliersU16, multipliersU32, multipliersGf256 } from './residues/multipliers.as';
export { projectU16, combineU16, scaleU16 } from './blocks/block-ops-u16.as';
export { projectU32, combineU32, scaleU32 } from './blocks/block-ops-u32.as';
export { projectGf256, sumPartsGf256, combineGf256, scaleGf256 } from './blocks/block-ops-gf256.as';
export { randomU16, randomU32, randomGf256 } from './residues/random.as';
export { sumParts } from './blocks/sum-parts.as';
export { nttForwardU32, nttInverseU32 } from './poly/mul-ntt-u32.as';
export { polySpread, polyFold, polyAddByTables } from './residues/gfq-tables.as';
export { nttPointwiseU32 } from './poly/pointwise-u32.as';
export { nttForwardU16, nttPointwiseU16, nttInverseU16 } from './poly/mul-ntt-u16.as';
export { additiveFftForward, additiveFftPointwise, additiveFftInverse } from './poly/additive-fft.as';
export { gemmU16 } from './dense/gemm-u16.as';
export { pluqPanelU16 } from './dense/pluq-panel-u16.as';
export { invertTriangle } from './dense/pluq-panel.as';
export { gemmU32 } from './dense/gemm-u32.as';
export { pluqPanelU32 } from './dense/pluq-panel-u32.as';
export { schurSparse, schurDense } from './schur/schur-rows.as';
export { bitPanel, bitUpdate } from './gf2/bit-pluq.as';
export { bitDot, bitAxpy } from './gf2/bit-columns.as';
export { schurColumnsU16, schurColumnsU32 } from './schur/schur-columns.as';
export { bitSchur } from './schur/bit-schur.as';
export { takeRows, scaleRows } from './sparse/take-rows.as';
export { sliceWindows, sliceEntries } from './sparse/formats/slice-rows.as';
export { scanTriples } from './sparse/scan-triples.as';
