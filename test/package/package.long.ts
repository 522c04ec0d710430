import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { call, ScriptedModel, text } from 'holdfast/testing';
import ts from 'typescript';
import { ROOT } from '../sources';
import { InstalledProject, installPackage } from './installed';
import { ENTRY_POINTS, exportsOf, isValue } from './public-names';
import { AGENTS, asEsm, asJavaScript, CONFIG, NODE_IMPORTS, SWC_JEST, TEST, TS_JEST, VITEST } from './shown';

const TYPESCRIPT = 'typescript@6.0.3';
// The declarations of @temporalio/worker 1.24 do not compile with those of Node 26, which npm would choose.
const NODE_TYPES = '@types/node@20.19.43';
const STRICT = { target: 'es2022', strict: true, skipLibCheck: false, esModuleInterop: true, noEmit: true };
const ENTRIES = Object.keys(ENTRY_POINTS);

let installed: Awaited<ReturnType<typeof installPackage>>;
beforeAll(async () => {
  installed = await installPackage();
});
afterAll(() => rmSync(installed.folder, { recursive: true }));

let project: InstalledProject;
afterAll(() => project?.remove());

/** A project with the package, these packages, and the README's agent. */
async function install(type: 'commonjs' | 'module', packages: readonly string[], agents: Record<string, string>) {
  await project?.remove();
  project = await InstalledProject.create(installed.project, type, packages);
  for (const [file, code] of Object.entries(agents)) await project.write(file, code);
}

/** Compiles a project whose user checks all declarations, also those that it does not use. */
async function compile(compilerOptions: object, types: readonly string[]) {
  const all = ENTRIES.map((entry, n) => `export * as all${n} from '${entry}';\n`).join('');
  await project.write('everything.ts', all);
  await project.write('tsconfig.json', JSON.stringify({ compilerOptions: { ...STRICT, types, ...compilerOptions } }));
  await project.run('tsc');
}

