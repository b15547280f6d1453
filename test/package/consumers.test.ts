/**
 * The published declarations in programs of others, which check declarations too: under each way to resolve modules,
 * with lib.dom, without it and with Node's types, by the oldest TypeScript that is looked after and by the newest.
 */
import { symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts60, { type SourceFile } from 'typescript';
import ts59 from 'typescript-5.9';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeProject, type Project, run } from './project.js';

const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));

const PROGRAM = `
import { createEngine, det, type Engine, type Input, minpoly, type Outcome, rank, readMatrix, SparseMatrix } from 'wiedemann';

const matrix: SparseMatrix = SparseMatrix.fromTriplets(2, 2, [[0, 0, 1], [1, 1, 2n], [0, 1, '-3']]);
export const outcome: Outcome<number> = await rank(matrix, { mod: 65521, onProgress: ({ phase }: { phase: string }) => void phase });
export const value: number = outcome.value;
export const coefficients: Uint32Array | bigint[] = (await minpoly(matrix, { mod: 7 })).value;
export const determinant: bigint | null = (await det(matrix, { mod: 7 })).value;
export const inputs: Input[] = ['file.sms', new Uint8Array(4), { rows: 1, cols: 1, entries: [[0, 0, 1]] }];
export const read: SparseMatrix = await readMatrix(new Uint8Array(4), { name: 'four bytes' });
const engine: Engine = createEngine({ threads: 2 });
await engine.dispose();
// @ts-expect-error: a question needs a modulus
void rank(matrix, {});
`;

const WITH_WEB_OBJECTS = `${PROGRAM}
export const objects: Input[] = [new Blob([]), new URL('file:///a.sms'), new Blob([]).stream(), new Response('').body!];
void rank(new Blob([]), { mod: 7, signal: AbortSignal.timeout(5) });
void rank(new Blob([]), { mod: 7, signal: new AbortController().signal });
`;

/** Compiler options of a program, and what it is. */
const PROGRAMS = {
  'without lib.dom': { lib: ['es2023'], types: [], program: PROGRAM },
  'with lib.dom': { lib: ['es2023', 'dom'], types: [], program: WITH_WEB_OBJECTS },
  "with Node's types": { lib: ['es2023'], types: ['node'], program: WITH_WEB_OBJECTS },
};
// Its declarations differ in what is not asked for here.
const COMPILERS: Readonly<Record<string, typeof ts60>> = {
  typescript: ts60,
  'typescript-5.9': ts59 as unknown as typeof ts60,
};
const RESOLUTIONS = { node16: 'node16', nodenext: 'nodenext', bundler: 'esnext' }; // to the module option they go with

let project: Project;
beforeAll(() => {
  project = makeProject();
  project.write('package.json', '{ "type": "module" }');
  for (const types of ['@types', 'undici-types']) {
    symlinkSync(join(MODULES, types), join(project.folder, 'node_modules', types));
  }
});
afterAll(() => project.remove());

/** TypeScript's own libraries, by compiler and by how they are read: half of what tsc does with a small program. */
const libraries = new Map<string, SourceFile | undefined>();

/** What `tsc -p folder` writes; each compiler is loaded once. */
function compile(compiler: string, folder: string): string {
  const ts = COMPILERS[compiler]!;
  const { config } = ts.readConfigFile(join(folder, 'tsconfig.json'), ts.sys.readFile);
  const { options, fileNames: rootNames, errors } = ts.parseJsonConfigFileContent(config, ts.sys, folder);
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile;
  host.getSourceFile = (file, version, ...more) => {
    if (dirname(file) !== host.getDefaultLibLocation!()) return read(file, version, ...more);
    const key = `${compiler} ${JSON.stringify(version)} ${file}`;
    if (!libraries.has(key)) libraries.set(key, read(file, version, ...more));
    return libraries.get(key);
  };
  const program = ts.createProgram({ rootNames, options, host, configFileParsingDiagnostics: errors });
  expect(program.getSourceFiles().length).toBeGreaterThan(10);
  return ts.formatDiagnostics(ts.getPreEmitDiagnostics(program), host);
}

describe.each(Object.keys(COMPILERS))('%s', (compiler) => {
  describe.each(Object.entries(RESOLUTIONS))('%s', (moduleResolution, module) => {
    // Node's types take long to check, and say the same under each.
    const programs = Object.entries(PROGRAMS).filter(
      ([, { types }]) => types.length === 0 || (compiler === 'typescript' && moduleResolution === 'nodenext'),
    );
    test.each(programs)('%s', (name, { lib, types, program }) => {
      const folder = `${compiler}-${moduleResolution}-${name.replace(/\W/g, '')}`;
      const path = project.write(join(folder, 'program.ts'), program);
      const compilerOptions = {
        ...{ strict: true, noEmit: true, target: 'es2022', exactOptionalPropertyTypes: true },
        ...{ skipLibCheck: false, skipDefaultLibCheck: true }, // TypeScript's own libraries are its affair
        ...{ lib, types, module, moduleResolution },
      };
      project.write(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
      expect(compile(compiler, dirname(path))).toBe('');
    });
  });
});

test('publint finds nothing', () => {
  const said = run(
    process.execPath,
    [join(MODULES, 'publint/src/cli.js'), project.tarball, '--strict'],
    project.folder,
  );
  expect(said).toMatch('All good!');
});

test('arethetypeswrong finds nothing', () => {
  const words = [
    '@arethetypeswrong/cli/dist/index.js',
    project.tarball,
    '--profile',
    'esm-only',
    '--no-color',
    '--format',
    'ascii',
  ];
  const said = run(process.execPath, [join(MODULES, words[0]!), ...words.slice(1)], project.folder);
  // A problem of a way of importing that the profile knows ends it with exit 1.
  for (const entry of ['', '/inline', '/bullmq']) {
    const [, about] = said.split(`"wiedemann${entry}"`);
    expect(about).toMatch(/^\s*node16 \(from ESM\): 🟢 \(ESM\)\nbundler: 🟢 /);
  }
});
