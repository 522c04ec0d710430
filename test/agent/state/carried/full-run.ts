import { type BudgetLimits, NOTHING } from '../../../../agent/budget/amounts';
import type { ContentPart } from '../../../../agent/model/message';
import { NO_BREAKERS } from '../../../../agent/state/breaker-state';
import type { CarriedRun } from '../../../../agent/state/carried/carried';
import { carriedStateOf } from '../../../../agent/state/carried/carried-state';
import { runState } from '../../../workflows/state-data';

const content: ContentPart[] = [
  { type: 'text', text: 'see' },
  { type: 'media', mediaType: 'image/png', data: 'aa', url: 'https://a.example/p.png', name: 'p.png' },
];
const message = { parts: content, exchange: 2, at: 1, id: 'm1', by: 'ann' };
const names = { toolUseId: 't1.1', name: 'pay', hash: 'h' };

const LIMITS: BudgetLimits = {
  ...{ tokens: 1, cost: { amount: 1, currency: 'USD' }, toolCalls: 1, modelCalls: 1, time: 1, deadline: 1 },
};

const STEP = { step: 1, description: 'Pay', server: 'bank', hints: '{}', after: [2], critical: true };

const small = carriedStateOf({
  ...runState([], {
    ...{ taken: { m1: { exchange: 1, ahead: 0, after: 3 } }, closing: { why: 'idle', by: 'ann' }, title: 'May' },
    ...{
      rejected: { attempts: 1, problem: 'no' },
      reminder: { turn: 3, text: 'call' },
      repeated: { type: 'ParseError', name: 'look', message: 'no', times: 2 },
      unknownOutcomes: [names],
      trimming: { from: 1, summary: 'f00', shortened: 2, window: 9, factor: 2 },
      summary: { text: 'so far', upTo: 1 },
      compaction: { tried: 3, asked: { keep: 2, by: 'ann' } },
    },
    ...{ decided: { 't1.1': { decision: 'deny', by: 'ann', at: 1 } } },
    ...{
      replied: { 't1.2': { action: 'declined', by: 'ann', at: 1 } },
      ignored: { Late: 1 },
      unknownSignals: { go: 2 },
    },
    budget: {
      turn: 1,
      total: 9,
      used: 1,
      remaining: 8,
      system: 1,
      tools: 1,
      sections: 1,
      summary: 1,
      messages: 9,
      dropped: 0,
      counted: 'usage',
    },
    offered: { found: ['pay'], ranked: ['look'], offered: 3, hidden: 9, saved: 100 },
    grants: [{ tool: 'pay', key: '', allowed: true, by: 'ann', at: 1, comment: 'as always' }],
    usage: { prompt: 1, completion: 1, cached: 1, cacheWritten: 1, reasoning: 1, estimated: true },
    cost: { amount: 0.5, currency: 'USD' },
    otherCosts: [{ amount: 1, currency: 'EUR' }],
    unpriced: { calls: 1, tokens: 2 },
    children: { ...{ runs: 1, usage: { prompt: 1, completion: 1 }, executionUnits: 2 }, calls: { model: 1, tool: 2 } },
    downgrades: { default: 'prompt' },
    chosen: { ...{ alias: 'house', at: 0, patience: 1 }, prices: { prompt: 1, completion: 2, currency: 'USD' } },
    budgets: {
      ...{ run: LIMITS, exchange: LIMITS, soft: 0.8, startedAt: 1, worked: 2 },
      ...{ began: { at: 1, spent: NOTHING }, last: { prompt: 1, completion: 2 } },
      ...{ reserved: { 't1.1': NOTHING }, told: [{ scope: 'run', kind: 'cost' }] },
      reached: { scope: 'exchange', kind: 'tokens' },
    },
    breakers: {
      ...{ ...NO_BREAKERS, calls: 2, changes: 1, made: [{ key: 'pay/h', reads: false }] },
      ...{ failing: { call: 'pay/h', times: 1 }, failures: { pay: 1 }, withdrawn: ['look'], stop: 'repeating' },
    },
    plan: {
      exchange: 1,
      stage: 'running',
      steps: [
        { ...STEP, status: 'waiting', tries: 1, problem: 'no tool' },
        {
          ...STEP,
          status: 'picked',
          turn: 2,
          request: {
            ...{ name: 'pay', input: {}, hash: 'h', providerId: 'c1' },
            ...{ approval: { needed: true, key: '' }, problem: { type: 'UnknownTool', message: 'no' } },
          },
        },
        { ...STEP, status: 'called', toolUseId: 't1.1' },
        { ...STEP, status: 'done', toolUseId: 't1.1', call: 'pay/h' },
        { ...STEP, status: 'failed', problem: 'broken', toolUseId: 't1.1' },
      ],
    },
    chain: [{ runId: 'zero', facts: 7, messages: 3 }],
    continued: 1,
  }),
  pin: { manifest: 'm', context: 'c' },
  phase: { at: 'working' },
});

