import { chunk, ending, forEver, head, MB, pour, sendBomb, times, toolPiece } from '../stage/wire';
import { DONE, type HostileInput, RECOVERED, type Wild } from './input';

type Pieces = Iterable<string | Buffer>;

/** A stream of events, sent to its end, with this many milliseconds between two pieces. */
function events(pieces: () => Pieces, every = 0): Wild {
  return async (out) => {
    head(out, 'text/event-stream');
    await pour(out, pieces(), every);
    out.end();
  };
}

function* joined(...all: Pieces[]): Generator<string | Buffer> {
  for (const pieces of all) yield* pieces;
}

const FINISHED = ending('stop');
const CALLED = ending('tool_calls');
/** On a slow machine the time limit is reached before the size limit. */
const TOO_LARGE = /^ModelAnswerToo(Large|Slow): /;
const TOO_SLOW = /^ModelAnswerTooSlow: /;

export const MODEL_STREAM: readonly HostileInput[] = [
  {
    name: 'endless-line',
    does: 'sends an endless event',
    script: [events(() => joined(['data: '], forEver('x'.repeat(MB))))],
    end: { error: TOO_LARGE },
    quick: true,
  },
  {
    name: 'gzip-bomb',
    does: 'sends a gigabyte compressed to one megabyte',
    script: [(out) => sendBomb(out, 'text/event-stream')],
    end: { error: TOO_LARGE },
  },
  {
    name: 'repeated-name',
    does: 'repeats the name of the tool with each of 40,000 pieces of 400 KB of arguments',
    script: [
      events(() =>
        joined(
          [toolPiece({ id: 'call_1', type: 'function' }, 'take', '{"item":"')],
          times(40_000, () => toolPiece({}, 'take', 'x'.repeat(10))),
          [toolPiece({}, 'take', '"}'), CALLED],
        ),
      ),
    ],
    told: [/^took 400000$/],
    end: { data: DONE },
  },
  {
    name: 'reasoning-details',
    does: 'sends 25,000 details of its reasoning',
    script: [
      events(() =>
        joined(
          times(25_000, () => chunk({ reasoning_details: [{ text: 'x' }] })),
          [chunk({ content: 'thought' }), FINISHED],
        ),
      ),
    ],
    end: { data: 'thought' },
  },
  {
    name: 'cut-name',
    does: 'cuts the name of a tool in two',
    script: [
      events(() => [
        toolPiece({ id: 'call_1', type: 'function' }, 'ta', ''),
        toolPiece({}, 'ke', ''),
        toolPiece({}, '', '{"item":"a"}'),
        CALLED,
      ]),
    ],
    told: [/^took 1$/],
    end: { data: DONE },
    quick: true,
  },
  {
    name: 'many-calls',
    does: 'calls a tool that does not exist 10,000 times in one answer',
    script: [
      events(() =>
        joined(
          times(10_000, (index) => toolPiece({ index, id: `call_${index}`, type: 'function' }, 'nope', '{}')),
          [CALLED],
        ),
      ),
    ],
    told: /^(UnknownTool|TooManyCalls|AnswerCut): /,
    end: { data: DONE },
  },
  {
    name: 'single-bytes',
    does: 'sends its answer byte by byte',
    script: [
      events(() => [...Buffer.from(chunk({ content: 'größer' }) + FINISHED)].map((byte) => Buffer.from([byte]))),
    ],
    end: { data: 'größer' },
  },
  {
    name: 'invalid-utf8',
    does: 'sends bytes that are not UTF-8',
    script: [
      events(() => [
        Buffer.concat([
          Buffer.from('data: {"choices":[{"index":0,"delta":{"content":"a'),
          Buffer.from([0xff, 0xfe, 0xc3]),
          Buffer.from('b"}}]}\n\n'),
        ]),
        FINISHED,
      ]),
    ],
    end: { data: /^a\ufffd+b$/ },
  },
  {
    name: 'comments',
    does: 'keeps the stream alive with endless comments',
    script: [events(() => forEver(': wait\n\n'), 50)],
    end: { error: TOO_SLOW },
  },
  {
    name: 'never-ending',
    does: 'sends words without end',
    script: [events(() => forEver(chunk({ content: 'and ' })), 50)],
    end: { error: TOO_SLOW },
  },
  {
    name: 'silence',
    does: 'opens a stream and sends nothing',
    script: [(out) => head(out, 'text/event-stream')],
    end: { data: RECOVERED },
  },
  {
    name: 'half-json',
    does: 'sends half of a chunk in a whole event',
    script: [events(() => ['data: {"choices":[{"ind\n\n', FINISHED])],
    end: { data: RECOVERED },
  },
  {
    name: 'cut',
    does: 'cuts the connection in the middle of an event',
    script: [
      async (out) => {
        head(out, 'text/event-stream');
        await pour(out, [chunk({ content: 'half' }), 'data: {"choices"'], 20);
        out.destroy();
      },
    ],
    end: { data: RECOVERED },
  },
  {
    name: 'mad-usage',
    does: 'reports token counts as texts, below zero and beyond all numbers',
    script: [
      events(() => [
        chunk({ content: 'counted' }, { usage: { prompt_tokens: '9e9', completion_tokens: -5, total_tokens: null } }),
        `data: {"choices":[],"usage":{"prompt_tokens":1e308,"completion_tokens":1e999,"prompt_tokens_details":[]}}\n\n`,
        FINISHED,
      ]),
    ],
    end: { data: 'counted' },
  },
  {
    name: 'strange-chunks',
    does: 'sends chunks that are lists, numbers, null, and members of Object.prototype',
    script: [
      events(() => [
        'data: []\n\ndata: 7\n\ndata: null\n\ndata: "x"\n\n',
        'data: {"choices":[null]}\n\ndata: {"choices":{"0":{}}}\n\ndata: {"choices":[{"delta":[1]}]}\n\n',
        'data: {"choices":[{"delta":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}]}\n\n',
        'data: {"choices":[{"delta":{"tool_calls":[null,[],{"index":-1},{"index":1e308,"function":null}]}}]}\n\n',
        chunk({ content: 'sound' }),
        FINISHED,
      ]),
    ],
    told: /^\w+: /,
    end: { data: /^(sound|done)$/ },
  },
];
