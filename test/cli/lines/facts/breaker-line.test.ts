import type { BreakerFact } from '../../../../agent/protocol/facts/breaker-fact';
import { breakerLine } from '../../../../cli/lines/facts/breaker-line';
import { lineOf } from '../told-fact';

const at = { turn: 3 };
const call = { ...at, toolUseId: 't3.1', name: 'look' };

test.each<[BreakerFact, string]>([
  [
    { type: 'answer.nudged', ...at, number: 1, why: 'empty' },
    'turn 3: the answer was empty, and the model is asked to go on (1)',
  ],
  [
    { type: 'answer.nudged', ...at, number: 2, why: 'incomplete', sign: 'remaining' },
    'turn 3: the answer stops too early: remaining, and the model is asked to go on (2)',
  ],
  [
    { type: 'answer.nudged', ...at, number: 1, why: 'deflecting', family: 'handsBack', sign: 'let me know' },
    'turn 3: the answer hands the work back: let me know, and the model is asked to go on (1)',
  ],
  [
    { type: 'answer.nudged', ...at, number: 1, why: 'unchanged', sign: "i've moved" },
    "turn 3: the answer claims a change that no call made: i've moved, and the model is asked to go on (1)",
  ],
  [
    { type: 'answer.replaced', ...at, text: 'nothing' },
    'turn 3: the model gave no answer, this text takes its place: nothing',
  ],
  [{ type: 'breaker.skipped', ...call }, 't3.1 look: the model made the same call before, and it is not run again'],
  [
    { type: 'breaker.failing', ...at, name: 'look', times: 5 },
    'look failed 5 times in a row with the same arguments, and the model is told',
  ],
  [{ type: 'breaker.withdrawn', ...at, name: 'look', times: 3 }, 'look failed 3 times in a row and is withdrawn'],
  [
    { type: 'breaker.hinted', ...at, rounds: 2 },
    'all calls of 2 answers in a row failed, and the model is told which tools there are',
  ],
  [{ type: 'breaker.stopped', ...at, why: 'repeating' }, 'the model repeats a call and has to conclude'],
  [{ type: 'breaker.stopped', ...at, why: 'silent' }, 'the model gives no answer and has to conclude'],
  [
    { type: 'tool.repaired', ...call, from: 'functions.look', how: 'unprefixed' },
    't3.1 look: the model wrote functions.look (unprefixed)',
  ],
])('%j is told as %s', (fact, line) => {
  expect(breakerLine(fact)).toBe(line);
  expect(lineOf(fact)).toContain(line);
});
