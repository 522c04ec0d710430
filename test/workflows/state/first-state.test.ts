import { checkEvent } from '../../../agent/protocol/event';
import { newState, withInput } from '../../../workflows/state/first-state';

test('a new run knows only its names, and has done nothing', () => {
  const names = { id: 'run-1', agent: 'test.agent', chainId: 'first' };
  expect(newState(names)).toMatchObject({
    ...{ version: 1, ...names, input: null, epoch: 0, lifecycle: 'init', turn: 0, model: 0, facts: 0 },
    ...{ inbox: [], steers: [], notes: [], messages: [], batch: [], unknownOutcomes: [], effects: [], grants: [] },
    ...{
      phase: { at: 'starting' },
      concluding: false,
      toolInteractions: { current: 0, max: 0 },
      trimming: { from: 0 },
    },
    ...{ usage: { prompt: 0, completion: 0 }, executionUnits: 0, sent: { epoch: 0, length: 0, hash: '0' } },
    // A task: its input is its only exchange.
    ...{ exchange: 1, opened: -1 },
  });
});

describe('what a run knows from its first argument', () => {
  it('is nothing when there is none', () => {
    expect(withInput({})).toStrictEqual({ input: null, metadata: {} });
    expect(withInput({}, '')).toStrictEqual({ input: null, metadata: {} });
  });

  it('is what its caller gave', () => {
    const delegatedBy = { agent: 'test.boss', id: 'run-0', toolUseId: 't1.1', lineage: ['test.boss'] };
    const given = { input: { text: 'go' }, owner: 'ann', metadata: { tenant: 7 }, traceparent: '00-1', delegatedBy };
    expect(withInput(given)).toStrictEqual(given);
  });

  it('are the agents above it, when a memo names them', () => {
    expect(withInput({}, 'test.boss,test.lead').above).toEqual(['test.boss', 'test.lead']);
  });

  it('is the subject of the caller, when the input is an object with a text for it', () => {
    expect(withInput({ input: { parentSubject$$: 'run-0' } }).parentSubject).toBe('run-0');
    for (const input of [{ parentSubject$$: 7 }, { parentSubject: 'run-0' }, 'parentSubject$$', ['run-0'], null]) {
      expect(withInput({ input })).toStrictEqual({ input, metadata: {} });
    }
  });

  it('is the data of an event, and its sender without the data', () => {
    const { data, ...sender } = checkEvent({
      ...{ specversion: '1.0', id: 'e1', source: 's', subject: 'run-1', type: 'arvo.orc.test.agent' },
      ...{ data: { text: 'go', parentSubject$$: 'run-0' }, holdfastlineage: 'test.boss' },
    });
    // An event takes precedence over a memo, and over an input beside it.
    expect(withInput({ event: { ...sender, data }, input: 'not this' }, 'test.other')).toStrictEqual({
      input: { text: 'go', parentSubject$$: 'run-0' },
      metadata: {},
      above: ['test.boss'],
      initiator: sender,
      parentSubject: 'run-0',
    });
  });
});