/** What a run passes to the next, with every possible field, except calls that wait for a person or a service. */
export const FULL: CarriedRun = {
  version: 1,
  runId: 'one',
  transcript: {
    first: 2,
    large: [2],
    pinned: [{ index: 0, message: { role: 'user', parts: content, turn: 0 } }],
    messages: [
      { role: 'user', parts: content, turn: 0, seenCount: 1 },
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: 'hm', providerData: { sign: 'x' } },
          { type: 'tool_use', toolUseId: 't1.1', name: 'pay', input: { to: 'ann' }, providerId: 'p1', rawInput: '{to' },
        ],
        ...{ turn: 1, providerData: { sign: 'x' }, partial: true },
      },
      {
        role: 'user',
        parts: [{ type: 'tool_result', toolUseId: 't1.1', name: 'pay', content, isError: true }],
        turn: 1,
      },
    ],
  },
  batch: [
    {
      ...{ ...names, input: { to: 'ann' }, ruled: { needed: true, key: 'k' }, lane: 'pay', status: 'open' },
      questions: [
        {
          ...{
            questionId: 't1.1',
            question: 'Why?',
            suggestions: ['so'],
            schema: { type: 'string' },
            url: 'https://a.b',
          },
          ...{ askedAt: 1, expiresAt: 2, reply: { action: 'answered', data: { a: 1 }, by: 'ann', at: 3 } },
        },
      ],
    },
    { ...names, input: {}, status: 'rejected', problem: { type: 'UnknownTool', message: 'no' } },
    { ...names, input: {}, status: 'settled', outcome: { content, error: { type: 'ToolFailed', message: 'no' } } },
  ],
  waiting: { inbox: [{ ...message, regenerates: 1 }], steers: [message], notes: ['one'] },
  effects: [
    {
      ...{ toolUseId: 't1.1', name: 'pay', inverse: { input: { to: 'ann' }, hash: 'h', content } },
      undone: { by: 'ann', at: 1, outcome: 'failed' },
    },
  ],
  state: small,
  answer: { exchange: 1, data: { a: 1 } },
  updates: [
    { id: 'u1', value: null },
    { id: 'u2', error: { type: 'RunEnded', message: 'no', data: { id: 'one' } } },
    { id: 'u3', dropped: true },
  ],
};

