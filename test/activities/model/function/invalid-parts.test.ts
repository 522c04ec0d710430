import type { ModelStream } from 'holdfast/worker';
import { ask, failureOf } from '../asking';
import { END, model, yielding } from './functions';

describe('a part that is none is refused, and the error names part and field', () => {
  const loop: { [key: string]: unknown } = {};
  loop.self = loop;
  it.each<[unknown, string]>([
    ['hello', 'part 2: expected an object with a `type`, got a string'],
    [null, 'part 2: expected an object with a `type`, got null'],
    [[[]], 'part 2: expected an object with a `type`, got a list'],
    [{ text: 'x' }, 'part 2: its `type` is nothing; known are `text`, `reasoning`, `call`, '],
    [{ type: 'tool-call' }, 'part 2: its `type` is `tool-call`; known are `text`, '],
    [{ type: 'constructor' }, 'part 2: its `type` is `constructor`; known are `text`, '],
    [{ type: 'text', delta: 'x' }, 'part 2 (`text`): it has a field `delta`; known are `text`'],
    [{ type: 'text' }, 'part 2 (`text`): expected `text` to be a string, got nothing'],
    [{ type: 'text', text: 7 }, 'part 2 (`text`): expected `text` to be a string, got a number'],
    [
      { type: 'reasoning', text: '', providerData: 's' },
      'part 2 (`reasoning`): expected `providerData` to be a JSON object',
    ],
    [{ type: 'call', index: -1 }, 'part 2 (`call`): expected `index` to be a whole number of at least 0, got a number'],
    [
      { type: 'call', arguments: null },
      'part 2 (`call`): expected `arguments` to be JSON, as a string or as an object of ',
    ],
    [
      { type: 'call', arguments: { n: 1n } },
      'part 2 (`call`): expected `arguments` to be JSON, as a string or as an object',
    ],
    [
      { type: 'data', data: loop },
      'part 2 (`data`): expected `data` to be a JSON object of at most 200 levels, got an object',
    ],
    [
      { type: 'usage', usage: { input: 1 } },
      'part 2 (`usage`): expected `usage` to be `{ prompt, completion, cached?, ',
    ],
    [
      { type: 'finish', reason: 'done' },
      'part 2 (`finish`): expected `reason` to be `stop`, `length`, `refused` or `failed`',
    ],
  ])('%#', async (part, problem) => {
    const stream = yielding({ type: 'text', text: 'x' }, part, END);
    const failure = await failureOf(ask(model(stream, { name: 'my gateway' })));
    expect(failure).toMatchObject({ type: 'ModelAnswerUnreadable', nonRetryable: true });
    expect(failure.message).toContain(`The function of the model \`m\` yields what is not an answer (${problem}`);
    expect(failure.message).toMatch(/\. Correct its `stream`\.$/);
  });

  it.each<[unknown, string]>([
    [
      () => Promise.resolve([]),
      '(it has to return an async iterable of parts, as `async *stream(request, { signal }) { … }` does, and it returned a promise)',
    ],
    // It would end the process if it were not heard.
    [() => Promise.reject(new Error('no key')), 'and it returned a promise)'],
    [() => undefined, 'and it returned nothing)'],
    [() => [END], 'and it returned a list)'],
    [() => [END].values(), 'and it returned an object)'],
  ])('and so is what cannot be read in pieces: %#', async (stream, problem) => {
    const failure = await failureOf(ask(model(stream as ModelStream)));
    expect(failure).toMatchObject({ type: 'ModelAnswerUnreadable', nonRetryable: true });
    expect(failure.message).toContain(problem);
  });
});
