import type { JsonObject } from '../values/json';

const BEGINS = '[plan.add_step(';
/** Fields of a line, and their names in the JSON form. */
const FIELDS: { readonly [name: string]: string } = {
  step: 'step_number',
  step_number: 'step_number',
  server: 'expected_server',
  expected_server: 'expected_server',
  description: 'description',
  hint_params: 'hint_params',
  depends_on: 'depends_on',
  critical: 'critical',
};
/** More lines than any plan may have: what follows need not be read. */
const ENOUGH = 1000;

/** The steps in lines `[plan.add_step(step=1, server="…", description="…")]`, in the form that JSON has them. */
export function stepsOfLines(text: string): JsonObject[] {
  const steps: JsonObject[] = [];
  let at = text.indexOf(BEGINS);
  while (at !== -1 && steps.length < ENOUGH) {
    const read = readFields(text, at + BEGINS.length);
    if (read.ended) steps.push(read.fields);
    at = text.indexOf(BEGINS, read.at);
  }
  return steps;
}

interface Read {
  fields: JsonObject;
  /** Where reading ended. Every character is read once. */
  at: number;
  ended: boolean;
}

/** Reads `name=value` pairs up to the closing bracket. Other words are skipped. */
function readFields(text: string, from: number): Read {
  const fields: JsonObject = {};
  let at = from;
  while (at < text.length) {
    const character = text[at] ?? '';
    if (character === ')') return { fields, at: at + 1, ended: true };
    // A new line begins a new step.
    if (character === '\n') return { fields, at, ended: false };
    if (!isWord(character)) {
      at++;
      continue;
    }
    const nameEnd = endOf(text, at, isWord);
    const name = FIELDS[text.slice(at, Math.min(nameEnd, at + 40))];
    at = endOf(text, nameEnd, isSpace);
    if (text[at] !== '=') continue;
    const value = readValue(text, endOf(text, at + 1, isSpace));
    at = value.at;
    if (name !== undefined && Object.hasOwn(FIELDS, name)) fields[name] = value.value;
  }
  return { fields, at, ended: false };
}

function readValue(text: string, from: number): { value: JsonObject[string]; at: number } {
  const quote = text[from];
  if (quote === '"' || quote === "'") return quoted(text, from + 1, quote);
  if (quote === '[') {
    const end = endOf(text, from + 1, (character) => character !== ']' && character !== '\n');
    return {
      value: text
        .slice(from + 1, end)
        .split(',')
        .map(bare)
        .filter(isFilled),
      at: end + 1,
    };
  }
  const end = endOf(text, from, (character) => character !== ',' && character !== ')' && character !== '\n');
  return { value: bare(text.slice(from, end)), at: end };
}

function quoted(text: string, from: number, quote: string): { value: string; at: number } {
  const parts: string[] = [];
  let at = from;
  while (at < text.length && text[at] !== quote && text[at] !== '\n') {
    if (text[at] === '\\' && at + 1 < text.length) at++;
    parts.push(text[at] ?? '');
    at++;
  }
  return { value: parts.join(''), at: text[at] === quote ? at + 1 : at };
}

/** A value without quotes: a number, `true`, `false`, or a text. Python writes the latter two with a capital letter. */
function bare(text: string): string | number | boolean {
  const value = text.trim().replace(/^["']|["']$/g, '');
  if (/^\d{1,6}$/.test(value)) return Number(value);
  const lower = value.toLowerCase();
  return lower === 'true' || lower === 'false' ? lower === 'true' : value;
}

function isFilled(value: string | number | boolean): boolean {
  return value !== '';
}

function endOf(text: string, from: number, goesOn: (character: string) => boolean): number {
  let at = from;
  while (at < text.length && goesOn(text[at] ?? '')) at++;
  return at;
}

function isWord(character: string): boolean {
  return /^\w$/.test(character);
}

function isSpace(character: string): boolean {
  return character === ' ' || character === '\t';
}
