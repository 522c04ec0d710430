import type { ContextBudget } from '../../../agent/model/context-window';
import type { Message } from '../../../agent/model/message';
import type { AgentState } from '../../../agent/state/state';
import { compactable, compactionDue, methodOf } from '../../../agent/window/compaction-due';
import type { ContextSpec } from '../../../agent/window/context-spec';
import { runState } from '../../workflows/state-data';

const said = (role: Message['role'], chars = 3): Message => ({
  role,
  parts: [{ type: 'text', text: 'x'.repeat(chars) }],
  turn: 0,
});
/** `count` questions with answers. */
const talk = (count: number) => Array.from({ length: count }, () => [said('user'), said('assistant')]).flat();
const budget = (remaining: number, messages: number): ContextBudget => ({
  ...{ turn: 9, total: 32_000, used: 1, remaining, system: 0, tools: 0, dropped: 0, messages, counted: 'usage' },
});

function state(context: ContextSpec | undefined, more: Partial<AgentState>): AgentState {
  const run = runState([], { messages: talk(10), opened: 18, ...more });
  return { ...run, manifest: { ...run.manifest, ...(context && { context }) } as NonNullable<AgentState['manifest']> };
}
const summarise: ContextSpec = { strategy: 'summarise' };

describe('old messages are compacted before the next call', () => {
  it.each<[string, AgentState, boolean]>([
    ['as many tokens are left as the threshold', state(summarise, { budget: budget(5768, 20) }), false],
    ['fewer are left', state(summarise, { budget: budget(5767, 20) }), true],
    ['fewer are left, and the run only trims', state({ strategy: 'trim' }, { budget: budget(100, 20) }), false],
    ['fewer are left, and nothing is set', state(undefined, { budget: budget(100, 20) }), false],
    ['nothing was counted yet', state(summarise, {}), false],
    [
      'what came since then leaves fewer',
      state(summarise, { budget: budget(7000, 20), messages: [...talk(10), said('user', 4000)] }),
      true,
    ],
    [
      'what came since then is small',
      state(summarise, { budget: budget(7000, 20), messages: [...talk(10), said('user', 300)] }),
      false,
    ],
    ['all messages stay', state({ ...summarise, keep: 20 }, { budget: budget(100, 20) }), false],
    [
      'the last compaction was a moment ago',
      state(summarise, { budget: budget(100, 20), compaction: { tried: 16 } }),
      false,
    ],
    [
      'half of what stays has joined since then',
      state(summarise, { budget: budget(100, 20), compaction: { tried: 15 } }),
      true,
    ],
    ['a person asked', state(undefined, { compaction: { tried: 20, asked: {} } }), true],
  ])('when %s: %#', (_when, run, due) => {
    expect(compactionDue(run)).toBe(due);
  });
});

it('counts the messages that have no summary yet, or the results that are not shortened yet', () => {
  expect(compactable(state(summarise, {}))).toBe(10);
  expect(compactable(state(summarise, { summary: { text: 's', upTo: 8 } }))).toBe(2);
  expect(compactable(state(summarise, {}), 4)).toBe(16);
  // The last answer always stays.
  expect(compactable(state(summarise, { opened: 0 }), 1)).toBe(19);
  const result: Message = {
    role: 'user',
    parts: [
      { type: 'tool_result', toolUseId: 't1.1', name: 'look', content: [{ type: 'text', text: 'x'.repeat(300) }] },
    ],
    turn: 1,
  };
  const messages = [said('user'), said('assistant'), result, said('assistant'), result, ...talk(6)];
  const lines = (more: Partial<AgentState>) => state({ strategy: 'tool-results' }, { messages, ...more });
  expect(compactable(lines({}))).toBe(2);
  expect(compactable(lines({ trimming: { from: 0, shortened: 3 } }))).toBe(1);
});

it('a run that only trims writes a summary where a person asks', () => {
  const method = (strategy?: ContextSpec['strategy']) =>
    methodOf(state(strategy === undefined ? undefined : { strategy }, {}));
  expect([method(), method('trim'), method('summarise')]).toEqual(['summarise', 'summarise', 'summarise']);
  expect([method('tool-results'), method('function')]).toEqual(['tool-results', 'function']);
});
