#!/usr/bin/env node
/**
 * The command line: `wiedemann VERB …`. The verbs are in commands/program.ts.
 *
 * Results go to stdout, everything else to stderr. Exit codes are in commands/usage-error.ts.
 */
import { answerInOwnThread, isSmallFile, startEngineThreadAhead } from './engine/thread.node.js';

/** Verbs that compute. */
const COMPUTING: ReadonlySet<string | undefined> = new Set(['rank', 'minpoly', 'det']);

// Of a small file the answer is there sooner than a thread. For another the engine's thread gets ready while the program loads and
// reads its options.
const [, , verb, ...words] = process.argv;
if (COMPUTING.has(verb)) {
  if (words.some(isSmallFile)) answerInOwnThread();
  else startEngineThreadAhead();
}

// Compiled or bundled, this file lies two folders below the package's own.
const packageFile = new URL('../../package.json', import.meta.url);
void import('./commands/program.js').then(({ runProgram }) => runProgram(packageFile));
