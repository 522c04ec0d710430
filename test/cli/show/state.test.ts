import type { RunState } from '../../../agent/state/run-state';
import { stateRows } from '../../../cli/show/state';

const NOTHING = { approvals: [], services: [], questions: [] };
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
  ...{ exchange: 1, queued: 0, turn: 1, toolInteractions: { current: 1, max: 25 }, toolTypeCounts: {}, messages: 1 },
  ...{ facts: 5, models: ['default'], model: 0, tools: [], batch: [], undoable: [], unknownOutcomes: [], grants: [] },
  ...{ ignored: {}, usage: { prompt: 0, completion: 0 }, executionUnits: 0, calls: { model: 0, tool: 0 } },
};

test('a run that waits for its model names both ways out, below the whole problem', () => {
  const message = `${'The server did not answer. '.repeat(20)}Check that it runs.`;
  const outage = { since: 0, failures: 2, error: { type: 'ModelUnavailable', message }, nextAt: 60_000 };
  const rows = stateRows({ state: { ...STATE, outage }, waits: NOTHING });
  const at = rows.findIndex(([name]) => name === 'waiting');
  expect(rows.slice(at, at + 3)).toEqual([
    ['waiting', expect.stringMatching(/^for default, which failed 2×, until 1970.* Check that it runs\.$/)],
    ['', "  holdfast retry 'mail 17'"],
    ['', "  holdfast switch-model 'mail 17' '…'"],
  ]);
});
