import ts from 'typescript';
import { ROOT } from './pages';

/** The options of the repository, with its path aliases. */
export function compilerOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(`${ROOT}/tsconfig.json`, ts.sys.readFile);
  return ts.parseJsonConfigFileContent({ ...config, include: [] }, ts.sys, ROOT).options;
}

/** The members of a union of strings that a file exports. */
export function wordsOf(program: ts.Program, file: string, name: string, property?: string): string[] {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(`${ROOT}/${file}`);
  const module = source && checker.getSymbolAtLocation(source);
  const symbol = module && checker.getExportsOfModule(module).find((found) => found.name === name);
  if (symbol === undefined) throw new Error(`${file} exports no ${name}`);
  let type = checker.getDeclaredTypeOfSymbol(symbol);
  const inner = property === undefined ? undefined : type.getProperty(property);
  if (inner !== undefined) type = checker.getTypeOfSymbol(inner);
  return (type.isUnion() ? type.types : [type]).map((word) => (word as ts.StringLiteralType).value);
}
