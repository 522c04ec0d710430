import ts from 'typescript';
import { ROOT } from '../docs/pages';
import { compilerOptions } from '../docs/type-script';

/** The modules that users import, and the file of each. */
export const ENTRY_POINTS = {
  holdfast: 'agent/index.ts',
  'holdfast/workflows': 'workflows/index.ts',
  'holdfast/worker': 'workers/index.ts',
  'holdfast/client': 'client/index.ts',
  'holdfast/server': 'client/gateway/index.ts',
  'holdfast/testing': 'test/kit/index.ts',
};

const program = ts.createProgram(
  Object.values(ENTRY_POINTS).map((file) => `${ROOT}/${file}`),
  compilerOptions(),
);
export const checker = program.getTypeChecker();

/** What a file exports. */
export function exportsOf(file: string): ts.Symbol[] {
  const source = program.getSourceFile(`${ROOT}/${file}`);
  const module = source && checker.getSymbolAtLocation(source);
  if (module === undefined) throw new Error(`${file} is not a module`);
  return checker.getExportsOfModule(module);
}

/** What an exported name stands for. */
export function target(symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

/** `export type { … }` of a class exports only its type. */
export function isValue(symbol: ts.Symbol): boolean {
  const typeOnly = symbol.declarations?.some((one) => ts.isExportSpecifier(one) && isTypeOnly(one)) === true;
  return (target(symbol).flags & ts.SymbolFlags.Value) !== 0 && !typeOnly;
}

function isTypeOnly(specifier: ts.ExportSpecifier): boolean {
  return specifier.isTypeOnly || specifier.parent.parent.isTypeOnly;
}
