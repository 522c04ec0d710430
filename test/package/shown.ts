import ts from 'typescript';
import { type Block, blocksOf, PAGES } from '../docs/pages';

/** The only block of a page that contains a text: what a reader copies. */
function shown(page: string, language: string, part: string): string {
  const found: Block[] = blocksOf(page, language).filter(({ code }) => code.includes(part));
  const [block] = found;
  if (block === undefined || found.length > 1) throw new Error(`${page} has ${found.length} blocks with \`${part}\``);
  return block.code;
}

const TESTING = PAGES.find((page) => page.endsWith('testing.md')) ?? '';

export const AGENTS = shown('../README.md', 'ts', '// agents.ts');
export const TEST = shown('../README.md', 'ts', 'createAgentTestEnvironment');
export const CONFIG = shown('../README.md', 'yaml', '# temporal.yaml');
export const TS_JEST = shown(TESTING, 'js', "preset: 'ts-jest'");
export const SWC_JEST = shown(TESTING, 'js', "'@swc/jest'");
export const VITEST = shown(TESTING, 'js', 'vitest/config');
export const NODE_IMPORTS = shown(TESTING, 'ts', "from 'node:test'");

/** ES modules name the file that they import, with its ending. */
export const asEsm = (code: string) => code.replace("from './agents'", "from './agents.js'");

/** The same code in JavaScript. */
export function asJavaScript(code: string, module: ts.ModuleKind.CommonJS | ts.ModuleKind.ESNext): string {
  return ts.transpileModule(code, { compilerOptions: { module, target: ts.ScriptTarget.ES2022 } }).outputText;
}
