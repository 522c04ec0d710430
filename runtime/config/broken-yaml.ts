import { type Document, isMap, isScalar, type Node, parseDocument, visit, type YAMLError } from 'yaml';

/** What is wrong with the form of a YAML file, and where. */
export interface BrokenYaml {
  offset: number;
  problem: string;
}

const CLOSING: { readonly [opening: string]: string } = { '{': '}', '[': ']', '"': '"', "'": "'" };

/** The first error of a parsed file in the words of its writer: what is not closed is reported where it opens. */
export function brokenYaml(source: string, [error]: readonly YAMLError[]): BrokenYaml | undefined {
  if (error === undefined) return undefined;
  const [offset] = error.pos;
  // After a colon YAML's messages quote the file, which may contain a key.
  const said = error.message.replace(/: ["'`].*$/s, '');
  switch (error.code) {
    case 'DUPLICATE_KEY':
      return { offset, problem: givenTwice(source, offset) ?? said };
    case 'BAD_INDENT':
    case 'MISSING_CHAR':
      return /\bend with a\b|^Missing closing/.test(said)
        ? (notClosed(source, offset) ?? { offset, problem: said })
        : { offset, problem: said };
    case 'UNEXPECTED_TOKEN':
      return /^Unexpected flow-\w+-end/.test(said)
        ? { offset, problem: `There is nothing that this \`${source[offset]}\` closes` }
        : { offset, problem: said };
    case 'BLOCK_AS_IMPLICIT_KEY':
      return {
        offset,
        problem: 'A section begins in a line of its own, further to the right; a text with `: ` needs quotes',
      };
    default:
      return { offset, problem: said };
  }
}

/** The file with the tokens that its parts are made of. */
function tokensOf(source: string): Document.Parsed {
  return parseDocument(source, { keepSourceTokens: true, prettyErrors: false, uniqueKeys: false });
}

function givenTwice(source: string, offset: number): string | undefined {
  let problem: string | undefined;
  visit(tokensOf(source), {
    Map(_, map) {
      const keys = map.items.map(({ key }) => key).filter((key) => isScalar(key));
      const second = keys.find(({ range }) => range?.[0] === offset);
      const first = keys.find(({ value }) => value === second?.value);
      if (first === undefined || second === undefined) return;
      const line = source.slice(0, first.range?.[0]).split('\n').length;
      problem = `\`${String(second.value)}\` is given twice, first in line ${line}; keep one of them, or make them one`;
    },
  });
  return problem;
}

/** What opens last before an error and has no end. */
function notClosed(source: string, before: number): BrokenYaml | undefined {
  let found: BrokenYaml | undefined;
  visit(tokensOf(source), {
    Node(_, node) {
      const opening = openingOf(node as Node);
      if (opening === undefined || opening.offset > before) return;
      if (found === undefined || opening.offset >= found.offset) {
        const problem = `This \`${opening.mark}\` is not closed; write \`${CLOSING[opening.mark]}\` where it ends`;
        found = { offset: opening.offset, problem };
      }
    },
  });
  return found;
}

function openingOf(node: Node): { offset: number; mark: string } | undefined {
  const { srcToken } = node;
  if (srcToken?.type === 'flow-collection') {
    const mark = isMap(node) ? '{' : '[';
    const end = isMap(node) ? 'flow-map-end' : 'flow-seq-end';
    return srcToken.end.some(({ type }) => type === end) ? undefined : { offset: srcToken.offset, mark };
  }
  if (srcToken?.type === 'double-quoted-scalar' || srcToken?.type === 'single-quoted-scalar') {
    const { source, offset } = srcToken;
    const mark = source.charAt(0);
    return source.length > 1 && source.endsWith(mark) ? undefined : { offset, mark };
  }
  return undefined;
}
