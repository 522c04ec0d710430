import fc from 'fast-check';
import { TranscriptIndex } from '../../../../agent/model/transcript';
import { carry } from '../../../../workflows/run/carry/carry';
import { idempotencyKey } from '../../../../workflows/state/selectors/calls';
import { assertEveryCase } from '../../../every-case';
import { carriedOf, handedOn, inNextRun, pinned, QUIET, resumed } from './carried-data';
import { RandomRun } from './random-run';
import { EVENTS } from './run-events';

const USUAL = ['send', 'begin', 'call', 'act', 'settle', 'undo'] as const;
const NAMES = Object.keys(EVENTS) as (keyof typeof EVENTS)[];
const events = fc.array(fc.tuple(fc.constantFrom(...USUAL, ...NAMES), fc.nat({ max: 511 })), {
  maxLength: 80,
  size: 'max',
});

/** Opens a batch in which calls wait, if the run can. */
function openBatch(run: RandomRun, size: number): void {
  for (const name of ['send', 'begin', 'call', 'act', 'askApproval', 'ask', 'callService', 'callService'] as const) {
    EVENTS[name](run, size);
  }
}

/** Ends what is in flight until the run can be carried. */
function bringToRest(run: RandomRun): void {
  for (;;) {
    const inFlight = run.thinking ? ['model'] : [];
    const verdict = carry(run.state, { ...QUIET, inFlight });
    if (verdict.type === 'carried') return;
    if (verdict.type === 'trim') throw new Error('a small transcript is to be trimmed');
    if (verdict.why === 'outage') EVENTS.askAgain(run, 0);
    else if (verdict.why === 'inFlight') for (const what of verdict.what) end(run, what);
    else throw new Error(`it cannot be carried: ${JSON.stringify(verdict)}`);
  }
}

function end(run: RandomRun, what: string): void {
  if (what === 'model') EVENTS.say(run, 0);
  else if (what.endsWith('/undo')) run.apply({ type: 'undone', toolUseId: what.slice(0, -5), text: 'back' });
  else if (run.state.batch.some(({ toolUseId }) => toolUseId === what)) run.settle(what);
}

test('any carried run goes on as if it had not been carried', () => {
  const seen = { open: 0, outages: 0 };
  const property = fc.property(events, fc.option(fc.nat({ max: 511 })), events, (before, size, after) => {
    const run = new RandomRun();
    for (const [name, size] of before) EVENTS[name](run, size);
    if (size !== null) openBatch(run, size);
    bringToRest(run);
    if (run.state.batch.length > 0) seen.open++;
    if (run.state.phase.at === 'outage') seen.outages++;

    const state = inNextRun(run.state);
    const next = resumed(handedOn(carriedOf(run.state)), pinned(state));
    expect(next).toStrictEqual(state);
    const { messages, epoch, batch } = next;
    for (let length = 0; length <= messages.length; length++) {
      const ref = new TranscriptIndex().ref(messages, epoch, length);
      expect(ref).toEqual(new TranscriptIndex().ref(state.messages, epoch, length));
    }
    expect(batch.map((call) => idempotencyKey(next, call))).toEqual(
      state.batch.map((call) => idempotencyKey(state, call)),
    );

    run.state = state;
    run.facts.length = 0;
    const other = new RandomRun(next);
    for (const [name, size] of after) {
      EVENTS[name](run, size);
      EVENTS[name](other, size);
    }
    expect(other.state).toEqual(run.state);
    expect(other.facts).toEqual(run.facts);
  });
  assertEveryCase(property, 300, seen, { open: 31, outages: 4 });
});

test('a carried run is carried again, with the updates of all runs before it', () => {
  const { state } = new RandomRun();
  const updates = [{ id: 'a', value: null }];
  const first = handedOn(carriedOf(state, { updates }));
  expect(first.updates).toEqual(updates);
  const more = [...first.updates, { id: 'b', dropped: true as const }];
  const second = handedOn(carriedOf(resumed(first, pinned(state)), { runId: 'two', updates: more }));
  expect(second.updates).toEqual(more);
  expect(resumed(second, pinned(state), { runId: 'two' })).toEqual(inNextRun(inNextRun(state), 'two'));
});
