import type { Fact, StreamDelta } from 'holdfast';

/**
 * `3.2#1:0` is delta 0 of attempt 1 of the second call of turn 3; `3#1:0-4` stands for five of them. One with `!`
 * withdraws.
 */
export function delta(said: string): StreamDelta {
  const [, turn = '', call, attempt, from, to, clear] =
    /^(\d+)(?:\.(\d+))?#(\d+):(\d+)(?:-(\d+))?(!?)$/.exec(said) ?? [];
  return {
    ...(clear ? { type: 'stream.clear' } : { type: 'stream.text', text: said }),
    id: 'r1',
    turn: Number(turn),
    callId: call === undefined ? `call-${turn}` : `call-${turn}-${call}`,
    attempt: Number(attempt),
    seq: Number(to ?? from),
    ...(to === undefined ? {} : { from: Number(from) }),
  };
}

export const fact = (body: object) => ({ seq: 1, time: 0, exchange: 1, ...body }) as Fact;
export const answered = (turn: number) =>
  fact({ type: 'message', turn, index: 1, message: { role: 'assistant', turn, parts: [] } });
