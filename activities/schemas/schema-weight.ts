import type { JsonSchema } from '../../agent/protocol/manifest';
import { isJsonObject, type Json } from '../../agent/values/json';
import { remembered } from '../../agent/values/remembered';
import { patternSize, unusable } from './linear-pattern';
import { NAMED } from './walk-schema';

/** The cost of a schema, with every `$ref` written out. */
interface Weight {
  /** Keywords and values of keywords: each may be visited once for each value. Infinite if the schema is recursive. */
  nodes: number;
  /** Steps for each character of a text. Infinite if a pattern has no bound. */
  steps: number;
  /** Keywords to compile, and the size of the patterns. */
  code: number;
  patterns: number;
  /** ajv copies the list of errors for each reference. */
  refs: boolean;
}

/**
 * Limits for a check in the main thread. Worst cases measured on two cores with Node 20: a keyword compiles in 0.1 ms,
 * a step of a pattern in 0.025 ms; visiting a node takes 20 ns, a step of a character 100 ns. A check with coercion
 * makes up to 17 visits. With references, errors cost their square.
 */
const AT_ONCE = { code: 500, patterns: 1000, looks: 75_000, looksWithRefs: 10_000, steps: 50_000 } as const;
/** Characters of a value that is checked in the main thread, including its names. */
const MAX_CHARS = 64 * 1024;

/** Keywords that do not restrict values. */
const SILENT: ReadonlySet<string> = new Set(['title', 'description', 'default', 'examples', '$comment', 'deprecated']);
/** Keywords that hold values, or names of fields. */
const VALUES: ReadonlySet<string> = new Set(['const', 'enum', 'required']);
/** A longer chain of references between schemas counts as recursive. */
const MAX_ROW = 200;
/** References that are only resolved during evaluation. */
const DYNAMIC: ReadonlySet<string> = new Set(['$dynamicRef', '$recursiveRef']);
/** Steps that the formats' own expressions may take; a length is counted by code points. */
const STEPS: { readonly [keyword: string]: number | undefined } = {
  format: 10,
  minLength: 1,
  maxLength: 1,
  uniqueItems: 1,
};
/** Keywords whose visit costs more than one: each item is written as JSON. */
const NODES: { readonly [keyword: string]: number | undefined } = { uniqueItems: 20 };

const NOTHING: Weight = { nodes: 0, steps: 0, code: 0, patterns: 0, refs: false };
const UNKNOWN: Weight = { nodes: Number.POSITIVE_INFINITY, steps: 0, code: 0, patterns: 0, refs: true };

/** Whether a schema is small enough to compile in a moment. */
export function compilesAtOnce(schema: JsonSchema): boolean {
  const { code, patterns, nodes } = weightOf(schema);
  return code <= AT_ONCE.code && patterns <= AT_ONCE.patterns && nodes < Number.POSITIVE_INFINITY;
}

/** Whether the patterns of a schema compile in a moment. */
export function patternsCompileAtOnce(schema: JsonSchema): boolean {
  return weightOf(schema).patterns <= AT_ONCE.patterns;
}

/** Whether any value and schema of this size can be checked in a moment, including the compilation. */
export function checksAtOnce(schema: JsonSchema, value: unknown): boolean {
  if (!compilesAtOnce(schema)) return false;
  const { nodes, steps, refs } = weightOf(schema);
  const size = sizeOf(value);
  if (size.chars > MAX_CHARS || steps * (1 + size.chars) > AT_ONCE.steps) return false;
  return nodes * size.nodes <= (refs ? AT_ONCE.looksWithRefs : AT_ONCE.looks);
}

const weightOf = remembered((schema: JsonSchema): Weight => new Scale(schema).weigh(schema));

class Scale {
  private readonly known = new Map<Json, Weight>();
  private row = 0;
  private compiled = 0;

  constructor(private readonly root: JsonSchema) {}

