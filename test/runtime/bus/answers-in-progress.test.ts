import fc from 'fast-check';
import type { DeltaBody, StreamDelta } from '../../../agent/protocol/stream';
import { DeltaOrder } from '../../../client/feed/delta-order';
import { AnswersInProgress } from '../../../runtime/bus/answers-in-progress';

interface Call {
  turn?: number;
  callId?: string;
  attempt?: number;
}

/** Numbers the deltas of a call. */
function call(bodies: DeltaBody[], { turn = 1, callId = `call-${turn}`, attempt = 1 }: Call = {}): StreamDelta[] {
  return bodies.map((body, seq) => ({ ...body, id: 'r1', turn, callId, attempt, seq }));
}

const text = (said: string): DeltaBody => ({ type: 'stream.text', text: said });
const thought = (said: string): DeltaBody => ({ type: 'stream.reasoning', text: said });
const args = (index: number, said: string): DeltaBody => ({
  type: 'stream.tool',
  index,
  name: `tool${index}`,
  arguments: said,
});
const clear: DeltaBody = { type: 'stream.clear' };
const complete: DeltaBody = { type: 'stream.complete' };

/** What a new reader gets after these deltas. */
function missed(...deltas: StreamDelta[]): string[] {
  const answers = new AnswersInProgress();
  for (const delta of deltas) answers.note(delta);
  return answers.of('r1').map(shown);
}

function shown(delta: StreamDelta): string {
  const what = 'text' in delta ? delta.text : delta.type === 'stream.tool' ? delta.arguments : delta.type;
  return `${delta.from ?? delta.seq}-${delta.seq} ${what}`;
}

describe('what a reader that joins in mid-answer gets', () => {
  it('is the answer from its beginning, in as few deltas as there are changes of kind', () => {
    const said = [thought('h'), thought('m'), text('a'), text('b'), args(0, '{'), args(0, '}'), args(1, '{}')];
    expect(missed(...call(said))).toEqual(['0-1 hm', '2-3 ab', '4-5 {}', '6-6 {}']);
  });

  it('is what was not withdrawn, and that everything before was', () => {
    expect(missed(...call([text('a'), text('b'), clear, thought('ab')]))).toEqual(['0-2 stream.clear', '3-3 ab']);
  });

  it('is nothing of an answer that is complete, has a gap, or has no beginning', () => {
    const said = call([text('a'), text('b'), text('c'), text('d'), complete]);
    expect(missed(...said)).toEqual([]);
    expect(missed(...said.filter(({ seq }) => seq !== 1 && seq !== 4))).toEqual([]);
    expect(missed(...said.slice(1, 4))).toEqual([]);
  });

  it('is of the newest call and attempt, whatever stragglers say', () => {
    const first = call([text('a'), text('b'), text('c')]);
    const again = call([clear, text('d')], { attempt: 2 });
    expect(missed(...first.slice(0, 2), ...again, ...first.slice(2))).toEqual(['0-0 stream.clear', '1-1 d']);
    const later = call([text('e')], { turn: 2 });
    expect(missed(...first.slice(0, 2), ...later, ...first.slice(2))).toEqual(['0-0 e']);
  });

  it('is no longer kept when it is longer than an answer can be', () => {
    const long = call([text('a'.repeat(300_000)), text('b'.repeat(300_000)), text('c')]);
    expect(missed(...long)).toEqual([]);
    expect(missed(...long, ...call([text('d')], { turn: 2 }))).toEqual(['0-0 d']);
    expect(missed(...call(Array.from({ length: 10_000 }, (_, i) => (i % 2 ? text('') : thought('')))))).toEqual([]);
  });

  it('is the last progress of each tool, until the next answer begins', () => {
    const progress = (toolUseId: string, done: number): StreamDelta => {
      const about = { id: 'r1', turn: 1, toolUseId, callId: toolUseId, attempt: 1, seq: done };
      return { type: 'tool.progress', progress: done, ...about };
    };
    const answers = new AnswersInProgress();
    for (const delta of [progress('t1', 0), progress('t2', 0), progress('t1', 1)]) answers.note(delta);
    expect(answers.of('r1')).toEqual([progress('t2', 0), progress('t1', 1)]);
    for (const delta of call([text('a')], { turn: 2 })) answers.note(delta);
    expect(answers.of('r1').map(shown)).toEqual(['0-0 a']);
  });

  it('is nothing of a run that has been silent for five minutes', () => {
    jest.useFakeTimers();
    const answers = new AnswersInProgress();
    const [a, b] = call([text('a'), text('b')]);
    answers.note(a as StreamDelta);
    jest.advanceTimersByTime(4 * 60_000);
    answers.note(b as StreamDelta);
    jest.advanceTimersByTime(4 * 60_000);
    expect(answers.of('r1')).toHaveLength(1);
    jest.advanceTimersByTime(60_000);
    expect(answers.of('r1')).toEqual([]);
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
  });
});

it('whenever a reader joins, it ends with what a reader from the beginning has', () => {
  const body = fc.oneof(
    fc.string({ maxLength: 3 }).map(text),
    fc.string({ maxLength: 3 }).map(thought),
    fc.tuple(fc.nat(2), fc.string({ maxLength: 3 })).map(([index, said]) => args(index, said)),
    fc.constant(clear),
  );
  const read = (deltas: StreamDelta[]) => {
    const order = new DeltaOrder();
    const says = new Map<string, string>();
    for (const delta of deltas.flatMap((one) => order.take(one))) {
      if (delta.type === 'stream.clear') says.clear();
      const kind = `${delta.type} ${'index' in delta ? delta.index : ''}`;
      const more = 'text' in delta ? delta.text : delta.type === 'stream.tool' ? delta.arguments : '';
      if (more !== '') says.set(kind, (says.get(kind) ?? '') + more);
    }
    return Object.fromEntries(says);
  };
  fc.assert(
    fc.property(fc.array(body, { maxLength: 30 }), fc.nat(30), (bodies, place) => {
      const deltas = call(bodies);
      const answers = new AnswersInProgress();
      for (const delta of deltas.slice(0, place)) answers.note(delta);
      expect(read([...answers.of('r1'), ...deltas.slice(place)])).toEqual(read(deltas));
    }),
  );
});
