import { type Document, isMap, isScalar, type Node, parseDocument, visit, type YAMLError } from 'yaml';
import { BRACES, NO_TAGS, needsQuotes, SPACE_FOLLOWS, SPACELESS, type YamlFault } from './yaml-fault';

const CLOSING: { readonly [opening: string]: string } = { '{': '}', '[': ']', '"': '"', "'": "'" };

const SECTION = 'A section begins in a line of its own, further to the right; a text with `: ` needs quotes';
const COLUMN = 'The lines of a section begin in the same column, as do the entries of a list; this line does not';
const TAB = 'A tab indents this line; write spaces in its place';
const COLON = 'A colon is missing in this line, as in `name: value`';
const ESCAPE =
  'In double quotes a backslash begins a special character; write two of them, or put the text in single quotes';
const COMMA = 'A comma is missing before this';
const DOCUMENT = 'Another document begins here; write a single one, without `---` between its parts';
const ENDED =
  'The value before this has ended: a comma is missing, or quotes around a text with quotes or braces in it';

/** The first error of a parsed file in the words of its writer: what is not closed is reported where it opens. */
export function brokenYaml(source: string, errors: readonly YAMLError[]): YamlFault | undefined {
  const [error] = errors;
  if (error === undefined) return undefined;
  const [offset, end] = error.pos;
  // After a colon YAML's messages quote the file, which may contain a key.
  const said = error.message.replace(/: .*$/s, '');
  switch (error.code) {
    case 'DUPLICATE_KEY':
      return { offset, problem: givenTwice(source, offset) ?? said };
    case 'BAD_INDENT':
    case 'MISSING_CHAR':
      return missing(source, offset, said);
    case 'UNEXPECTED_TOKEN':
      return unexpected(source, offset, said);
    case 'BAD_SCALAR_START':
      return { offset, problem: needsQuotes(source.charAt(offset)) };
    case 'TAG_RESOLVE_FAILED':
      return { offset, problem: NO_TAGS };
    case 'MULTIPLE_DOCS':
      return { offset, problem: DOCUMENT };
    case 'BLOCK_IN_FLOW':
      return { offset, problem: 'A comma is missing here, or quotes around a text with `: `' };
    case 'MULTILINE_IMPLICIT_KEY':
      if (SPACELESS.test(source.slice(offset))) return { offset, problem: SPACE_FOLLOWS };
      if (isInFlow(errors)) return { offset: lastLine(source, end), problem: COMMA };
      if (isFirstInLine(source, offset)) return { offset, problem: COLON };
      return { offset: lastLine(source, end), problem: COLUMN };
    case 'BLOCK_AS_IMPLICIT_KEY':
      return sectionInLine(source, offset, errors);
    case 'TAB_AS_INDENT':
      return { offset, problem: TAB };
    case 'BAD_DQ_ESCAPE':
      return { offset, problem: ESCAPE };
    default:
      return { offset, problem: said };
  }
}

function missing(source: string, offset: number, said: string): YamlFault {
  if (/\bend with a\b|^Missing closing/.test(said)) {
    return notClosed(source, offset) ?? { offset, problem: said };
  }
  if (said.startsWith('All ')) return { offset: wordAt(source, offset), problem: COLUMN };
  if (said.startsWith('Missing , ')) return cut(source, offset) ?? { offset, problem: COMMA };
  if (said.startsWith('Implicit map keys')) {
    return { offset, problem: SPACELESS.test(source.slice(offset)) ? SPACE_FOLLOWS : COLON };
  }
  return { offset, problem: said };
}

function unexpected(source: string, offset: number, said: string): YamlFault {
  if (/^Unexpected flow-\w+-end/.test(said)) {
    return { offset, problem: `There is nothing that this \`${source[offset]}\` closes` };
  }
  if (said.startsWith('Unexpected , ')) return { offset, problem: 'There is nothing before this comma' };
  if (said.startsWith('Block scalar header')) {
    const sign = Math.max(source.lastIndexOf('|', offset), source.lastIndexOf('>', offset));
    return { offset: sign, problem: needsQuotes(source.charAt(sign)) };
  }
  if (/^Unexpected \S+ token$/.test(said)) return { offset, problem: COMMA };
  if (!said.endsWith('at node end')) return { offset, problem: said };
  return cut(source, offset) ?? { offset, problem: isFirstInLine(source, offset) ? COLUMN : ENDED };
}

/** A setting after the colon of another one, or further to the right in the next line, which YAML takes for the same text. */
function sectionInLine(source: string, offset: number, errors: readonly YAMLError[]): YamlFault {
  const word = wordAt(source, offset);
  if (source.startsWith('- ', word)) return { offset: word, problem: COLUMN };
  const [next] = errors.filter(({ code, pos }) => code === 'MULTILINE_IMPLICIT_KEY' && pos[0] === offset);
  return next === undefined ? { offset, problem: SECTION } : { offset: lastLine(source, next.pos[1]), problem: COLUMN };
}

/** Inside braces a text ends before `{`, as `$` does in `${NAME}`. */
function cut(source: string, offset: number): YamlFault | undefined {
  if (source[offset] !== '{' || !/[^\s"'\]}]/.test(source.charAt(offset - 1))) return undefined;
  return { offset: source[offset - 1] === '$' ? offset - 1 : offset, problem: BRACES };
}

const isInFlow = (errors: readonly YAMLError[]) => errors.some(({ code }) => code === 'BLOCK_IN_FLOW');

/** Whether only spaces are before an offset in its line. */
const isFirstInLine = (source: string, offset: number) =>
  source.slice(source.lastIndexOf('\n', offset - 1) + 1, offset).trim() === '';

/** The first word at or after an offset. */
const wordAt = (source: string, offset: number) => offset + source.slice(offset).search(/\S|$/);

/** Where the text of the line begins in which an offset is. */
const lastLine = (source: string, offset: number) => wordAt(source, source.lastIndexOf('\n', offset - 1) + 1);

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
function notClosed(source: string, before: number): YamlFault | undefined {
  let found: YamlFault | undefined;
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