/** Names of the places in it that may be missing. */
export const OPTIONAL: readonly string[] = [
  ...['answer', 'answer.data', 'transcript.large'],
  ...['batch[0].lane', 'batch[0].questions', 'batch[0].ruled', 'batch[2].outcome.error'],
  ...['expiresAt', 'reply', 'reply.by', 'reply.data', 'schema', 'suggestions', 'url'].map(
    (field) => `batch[0].questions[0].${field}`,
  ),
  ...['inverse', 'undone', 'undone.by', 'undone.outcome'].map((field) => `effects[0].${field}`),
  ...[
    'breakers',
    'breakers.failures.pay',
    'breakers.stop',
    'budget',
    'budget.remaining',
    'budget.sections',
    'budget.summary',
    'budget.total',
    'budgets',
    'budgets.last',
    'budgets.reached',
    'chosen',
    'chosen.patience',
    'chosen.prices',
    'closing',
    'closing.by',
    'children',
    'compaction',
    'compaction.asked',
    'compaction.asked.by',
    'compaction.asked.keep',
    'cost',
    'offered',
    'otherCosts',
    'plan',
    'rejected',
    'reminder',
    'repeated',
    'repeated.name',
    'summary',
    'title',
    'unknownSignals',
    'unpriced',
  ].map((field) => `state.${field}`),
  ...[
    'decided.t1.1.by',
    'downgrades',
    'replied.t1.2.by',
    'grants[0].comment',
    'trimming.factor',
    'trimming.shortened',
    'trimming.summary',
    'trimming.window',
  ].map((field) => `state.${field}`),
  ...['cacheWritten', 'cached', 'estimated', 'reasoning'].map((field) => `state.usage.${field}`),
  ...['hints', 'server'].flatMap((field) => [0, 1, 2, 3, 4].map((i) => `state.plan.steps[${i}].${field}`)),
  ...['[0].problem', '[3].call', '[4].toolUseId'].map((field) => `state.plan.steps${field}`),
  ...['approval', 'problem', 'providerId'].map((field) => `state.plan.steps[1].request.${field}`),
  ...['run', 'exchange', 'reserved.t1.1'].flatMap((limits) =>
    Object.keys(LIMITS).map((kind) => `state.budgets.${limits}.${kind}`),
  ),
  ...['[0].seenCount', '[1].partial', '[1].providerData', '[2].parts[0].isError'].map(
    (field) => `transcript.messages${field}`,
  ),
  ...['parts[0].providerData', 'parts[1].providerId', 'parts[1].rawInput'].map(
    (field) => `transcript.messages[1].${field}`,
  ),
  ...['inbox[0].by', 'inbox[0].id', 'inbox[0].regenerates', 'steers[0].by', 'steers[0].id'].map(
    (field) => `waiting.${field}`,
  ),
  // Media.
  ...[
    'transcript.messages[0].parts',
    'transcript.pinned[0].message.parts',
    'transcript.messages[2].parts[0].content',
    'batch[2].outcome.content',
  ]
    .concat(['effects[0].inverse.content', 'waiting.inbox[0].parts', 'waiting.steers[0].parts'])
    .flatMap((at) => ['data', 'name', 'url'].map((field) => `${at}[1].${field}`)),
]
  .map((place) => `carried.${place}`)
  .sort();

/** Places in a value: names of fields and numbers of items. */
export type Place = readonly (string | number)[];

/** Fields that hold any JSON. */
const FREE: ReadonlySet<string | number> = new Set(['input', 'schema', 'data', 'providerData']);

/** All places in a value except those inside free JSON. */
export function placesOf(value: unknown, at: Place = []): Place[] {
  const last = at.at(-1);
  const isFree = last !== undefined && FREE.has(last);
  if (typeof value !== 'object' || value === null || isFree) return [at];
  const entries: [string | number, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [at, ...entries.flatMap(([key, item]) => placesOf(item, [...at, key]))];
}

/** A place as named in a problem. */
export function nameOf(place: Place): string {
  return `carried${place.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('')}`;
}

export function valueAt(value: unknown, place: Place): unknown {
  return place.reduce((inner, key) => (inner as { [key: string | number]: unknown })[key], value);
}

/** The value with something else at a place. `undefined`: without the place. */
export function withAt(value: unknown, place: Place, other: unknown): unknown {
  const copy = JSON.parse(JSON.stringify(value));
  const key = place.at(-1);
  if (key === undefined) return other;
  const parent = valueAt(copy, place.slice(0, -1)) as { [key: string | number]: unknown };
  if (other === undefined) delete parent[key];
  else parent[key] = other;
  return copy;
}
