import ts from 'typescript';
import { ROOT } from './docs/pages';
import { compilerOptions } from './docs/type-script';

const ENTRY_POINTS = {
  holdfast: 'agent/index.ts',
  'holdfast/workflows': 'workflows/index.ts',
  'holdfast/worker': 'workers/index.ts',
  'holdfast/client': 'client/index.ts',
  'holdfast/testing': 'test/kit/index.ts',
};

const program = ts.createProgram(
  Object.values(ENTRY_POINTS).map((file) => `${ROOT}/${file}`),
  compilerOptions(),
);
const checker = program.getTypeChecker();

function exportsOf(file: string): ts.Symbol[] {
  const source = program.getSourceFile(`${ROOT}/${file}`);
  const module = source && checker.getSymbolAtLocation(source);
  if (module === undefined) throw new Error(`${file} is not a module`);
  return checker.getExportsOfModule(module);
}

function target(symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

it.each(Object.entries(ENTRY_POINTS))('%s exports exactly these names', (_, file) => {
  const names = exportsOf(file).map((symbol) => {
    // `export type { … }` of a class exports only its type.
    const { flags } = target(symbol);
    const typeOnly = symbol.declarations?.some((one) => ts.isExportSpecifier(one) && isTypeOnly(one)) === true;
    return `${symbol.name} (${flags & ts.SymbolFlags.Value && !typeOnly ? 'value' : 'type'})`;
  });
  expect(names.sort()).toMatchSnapshot();
});

function isTypeOnly(specifier: ts.ExportSpecifier): boolean {
  return specifier.isTypeOnly || specifier.parent.parent.isTypeOnly;
}

it.each(Object.entries(ENTRY_POINTS))('everything that %s exports is documented', (_, file) => {
  const silent = exportsOf(file)
    .filter((symbol) => symbol.name !== 'default')
    .flatMap((symbol) => [symbol, ...membersOf(target(symbol))])
    .filter((symbol) => !isDiscriminant(symbol) && target(symbol).getDocumentationComment(checker).length === 0);
  expect(silent.map((symbol) => checker.symbolToString(symbol))).toEqual([]);
});

/** A field with one value, such as `type: 'answer'`: its name and its value say it all. */
function isDiscriminant(symbol: ts.Symbol): boolean {
  const [declared] = symbol.declarations ?? [];
  return declared !== undefined && ts.isPropertySignature(declared) && checker.getTypeOfSymbol(symbol).isLiteral();
}

/** The fields and methods that readers of a type see: the members of a field's own type are not checked. */
function membersOf(symbol: ts.Symbol): ts.Symbol[] {
  const members = (symbol.declarations ?? []).flatMap((one): readonly ts.NamedDeclaration[] =>
    ts.isInterfaceDeclaration(one) || ts.isClassDeclaration(one) ? one.members : [],
  );
  return members
    .filter((member) => !(ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Private))
    .flatMap(({ name }) => (name === undefined || ts.isPrivateIdentifier(name) ? [] : [name]))
    .flatMap((name) => checker.getSymbolAtLocation(name) ?? []);
}
