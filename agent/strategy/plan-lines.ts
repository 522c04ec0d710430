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
/** Where a run of characters ends. Searching for its end is several times faster than looking at each character. */
const NO_WORD = /\W/g;
const NO_SPACE = /[^ \t]/g;
const FIELD_OR_END = /[\w)\n]/g;
const END_OF_LIST = /[\]\n]/g;
const END_OF_BARE = /[,)\n]/g;
const ENDS_OF_QUOTED = { '"': /["\\\n]/g, "'": /['\\\n]/g };
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
  let at = endOf(text, from, FIELD_OR_END);
  while (at < text.length) {
    if (text[at] === ')') return { fields, at: at + 1, ended: true };
    // A new line begins a new step.
    if (text[at] === '\n') return { fields, at, ended: false };
    const nameEnd = endOf(text, at, NO_WORD);
    const name = FIELDS[text.slice(at, Math.min(nameEnd, at + 40))];
    at = endOf(text, nameEnd, NO_SPACE);
    if (text[at] === '=') {
      const value = readValue(text, endOf(text, at + 1, NO_SPACE));
      at = value.at;
      if (name !== undefined && Object.hasOwn(FIELDS, name)) fields[name] = value.value;
    }
    at = endOf(text, at, FIELD_OR_END);
  }
  return { fields, at, ended: false };
}

function readValue(text: string, from: number): { value: JsonObject[string]; at: number } {
  const quote = text[from];
  if (quote === '"' || quote === "'") return quoted(text, from + 1, quote);
  if (quote === '[') {
    const end = endOf(text, from + 1, END_OF_LIST);
    return {
      value: text
        .slice(from + 1, end)
        .split(',')
        .map(bare)
        .filter(isFilled),
      at: end + 1,
    };
  }
  const end = endOf(text, from, END_OF_BARE);
  return { value: bare(text.slice(from, end)), at: end };
}

function quoted(text: string, from: number, quote: '"' | "'"): { value: string; at: number } {
  const parts: string[] = [];
  let start = from;
  let at = endOf(text, from, ENDS_OF_QUOTED[quote]);
  while (text[at] === '\\' && at + 1 < text.length) {
    parts.push(text.slice(start, at));
    // The escaped character begins the next part, whatever it is.
    start = at + 1;
    at = endOf(text, start + 1, ENDS_OF_QUOTED[quote]);
  }
  if (text[at] === '\\') at++;
  parts.push(text.slice(start, at));
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

function endOf(text: string, from: number, end: RegExp): number {
  end.lastIndex = from;
  return end.test(text) ? end.lastIndex - 1 : text.length;
}
