import type { Message } from '../../../../agent/model/message';
import { append, loopEnd } from '../../../../workflows/state/reducers/append';
import { runState } from '../../state-data';

const message = (text: string, turn: number): Message => ({ role: 'user', parts: [{ type: 'text', text }], turn });

describe('append', () => {
  it('adds messages after the existing ones, and tells them after the earlier facts', () => {
    const before = runState([], { messages: [message('go', 0), message('on', 1)] });
    const more = [message('a', 2), message('b', 3)] as const;
    expect(append(before, more, [{ type: 'tool.none', turn: 2 }])).toStrictEqual({
      state: { ...before, messages: [...before.messages, ...more] },
      facts: [
        { type: 'tool.none', turn: 2 },
        { type: 'message', turn: 2, index: 2, message: more[0] },
        { type: 'message', turn: 3, index: 3, message: more[1] },
      ],
    });
  });

  it('leaves the state as it is when there is nothing to append', () => {
    const before = runState();
    const next = append(before, []);
    expect(next.state).toBe(before);
    expect(next.facts).toEqual([]);
  });
});

describe('the end of a run', () => {
  const sums = { turn: 4, usage: { prompt: 1, completion: 2 }, executionUnits: 3 };
  const told = { type: 'loop.end', turns: 4, usage: { prompt: 1, completion: 2 }, executionUnits: 3 };

  it('is a fact with its reason and its sums, without its data', () => {
    const end = { reason: 'completed' as const, data: { large: true } };
    expect(loopEnd(runState([], sums), end)).toStrictEqual({ ...told, reason: 'completed' });
  });

  it('is a fact with only the type and the message of its error', () => {
    const error = { type: 'Refused', message: 'no', data: { model: 'big' } };
    expect(loopEnd(runState([], sums), { reason: 'cancelled', error })).toStrictEqual({
      ...told,
      reason: 'cancelled',
      error: { type: 'Refused', message: 'no' },
    });
  });
});
