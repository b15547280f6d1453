/** The first thing that the program does, before it reads its options: verbs that compute will want the engine's thread. */
import { startEngineThreadAhead } from '../engine/thread.node.js';

const COMPUTING: ReadonlySet<string | undefined> = new Set(['rank', 'minpoly', 'det', 'verify']);

if (COMPUTING.has(process.argv[2])) startEngineThreadAhead();
