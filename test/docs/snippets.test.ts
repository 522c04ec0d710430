import { join } from 'node:path';
import ts from 'typescript';
import { type Block, blocksOf, DOCS, PAGES, ROOT } from './pages';
import { compilerOptions } from './type-script';

/** The declaration that each name in `// given: run, kit` at the head of a block adds. */
const GIVEN: { readonly [name: string]: string } = {
  agent: "declare const agent: import('holdfast').Agent<{ mail: string }, { queue: 'billing' | 'tech' }>;",
  client: "declare const client: import('holdfast/client').AgentClient;",
  run: "declare const run: import('holdfast/client').RunHandle<{ queue: 'billing' | 'tech' }>;",
  chat: "declare const chat: import('holdfast/client').ConversationHandle<string>;",
  kit: "declare const kit: import('holdfast/testing').AgentTestEnvironment;",
  temporal: "declare const temporal: import('@temporalio/client').Client;",
  orders: 'declare const orders: { find(id: string, options: { signal: AbortSignal }): Promise<{ paid: number }> };',
  pay: 'declare const pay: { refund(of: object, options: { key: string | undefined; signal: AbortSignal }): Promise<{ id: string }>; reverse(id: string, options: { key: string | undefined }): Promise<string> };',
  lookup: "declare const lookup: import('holdfast').Tool;",
  mail: 'declare const mail: string;',
  legalAgent: "declare const legalAgent: import('holdfast').Agent<{ text: string }, string>;",
  Stock:
    "declare const Stock: import('holdfast').Contract<{ '1.0.0': { accepts: import('zod').ZodObject; emits: { done: import('zod').ZodObject } } }>;",
  show: 'declare function show(what: unknown): void;',
};

const blocks = PAGES.flatMap((page) => blocksOf(page, 'ts')).filter(({ note }) => note !== 'ignore');

/**
 * Makes a module of a block. One that begins with `// agents.ts` is what its page imports as `./agents`; a later one of
 * the same name is compiled beside it.
 */
function moduleOf(block: Block): { path: string; text: string } {
  const { page, line, code } = block;
  const [first = '', ...rest] = code.split('\n');
  const path = join(DOCS, page.replace('.md', ''), nameOf(block) ?? `line-${line}.ts`);
  const given = /^\/\/ given: (.+)$/.exec(first)?.[1];
  if (given === undefined) return { path, text: `${code}\nexport {};\n` };
  const brought = given.split(', ').map((name) => {
    const declaration = GIVEN[name];
    if (declaration === undefined) throw new Error(`${page}:${line}: \`${name}\` is not known`);
    return declaration;
  });
  // In one line, so that the line numbers stay those of the page.
  return { path, text: `${brought.join(' ')}\n${rest.join('\n')}\nexport {};\n` };
}

/** The name in `// agents.ts` at the head of a block, unless an earlier block of its page has the same name. */
function nameOf({ page, line, code }: Block): string | undefined {
  const name = namedBy(code);
  return blocks.some((other) => other.page === page && other.line < line && namedBy(other.code) === name)
    ? undefined
    : name;
}

const namedBy = (code: string) => /^\/\/ ([\w.-]+\.ts)/.exec(code)?.[1];

function problemsOf(all: readonly Block[]): string[] {
  const modules = new Map(all.map((block) => [moduleOf(block).path, { block, text: moduleOf(block).text }]));
  const options: ts.CompilerOptions = {
    ...compilerOptions(),
    // As in the reader's own module, where `await` is allowed at the top level.
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    noEmit: true,
    noUnusedLocals: false,
    noUnusedParameters: false,
  };
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, directoryExists } = host;
  host.fileExists = (path) => modules.has(path) || fileExists(path);
  host.readFile = (path) => modules.get(path)?.text ?? readFile(path);
  const folders = new Set([...modules.keys()].map((path) => join(path, '..')));
  host.directoryExists = (path) => folders.has(path) || directoryExists?.(path) === true;
  host.getCurrentDirectory = () => ROOT;
  const getSourceFile = host.getSourceFile.bind(host);
  host.getSourceFile = (path, version, ...more) => {
    const text = modules.get(path)?.text;
    return text === undefined ? getSourceFile(path, version, ...more) : ts.createSourceFile(path, text, version, true);
  };
  const program = ts.createProgram([...modules.keys()], options, host);
  return [...modules].flatMap(([path, { block }]) => {
    const source = program.getSourceFile(path);
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map((found) => {
      const line = source?.getLineAndCharacterOfPosition(found.start ?? 0).line ?? 0;
      return `docs/${block.page}:${block.line + line}: ${ts.flattenDiagnosticMessageText(found.messageText, ' ')}`;
    });
  });
}

/** Compiled in the same program as the rest, since each program takes seconds. */
const BROKEN: Block = {
  page: 'guides/tools.md',
  language: 'ts',
  line: 1,
  note: '',
  code: "import { defineTol } from 'holdfast';\n",
};
let problems: string[];
beforeAll(() => {
  problems = problemsOf([...blocks, BROKEN]);
}, 60_000);

it('every TypeScript block of the pages compiles', () => {
  expect(blocks.length).toBeGreaterThan(15);
  expect(problems.filter((problem) => !problem.includes('defineTol'))).toEqual([]);
});

it('a block that does not compile is reported', () => {
  expect(problems).toContainEqual(expect.stringMatching(/^docs\/guides\/tools\.md:1: .*defineTol/));
});
