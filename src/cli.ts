#!/usr/bin/env node
/**
 * The command line: `wiedemann VERB …`. The verbs are in commands/program.ts.
 *
 * Results go to stdout, everything else to stderr. Exit codes are in commands/usage-error.ts.
 */
import { NO_RESOURCE } from './commands/usage-error.js';
import { answerInOwnThread, isSmallFile, startEngineThreadAhead } from './engine/thread.node.js';

/** Verbs that compute. */
const COMPUTING: ReadonlySet<string | undefined> = new Set(['rank', 'minpoly', 'det', 'solve', 'nullspace']);

// A small file is answered before a thread has started. For a large one the engine's thread gets ready while the
// program loads and reads its options.
const [, , verb, ...words] = process.argv;
if (COMPUTING.has(verb)) {
  if (words.some(isSmallFile)) answerInOwnThread();
  else startEngineThreadAhead();
}

// Compiled or bundled, this file lies two folders below the package's own.
const packageFile = new URL('../../package.json', import.meta.url);
import('./commands/program.js')
  .then(({ runProgram }) => runProgram(packageFile))
  .catch((error: unknown) => {
    // A limit of the system keeps the program's own files closed, so their code cannot tell it.
    process.stderr.write(`wiedemann: ${String(error).split('\n', 1)[0]}\n`);
    process.exitCode = NO_RESOURCE;
  });
