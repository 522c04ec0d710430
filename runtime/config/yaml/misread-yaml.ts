import { type Document, isCollection, isMap, isScalar, type Node, type Pair, visit } from 'yaml';
import { BRACES, NO_TAGS, needsQuotes, SPACE_FOLLOWS, SPACELESS, type YamlFault } from './yaml-fault';

/** What YAML accepts, although it is not what its writer means. The variables are not replaced yet. */
export function misreadYaml(document: Document.Parsed): YamlFault | undefined {
  const found: YamlFault[] = document.warnings
    .filter(({ code }) => code === 'TAG_RESOLVE_FAILED')
    .map(({ pos: [offset] }) => ({ offset, problem: NO_TAGS }));
  const add = (node: unknown, problem: string) => {
    found.push({ offset: (node as Node).range?.[0] ?? 0, problem });
  };
  const { contents } = document;
  if (hasOddSpace(contents)) add(contents, ODD_SPACE);
  else if (isScalar(contents) && SPACELESS.test(String(contents.value))) add(contents, SPACE_FOLLOWS);
  visit(document, {
    Pair(_, pair) {
      const { key, value } = pair;
      if (isCollection(key)) add(key, BRACES);
      else if (hasOddSpace(key)) add(key, ODD_SPACE);
      else if (isSpaceless(pair)) add(key, SPACE_FOLLOWS);
      for (const { node, write } of bareVariables(pair)) {
        add(node, `This text itself would be sent, not the value of a variable: write \`${write}\``);
      }
      if (isScalar(value) && value.anchor !== undefined && value.value === null) {
        const offset = (value.range?.[0] ?? 0) - `&${value.anchor}`.length;
        found.push({ offset, problem: needsQuotes('&') });
      }
    },
  });
  return found.sort((a, b) => a.offset - b.offset)[0];
}

const ODD_SPACE = 'This has a space that only looks like one, as web pages have them; write an ordinary space';

/** A space that is none for YAML, where one belongs: before a key, or after its colon. */
function hasOddSpace(node: unknown): boolean {
  return (
    isScalar(node) &&
    node.type === 'PLAIN' &&
    /^(?:[\w.-]+:)?[\u00a0\u2000-\u200b\u202f\u3000\ufeff]/.test(String(node.value))
  );
}

/** `{ apiKey:abc }` is a name without a value, and `models:{ a: … }` begins with the name `models:{ a`. */
function isSpaceless({ key, value }: Pair): boolean {
  if (!isScalar(key) || key.type !== 'PLAIN') return false;
  const name = String(key.value);
  return /^[^\s:]+:[{["']/.test(name) || (value === null && SPACELESS.test(name));
}

/** Settings whose text is a secret of its own. */
const SECRETS: ReadonlySet<unknown> = new Set(['apiKey', 'clientSecret', 'password', 'secret']);
const HEADERS: ReadonlySet<unknown> = new Set(['headers', 'extraHeaders']);

/**
 * How a variable is written elsewhere: in a shell, in PowerShell and batch files, in JavaScript, in templates. A key that
 * begins with `$` has small letters or other characters too, or it comes from a variable.
 */
const ELSEWHERE = [
  /^\$([A-Z_][A-Z0-9_]*)$/,
  /^\$env:(\w+)$/i,
  /^%(\w+)%$/,
  /^(?:process\.|import\.meta\.|Deno\.|Bun\.)?env\.([A-Za-z_]\w*)$/,
  /^process\.env\[["'](\w+)["']\]$/,
  /^\$?\{\{\s*(?:(?:secrets|env|vars)?\.)?([A-Za-z_]\w*)\s*\}\}$/,
];

/** Secrets and headers that are the name of a variable, which would be sent as they are. */
function bareVariables({ key, value }: Pair): { node: unknown; write: string }[] {
  const name = isScalar(key) ? key.value : undefined;
  const inHeaders = HEADERS.has(name) && isMap(value);
  const secrets = inHeaders ? value.items.map((header) => header.value) : SECRETS.has(name) ? [value] : [];
  return secrets.flatMap((node) => {
    const [, bearer = '', text = ''] = isScalar(node)
      ? (/^(Bearer )?(.*)$/s.exec(String(node.value).trim()) ?? [])
      : [];
    const variable = ELSEWHERE.map((form) => form.exec(text)?.[1]).find((found) => found !== undefined);
    return variable === undefined ? [] : [{ node, write: `"${bearer}\${${variable}}"` }];
  });
}
