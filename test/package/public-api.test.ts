import ts from 'typescript';
import { checker, ENTRY_POINTS, exportsOf, isValue, target } from './public-names';

it.each(Object.entries(ENTRY_POINTS))('%s exports exactly these names', (_, file) => {
  const names = exportsOf(file).map((symbol) => `${symbol.name} (${isValue(symbol) ? 'value' : 'type'})`);
  expect(names.sort()).toMatchSnapshot();
});

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
