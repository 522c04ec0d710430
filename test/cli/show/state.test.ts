import type { Pending } from '../../../agent/protocol/queries';
import type { RunState } from '../../../agent/state/run-state';
import { progressIn, statusText } from '../../../cli/lines/waits/status-text';
import { stateRows } from '../../../cli/show/state';

const NOTHING: Pending = { approvals: [], services: [], questions: [], models: [] };
const STATE: RunState = {
  ...{
    id: 'mail 17',
    agent: 'support.triage',
    mode: 'task',
    chainId: 'c',
    metadata: {},
    status: 'running',
    idle: false,
  },
  ...{
    exchange: 1,
    unread: [],
    queued: 0,
    turn: 1,
    toolInteractions: { current: 1, max: 25 },
    toolTypeCounts: {},
    messages: 1,
  },
  ...{ facts: 5, models: ['default'], model: 0, tools: [], batch: [], undoable: [], unknownOutcomes: [], grants: [] },
  ...{ ignored: {}, usage: { prompt: 0, completion: 0 }, executionUnits: 0, calls: { model: 0, tool: 0 } },
};

test('a run that waits for its model names both ways out, below the whole problem', () => {
  const message = `${'The server did not answer. '.repeat(20)}Check that it runs.`;
  const outage = { since: 0, failures: 2, error: { type: 'ModelUnavailable', message }, nextAt: 60_000 };
  const rows = stateRows({ state: { ...STATE, outage }, waits: NOTHING });
  const at = rows.findIndex(([name]) => name === 'waiting');
  expect(rows.slice(at, at + 3)).toEqual([
    [
      'waiting',
      expect.stringMatching(
        /^The model `default` has given no answer since 1970\S+Z\. Holdfast asks it again at .* Check that it runs\.$/,
      ),
    ],
    ['', "  holdfast retry 'mail 17'"],
    ['', "  holdfast switch-model 'mail 17' '…'"],
  ]);
});

describe('the status of a run has the words of lists', () => {
  const service = { id: 'mail 17', agent: 'a.b', toolUseId: 't1.1', tool: 'x', input: {}, ref: 'r', since: 0 };
  const approval = { ...service, hash: 'h', requestedAt: 0 };
  it.each([
    ['running', {}, {}],
    ['waits for a message', { mode: 'conversation', idle: true }, {}],
    ['waits for a decision', {}, { approvals: [approval], services: [{ ...service, kind: 'signal' }] }],
    ['waits for a service', {}, { services: [{ ...service, kind: 'event' }] }],
    ['running', {}, { services: [{ ...service, kind: 'agent' }], approvals: [{ ...approval, id: 'below' }] }],
    ['completed', { status: 'completed', end: { reason: 'completed' } }, {}],
  ] as [string, Partial<RunState>, object][])('%s (%#)', (words, state, waits) => {
    expect(statusText(progressIn({ ...STATE, ...state }, { ...NOTHING, ...waits }))).toBe(words);
  });
});
