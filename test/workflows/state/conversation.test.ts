import fc from 'fast-check';
import { talkProblems } from '../../conversation/check-talk';
import { DrivenTalk, EVENTS } from './driven-conversation';

const USUAL = ['send', 'begin', 'call', 'call', 'say', 'act', 'settle', 'steer'] as const;
const NAMES = Object.keys(EVENTS) as (keyof typeof EVENTS)[];
const events = fc.array(fc.tuple(fc.constantFrom(...USUAL, ...NAMES), fc.nat({ max: 2 })), {
  maxLength: 60,
  size: 'max',
});

test('in any conversation no message is lost or doubled, and the transcript is complete', () => {
  const property = fc.property(events, fc.boolean(), (all, cancelled) => {
    const talk = new DrivenTalk();
    const kept = () => expect(talk.held().sort()).toEqual([...talk.said].sort());
    for (const [event, size] of all) {
      EVENTS[event](talk, size);
      kept();
    }
    EVENTS.interrupt(talk, 1);
    if (!cancelled) {
      for (const _ of talk.state.inbox) for (const event of ['begin', 'call', 'say'] as const) EVENTS[event](talk, 0);
    }
    talk.apply({ type: 'ended', reason: cancelled ? 'cancelled' : 'completed' });
    expect(talk.state).toMatchObject({ inbox: [], steers: [], notes: [] });
    expect(talkProblems(talk.facts, talk.state.messages)).toEqual([]);
    kept();
  });
  fc.assert(property, { numRuns: 300 });
});
