#!/usr/bin/env node
/**
 * The command line: `wiedemann VERB …`. The verbs are in commands/program.ts.
 *
 * Results go to stdout, everything else to stderr. Exit codes are in commands/usage-error.ts.
 */
import { startEngineThreadAhead } from './engine/thread.node.js';

/** Verbs that compute want the engine's thread: it gets ready while the program loads and reads its options. */
const COMPUTING: ReadonlySet<string | undefined> = new Set(['rank', 'minpoly', 'det', 'verify']);

if (COMPUTING.has(process.argv[2])) startEngineThreadAhead();

// Compiled or bundled, this file lies two folders below the package's own.
const packageFile = new URL('../../package.json', import.meta.url);
void import('./commands/program.js').then(({ runProgram }) => runProgram(packageFile));
