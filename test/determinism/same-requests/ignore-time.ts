import { RulesClock } from '../../../activities/approvals/rules-clock';
import { LoopWatch } from '../../../activities/loop-watch/loop-watch';
import { JsonRepair } from '../../../activities/model/answer/repair-json';

// Its types are for `import` only, as in repair-json.ts.
const { jsonrepair } = require('jsonrepair') as { jsonrepair(text: string): string };

/**
 * Lifts the limits of time that change what a model reads on a busy machine: a call that blocked its worker says so,
 * slow rules ask a person, and JSON that takes long to repair is not repaired.
 */
export function ignoreTime(): void {
  jest.spyOn(LoopWatch.prototype, 'run').mockImplementation(async (_call, work) => work());
  jest.spyOn(RulesClock.prototype, 'race').mockImplementation((work) => work(new AbortController().signal));
  jest.spyOn(JsonRepair.prototype, 'repair').mockImplementation(jsonrepair);
}