  weigh(value: Json): Weight {
    if (Array.isArray(value)) return value.map((one) => this.weigh(one)).reduce(sum, NOTHING);
    if (!isJsonObject(value)) return { ...NOTHING, nodes: 1 };
    const known = this.known.get(value);
    if (known !== undefined) return known;
    if (this.row >= MAX_ROW) return UNKNOWN;
    // A visit during this one has found a recursion.
    this.known.set(value, UNKNOWN);
    this.row++;
    // References inside would be relative to it.
    const isBase = value !== this.root && '$id' in value;
    const weight = Object.entries(value)
      .map(([keyword, held]) => this.keyword(keyword, held))
      .reduce(sum, isBase ? UNKNOWN : { ...NOTHING, nodes: 1, code: 1 });
    this.row--;
    this.known.set(value, weight);
    return weight;
  }

  private keyword(keyword: string, held: Json): Weight {
    if (SILENT.has(keyword)) return NOTHING;
    if (VALUES.has(keyword)) return { ...NOTHING, nodes: sizeOf(held).nodes, code: 1 };
    if (DYNAMIC.has(keyword)) return UNKNOWN;
    if (keyword === '$ref') return { ...this.weigh(this.target(held)), refs: true };
    const inside = NAMED.has(keyword) && isJsonObject(held) ? Object.values(held) : held;
    const own = sum(this.weigh(inside), {
      ...NOTHING,
      nodes: NODES[keyword] ?? 1,
      steps: STEPS[keyword] ?? 0,
      code: 1,
    });
    if (keyword === 'pattern' && typeof held === 'string') return sum(own, this.patterns([held]));
    if (keyword === 'patternProperties' && isJsonObject(held)) return sum(own, this.patterns(Object.keys(held)));
    return own;
  }

  private patterns(patterns: readonly string[]): Weight {
    return patterns.map((pattern) => this.pattern(pattern)).reduce(sum, NOTHING);
  }

  /** Compiled only if all of them take a moment. A pattern that the linear engine rejects has no bound. */
  private pattern(pattern: string): Weight {
    const size = patternSize(pattern);
    this.compiled += size;
    const bounded = this.compiled <= AT_ONCE.patterns && unusable(pattern) === undefined;
    return { ...NOTHING, patterns: size, steps: bounded ? size : Number.POSITIVE_INFINITY };
  }

  /** Only targets inside the schema: any other reference counts as a recursion. */
  private target(ref: Json): Json {
    const [, path] = /^#((?:\/[^/]*)*)$/.exec(String(ref)) ?? [];
    if (path === undefined) return this.root;
    let at: Json | undefined = this.root;
    for (const key of path.split('/').slice(1).map(unescaped)) {
      at =
        typeof at === 'object' && at !== null && Object.hasOwn(at, key)
          ? (at as { [key: string]: Json })[key]
          : undefined;
    }
    return at ?? this.root;
  }
}

function unescaped(key: string): string {
  const text = key.includes('%') ? decoded(key) : key;
  return text.replaceAll('~1', '/').replaceAll('~0', '~');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function sum(a: Weight, b: Weight): Weight {
  return {
    nodes: a.nodes + b.nodes,
    steps: a.steps + b.steps,
    code: a.code + b.code,
    patterns: a.patterns + b.patterns,
    refs: a.refs || b.refs,
  };
}

/**
 * Counts the values inside a value, including those in texts that hold JSON, and its characters. Stops beyond the
 * limit.
 */
function sizeOf(value: unknown): { nodes: number; chars: number } {
  const left: unknown[] = [value];
  let nodes = 0;
  let chars = 0;
  while (left.length > 0 && chars <= MAX_CHARS && nodes <= MAX_CHARS) {
    const one = left.pop();
    nodes++;
    if (typeof one === 'string') {
      chars += one.length;
      if (/^\s*[[{]/.test(one)) nodes += one.length / 2;
    } else if (Array.isArray(one)) {
      for (const item of one) left.push(item);
    } else if (typeof one === 'object' && one !== null) {
      for (const [key, field] of Object.entries(one)) {
        chars += key.length;
        left.push(field);
      }
    }
  }
  return { nodes, chars };
}
