import { call } from '../../kit/scripted-model';
import { forEver, head, MB, nested, pour, sendBomb } from '../stage/wire';
import { DONE, type HostileInput, type Wild } from './input';

/** A body, sent to its end. */
function body(type: string, pieces: Iterable<string | Buffer>, { status = 200, every = 0 } = {}): Wild {
  return async (out) => {
    head(out, type, { status });
    await pour(out, pieces, every);
    out.end();
  };
}

const JSON_TYPE = 'application/json';
const WHOLE = JSON.stringify({
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'slowly' }, finish_reason: 'stop' }],
});
/** On a slow machine the time limit is reached before the size limit. */
const TOO_LARGE = /^ModelAnswerToo(Large|Slow): /;
const WRONG_ARGUMENTS = /^(InvalidJson|InvalidArguments): /;

/** The model calls `take` with this text instead of arguments. */
const args = (name: string, does: string, text: string, told: RegExp): HostileInput => ({
  name,
  does,
  script: [call('take', text, { chunkSize: 16_384 })],
  told: [told],
  end: { data: DONE },
});

export const MODEL_JSON: readonly HostileInput[] = [
  {
    name: 'huge-error',
    does: 'answers with an endless error body',
    script: [body('text/plain', forEver('x'.repeat(MB)), { status: 400 })],
    end: { error: /^ModelRequestInvalid: / },
  },
  {
    name: 'error-bomb',
    does: 'answers with an error of a gigabyte compressed to one megabyte',
    script: [(out) => sendBomb(out, 'text/plain', 400)],
    end: { error: /^ModelRequestInvalid: / },
  },
  {
    name: 'body-bomb',
    does: 'answers with a body of a gigabyte compressed to one megabyte',
    script: [(out) => sendBomb(out, JSON_TYPE)],
    end: { error: TOO_LARGE },
  },
  {
    name: 'huge-body',
    does: 'answers with an endless JSON body',
    script: [body(JSON_TYPE, forEver(' '.repeat(MB)))],
    end: { error: TOO_LARGE },
  },
  {
    name: 'trickle',
    does: 'sends its body in small pieces for twice the time that counts as silence',
    script: [body(JSON_TYPE, [...Array.from({ length: 20 }, () => ' '), WHOLE], { every: 100 })],
    end: { data: 'slowly' },
  },
  {
    name: 'wrong-type',
    does: 'answers with a picture',
    script: [body('image/png', [Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0xff])])],
    end: { error: /^ModelAnswerUnreadable: / },
  },
  {
    name: 'html',
    does: 'answers with a web page',
    script: [body('text/html', ['<!doctype html><script>alert(1)</script>'])],
    end: { error: /^ModelAnswerUnreadable: / },
  },
  {
    name: 'redirect',
    does: "redirects to a cloud's metadata service",
    script: [
      (out) => {
        head(out, 'text/plain', { status: 307, location: 'http://169.254.169.254/latest/meta-data' });
        out.end();
      },
    ],
    end: { error: /^ModelRequestInvalid: .*169\.254\.169\.254/ },
  },
  {
    name: 'strange-body',
    does: 'answers with choices that are not a list',
    script: [
      body(JSON_TYPE, ['{"choices":{"length":1e9,"0":{"message":{"content":"x"}}},"__proto__":{"polluted":1}}']),
    ],
    end: { error: /^ModelAnswerUnreadable: / },
  },
  {
    name: 'deep-body',
    does: 'answers with a body that is nested 500,000 deep',
    script: [body(JSON_TYPE, [`{"choices":${nested(500_000)}}`])],
    end: { error: /^ModelAnswerUnreadable: / },
  },
  {
    ...args('deep-arguments', 'nests arguments 4,300 deep', `{"item":${nested(4300)}}`, WRONG_ARGUMENTS),
    quick: true,
  },
  args('abyss', 'nests arguments 100,000 deep', `{"item":${nested(100_000)}}`, WRONG_ARGUMENTS),
  args('open-brackets', 'opens 100,000 brackets', '['.repeat(100_000), WRONG_ARGUMENTS),
  args('quotes', 'sends 100 KB of quotes', '"'.repeat(100_000), WRONG_ARGUMENTS),
  args('backslashes', 'sends 100 KB of backslashes in an unterminated text', `{"item":"${'\\'.repeat(99_999)}`, /./),
  args('broken-list', 'sends 100 KB of texts without commas', `{"item":["${'a" "'.repeat(25_000)}`, WRONG_ARGUMENTS),
  args(
    'prototype',
    'sends members of Object.prototype as arguments',
    '{"item":"a","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
    /^(took 1$|InvalidArguments: )/,
  ),
  args(
    'huge-numbers',
    'sends numbers that no machine can represent',
    '{"item":1e400,"n":-0,"m":9e999}',
    /^(took \d|InvalidArguments: )/,
  ),
  args('half-characters', 'sends halves of characters', '{"item":"\\ud800x\\udfff"}', /^took \d/),
];