/** Runs the README's agent, with its configuration but for the model. */
async function expectAgentRuns(agents = './agents.ts') {
  const model = new ScriptedModel();
  await model.start();
  model.script(call('lookup', { id: 'A-17' }), text('{"queue":"billing","why":"charged twice"}'));
  await project.write('temporal.yaml', CONFIG.replace('./agents.ts', agents).replace(/http:[^"]+/, model.url));
  try {
    const printed = await project.runAgent('support.triage', { mail: 'Order A-17 was charged twice!' });
    expect(printed).toContain('billing');
    model.assertDone();
  } finally {
    await model.close();
  }
}

describe('a CommonJS project with ts-jest', () => {
  beforeAll(async () => {
    const packages = [TYPESCRIPT, 'jest@30.5.2', '@types/jest@30.0.0', NODE_TYPES, 'ts-jest@29.4.15'];
    await install('commonjs', packages, { 'agents.ts': AGENTS, 'agents.test.ts': TEST, 'jest.config.js': TS_JEST });
  });

  it('compiles', () => compile({ module: 'node20' }, ['node', 'jest']));
  it('passes its test', () => project.run('jest'));
  it('runs its agent', () => expectAgentRuns());

  it('shares one copy of Temporal with the user', async () => {
    for (const name of ['@temporalio/common', '@temporalio/worker', '@temporalio/proto', '@opentelemetry/api']) {
      expect(copiesOf(name)).toEqual([join(project.dir, 'node_modules', name)]);
    }
  });

  it('has nothing in the package that users do not need', () => {
    const folder = join(project.dir, 'node_modules', 'holdfast');
    const entries = readdirSync(folder).filter((entry) => entry !== 'node_modules');
    expect(entries.sort()).toEqual(['CHANGELOG.md', 'README.md', 'dist', 'docs', 'package.json', 'template']);
    const files = readdirSync(join(folder, 'dist'), { recursive: true, encoding: 'utf8' });
    expect(files).toContain(join('client', 'web', 'index.html'));
    expect(files.filter((file) => /^(examples|bench)\b|\.test\.|tsbuildinfo/.test(file))).toEqual([]);
    const maps = files
      .filter((file) => file.endsWith('.map'))
      .map((file) => readFileSync(join(folder, 'dist', file), 'utf8'));
    expect(maps.length).toBeGreaterThan(100);
    expect(maps.filter((map) => typeof JSON.parse(map).sourcesContent?.[0] !== 'string')).toEqual([]);
    const own = files.filter((file) => /\.(js|map|ts)$/.test(file));
    expect(own.filter((file) => readFileSync(join(folder, 'dist', file), 'utf8').includes(ROOT))).toEqual([]);
  });

  it('loads rarely used packages only when they are needed', async () => {
    const packages = async (...modules: string[]) => {
      const load = modules.map((name) => `require('${name}');`).join('');
      const printed = await project.node('-e', `${load} console.log(Object.keys(require.cache).join('\\n'))`);
      const loaded = printed.matchAll(/node_modules\/((?:@[^/]+\/)?[^/]+)\//g);
      return [...new Set([...loaded].map(([, name = '']) => name))];
    };
    const all = await packages(...ENTRIES);
    expect(all).toContain('@temporalio/worker');
    expect(all.filter((name) => /opentelemetry|gpt-tokenizer|clack/.test(name))).toEqual([]);
    const commandLine = await packages('./node_modules/holdfast/dist/cli/main.js');
    expect(commandLine).toContain('commander');
    expect(commandLine.filter((name) => /temporalio|zod|openai/.test(name))).toEqual([]);
  });
});

describe('an ES module project with NodeNext resolution and the runner of Node', () => {
  // No types but those of Node: the declarations need no other packages of the user.
  beforeAll(() => {
    const test = `${NODE_IMPORTS}${asEsm(TEST)}`;
    return install('module', [TYPESCRIPT, NODE_TYPES, 'expect@30.5.2'], {
      'agents.ts': AGENTS,
      'agents.test.ts': test,
    });
  });

  it('compiles', () => compile({ module: 'nodenext', noEmit: false, outDir: 'out' }, ['node']));
  it('passes its test', () => project.node('--test', 'out/agents.test.js'));
  it('runs its agent', () => expectAgentRuns());

  it.each(Object.entries(ENTRY_POINTS))('imports each name of %s', async (entry, file) => {
    const values = exportsOf(file).filter(isValue);
    const names = values.map(({ name }, n) => `${JSON.stringify(name)} as name${n}`);
    await project.write('names.mjs', `import { ${names.join(', ')} } from '${entry}';\n`);
    await project.node('names.mjs');
  });
});

describe('a project with bundler resolution and vitest', () => {
  beforeAll(async () => {
    const packages = [TYPESCRIPT, 'vitest@4.1.12', NODE_TYPES];
    await install('module', packages, { 'agents.ts': AGENTS, 'agents.test.ts': TEST, 'vitest.config.mjs': VITEST });
  });

  it('compiles', () => compile({ module: 'esnext', moduleResolution: 'bundler' }, ['node', 'vitest/globals']));
  it('passes its test', () => project.run('vitest', 'run'));
});

describe('a project with node10 resolution, an older TypeScript and @swc/jest', () => {
  beforeAll(async () => {
    const runner = ['jest@30.5.2', '@swc/jest@0.2.39', '@swc/core@1.16.18'];
    const packages = ['typescript@5.9.3', '@types/jest@30.0.0', NODE_TYPES, ...runner];
    await install('commonjs', packages, { 'agents.ts': AGENTS, 'agents.test.ts': TEST, 'jest.config.js': SWC_JEST });
  });

  it('compiles', () => compile({ module: 'commonjs', moduleResolution: 'node10' }, ['node', 'jest']));
  it('passes its test', () => project.run('jest'));
});

describe('a project without TypeScript', () => {
  const { CommonJS, ESNext } = ts.ModuleKind;
  beforeAll(() =>
    install('commonjs', ['expect@30.5.2'], {
      'agents.js': asJavaScript(AGENTS, CommonJS),
      'agents.test.js': asJavaScript(NODE_IMPORTS + TEST, CommonJS),
      'agents.mjs': asJavaScript(AGENTS, ESNext),
      'agents.test.mjs': asJavaScript(NODE_IMPORTS + TEST, ESNext).replace('./agents', './agents.mjs'),
    }),
  );

  it.each(['js', 'mjs'])('passes its test in a .%s file', (ending) => project.node('--test', `agents.test.${ending}`));
  it.each(['js', 'mjs'])('runs its agent in a .%s file', (ending) => expectAgentRuns(`./agents.${ending}`));
});

/** Where a package is installed. */
function copiesOf(name: string): string[] {
  const found = readdirSync(project.dir, { recursive: true, encoding: 'utf8' });
  return found.filter((path) => path.endsWith(`node_modules/${name}`)).map((path) => join(project.dir, path));
}
