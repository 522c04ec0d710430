import type { Message } from '../../../agent/model/message';
import { step } from '../../../workflows/state/reduce';
import { runState, toolSpec } from '../state-data';
import { withManifest } from './fold';

describe('a run', () => {
  const user = { role: 'user' as const, parts: [{ type: 'text' as const, text: 'go' }], turn: 0 };
  const assistant = { ...user, role: 'assistant' as const };
  const result = (messages: Message[]) => ({ context: { metadata: {}, system: 'Be kind.' }, hash: 'c2', messages });

  it('knows its input when it starts', () => {
    const { context: _, ...before } = runState();
    expect(step(before, { type: 'started', given: { input: 'go', owner: 'ann' }, lineage: 'test.boss' })).toStrictEqual(
      {
        state: { ...before, input: 'go', owner: 'ann', metadata: {}, above: ['test.boss'] },
        facts: [],
      },
    );
  });

  it('pins its agent, with its quota', () => {
    const { manifest, pin: _, ...before } = runState([toolSpec('pay', { effect: 'once' })]);
    if (manifest === undefined) throw new Error('no manifest');
    const limits = { ...manifest.limits, maxToolInteractions: 7 };
    const described = { manifest: { ...manifest, limits }, hash: 'm2' };
    expect(
      step({ ...before, toolInteractions: { current: 3, max: 0 } }, { type: 'described', result: described }),
    ).toEqual({
      state: {
        ...{ ...before, manifest: described.manifest, toolInteractions: { current: 0, max: 7 } },
        pin: { manifest: 'm2', context: '' },
      },
      facts: [],
    });
  });

  it('begins with its first messages as a task', () => {
    const before = runState([], { messages: [], pin: { manifest: 'm2', context: '' } });
    const messages = [user, assistant];
    expect(step(before, { type: 'contextBuilt', result: result(messages) })).toStrictEqual({
      state: {
        ...{ ...before, messages, opened: 1, context: { metadata: {}, system: 'Be kind.' } },
        pin: { manifest: 'm2', context: 'c2' },
      },
      facts: [
        { type: 'loop.start', agent: 'test.agent' },
        { type: 'message', turn: 0, index: 0, message: user },
        { type: 'message', turn: 0, index: 1, message: assistant },
      ],
    });
  });

  it('that is a conversation begins with an exchange when the last message is from a person', () => {
    const before = withManifest({ mode: 'conversation' }, { messages: [] });
    const { state, facts } = step(before, { type: 'contextBuilt', result: result([assistant, user]) });
    expect(state).toMatchObject({ opened: 1, exchange: 1, phase: { at: 'working' } });
    expect(facts.slice(0, 2)).toStrictEqual([{ type: 'loop.start', agent: 'test.agent' }, { type: 'exchange.start' }]);
  });

  it.each([
    ['a message of its agent', [user, assistant]],
    ['nothing', []],
  ])('waits as a conversation for its first message after %s', (_, messages) => {
    const before = withManifest({ mode: 'conversation' }, { messages: [] });
    const { state, facts } = step(before, { type: 'contextBuilt', result: result(messages) });
    expect(state).toMatchObject({ opened: -1, exchange: 0, phase: { at: 'idle' }, messages });
    expect(facts.map(({ type }) => type)).toEqual(['loop.start', ...messages.map(() => 'message')]);
  });

  it('whose agent is not known begins anyway', () => {
    const { manifest: _, pin: _none, ...before } = runState([], { messages: [] });
    const { state } = step(before, { type: 'contextBuilt', result: result([user]) });
    expect(state).toMatchObject({ opened: 0, pin: { manifest: '', context: 'c2' } });
  });

  it('that ends leaves nothing unread: all waiting messages are in the transcript', () => {
    const said = (text: string) => ({ parts: [{ type: 'text' as const, text }], exchange: 2, at: 1 });
    const waiting = {
      inbox: [{ ...said('three'), regenerates: 1 }, said('four')],
      steers: [said('two')],
      notes: ['one'],
    };
    const before = runState([], { turn: 2, ...waiting, usage: { prompt: 1, completion: 1 }, executionUnits: 2 });
    const outage = { since: 1, failures: 1, error: { type: 'ModelUnavailable', message: 'gone' } };
    const error = { type: 'ModelUnavailable', message: 'gone' };
    const messages = ['one', 'two', 'four'].map((text) => ({
      ...user,
      parts: [{ type: 'text' as const, text }],
      turn: 2,
    }));
    const end = { reason: 'failed' as const, error };
    expect(step({ ...before, phase: { at: 'outage', ...outage } }, { type: 'ended', ...end })).toStrictEqual({
      state: {
        ...before,
        phase: { at: 'ended', ...end },
        inbox: [],
        steers: [],
        notes: [],
        messages: [...before.messages, ...messages],
      },
      facts: [
        ...messages.map((message, i) => ({ type: 'message', turn: 2, index: 1 + i, message })),
        { type: 'loop.end', reason: 'failed', turns: 2, usage: { prompt: 1, completion: 1 }, executionUnits: 2, error },
      ],
    });
    const closed = step(runState(), { type: 'ended', reason: 'completed', data: null });
    expect(closed.state).toStrictEqual({ ...runState(), phase: { at: 'ended', reason: 'completed', data: null } });
  });
});
