/** `npm run bench -- NAME [options]` runs test/bench/NAME.mjs; its options are process.argv from the fourth word on. */
import { existsSync } from 'node:fs';

const name = process.argv[2] ?? '';
if (!/^[\w-]+$/.test(name) || !existsSync(new URL(`${name}.mjs`, import.meta.url))) {
  console.error(`bench: expected the name of a file test/bench/NAME.mjs, got ${name === '' ? 'nothing' : `"${name}"`}`);
  process.exit(2);
}
try {
  await import(`./${name}.mjs`);
} catch (error) {
  if (error?.name !== 'DeviceError') throw error;
  console.error(`bench ${name}: ${error.message}`);
  process.exit(69);
}
