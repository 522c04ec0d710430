import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, visit } from 'yaml';
import type { z } from 'zod';
import { HoldfastError } from '../../../agent/errors/error';
import type { Environment } from '../../binaries/download';
import { brokenYaml } from './broken-yaml';
import { misreadYaml } from './misread-yaml';

/** Keys and places in lists, from the root to a value. */
export type Path = readonly PropertyKey[];

/** A YAML file that knows the position of each of its values. */
export interface PositionedYaml {
  /** The plain value, with variables replaced. An empty file is an empty section. */
  value: unknown;
  /** The error for an invalid value, with the position of its path. */
  invalid(path: Path, problem: string): HoldfastError<'InvalidConfig'>;
  /** The error for the first of zod's issues, in the order of the file. */
  invalidIssue(error: z.ZodError): HoldfastError<'InvalidConfig'>;
}

/**
 * Reads YAML and replaces `${NAME}` and `${NAME:-default}` in its texts; `$${` stands for `${`.
 * @throws HoldfastError `InvalidConfig` for broken YAML, and for a variable that is not set and has no default
 */
export function readYaml(file: string, source: string, env: Environment): PositionedYaml {
  const lines = new LineCounter();
  const document = parseDocument(source, { lineCounter: lines, prettyErrors: false });
  const failAt = (offset: number, problem: string) => {
    const { line, col } = lines.linePos(offset);
    return new HoldfastError('InvalidConfig', { file, line, column: col, problem });
  };

  const broken = brokenYaml(source, document.errors);
  const misread = misreadYaml(document);
  if (misread !== undefined && misread.offset < (broken?.offset ?? source.length)) {
    throw failAt(misread.offset, misread.problem);
  }
  if (broken !== undefined) throw failAt(broken.offset, broken.problem);

  visit(document, {
    Alias(_, node) {
      if (node.resolve(document) !== undefined) return;
      throw failAt(
        node.range?.[0] ?? 0,
        'A text that begins with `*` needs quotes: without, it means a part of the file',
      );
    },
    Scalar(key, node) {
      if (key === 'key' || typeof node.value !== 'string') return;
      node.value = interpolate(node.value, env, (problem) => failAt(node.range?.[0] ?? 0, problem));
    },
  });

  return {
    value: document.toJS() ?? {},
    invalid: (path, problem) => failAt(placeOf(document, path, 'value'), problem),
    invalidIssue(error) {
      // A setting that is missing beside an unknown key is most likely that key, misspelt: the key is the mistake.
      const misspelt = error.issues.filter(({ code }) => code === 'unrecognized_keys').map(({ path }) => dotted(path));
      const isMisspelt = (path: Path) => misspelt.includes(dotted(path.slice(0, -1))) && !document.hasIn(path);
      const issues = error.issues
        .filter((issue) => !isMisspelt(issue.path))
        .map((issue) =>
          // An unknown key is reported at its section; its own position says more.
          issue.code === 'unrecognized_keys'
            ? { offset: placeOf(document, [...issue.path, ...issue.keys.slice(0, 1)], 'key'), problem: issue.message }
            : { offset: placeOf(document, issue.path, 'value'), problem: `${dotted(issue.path)}${issue.message}` },
        )
        .sort((a, b) => a.offset - b.offset);
      const { offset, problem } = issues[0] ?? { offset: 0, problem: 'It does not fit' };
      return failAt(offset, problem);
    },
  };
}

/** Where the value at a path is in a file that was read before. */
export function placeInYaml(source: string, path: Path): { line: number; column: number } {
  const lines = new LineCounter();
  const document = parseDocument(source, { lineCounter: lines });
  const { line, col } = lines.linePos(placeOf(document, path, 'value'));
  return { line, column: col };
}

const dotted = (path: Path) => (path.length === 0 ? '' : `\`${path.map(String).join('.')}\`: `);

const VARIABLE = /\$\$\{|\$\{([^}]*)\}?/g;
const REFERENCE = /^([A-Za-z_][A-Za-z0-9_]*)(:-(.*))?$/s;

function interpolate(text: string, env: Environment, fail: (problem: string) => Error): string {
  return text.replace(VARIABLE, (whole, inside: string | undefined) => {
    if (inside === undefined) return '${';
    const [, name, fallback, otherwise = ''] = REFERENCE.exec(inside) ?? [];
    if (name === undefined || !whole.endsWith('}')) throw fail(`Expected \`\${NAME}\` or \`\${NAME:-default}\``);
    const value = env[name];
    // As in a shell, `:-` also replaces an empty variable.
    if (fallback !== undefined && (value === undefined || value === '')) return otherwise;
    if (value === undefined) {
      throw fail(`The environment variable \`${name}\` is not set; set it, or write \`\${${name}:-default}\``);
    }
    return value;
  });
}

/** Offset of the key or the value at a path; for a section that of its key, for a missing value that of its parent. */
function placeOf(document: Document.Parsed, path: Path, wanted: 'key' | 'value'): number {
  let node = resolve(document, document.contents);
  let offset = node?.range?.[0] ?? 0;
  for (const step of path) {
    const pair = isMap(node)
      ? node.items.find(({ key }) => String(isScalar(key) ? key.value : key) === String(step))
      : undefined;
    const key = pair?.key as Node | undefined;
    const value = resolve(document, isMap(node) ? pair?.value : isSeq(node) ? node.items[Number(step)] : undefined);
    // A text has no parts: a path that goes on in it means the text, such as one module for a list of them.
    const inner = isScalar(value) && wanted === 'value' ? value : (key ?? value);
    if (inner?.range === undefined || inner.range === null) break;
    offset = inner.range[0];
    node = value;
  }
  return offset;
}

function resolve(document: Document.Parsed, node: unknown): Node | undefined {
  if (isAlias(node)) return node.resolve(document);
  return (node ?? undefined) as Node | undefined;
}
