/**
 * A module of Node's own, asked of `process` at run time: a browser, or a bundler for one, finds no import that it
 * cannot resolve. Undefined outside Node.
 */
interface Modules {
  'node:async_hooks': typeof import('node:async_hooks');
  'node:fs': typeof import('node:fs');
  'node:os': typeof import('node:os');
  'node:net': typeof import('node:net');
  'node:stream': typeof import('node:stream');
  'node:tty': typeof import('node:tty');
  'node:util': typeof import('node:util');
  'node:v8': typeof import('node:v8');
  'node:worker_threads': typeof import('node:worker_threads');
  'node:zlib': typeof import('node:zlib');
}

export function nodeModule<Name extends keyof Modules>(name: Name): Modules[Name] | undefined {
  return typeof process === 'undefined' ? undefined : process.getBuiltinModule?.(name);
}
