/** A program that lets a team go while its thread is coming: the message that it is ready may still be on its way. */
import { Team } from '../../../dist/kernels/threads/team.js';

const team = await Team.begin(2);
for (const start = performance.now(); performance.now() - start < Number(process.argv[2]); );
await team.dispose();
console.log('let go');
