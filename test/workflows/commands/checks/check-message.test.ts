import { BYTES } from '../../../../agent/limits';
import type { ContentPart } from '../../../../agent/model/message';
import { type Json, jsonBytes } from '../../../../agent/values/json';
import { MAX_DEPTH } from '../../../../agent/values/json-depth';
import {
  checkMessage,
  checkModelName,
  checkReply,
  checkSender,
  checkTitle,
  checkUndo,
  partsOf,
  textBytes,
} from '../../../../workflows/commands/checks/check-message';
import { refusal } from '../../../agent/refusal';
import { notSaid } from './not-said';

const text: ContentPart = { type: 'text', text: 'Look at this' };
const byUrl: ContentPart = { type: 'media', mediaType: 'image/png', url: 'https://a.example/x.png' };
const byData: ContentPart = { type: 'media', mediaType: 'image/png', data: 'AAAA', name: 'x.png' };

function nested(levels: number): Json {
  let value: Json = [];
  for (let level = 1; level < levels; level++) value = [value];
  return value;
}

/** A value with a text that makes it exactly `bytes` bytes long as JSON. */
function ofBytes<T>(bytes: number, make: (filler: string) => T): T {
  return make('x'.repeat(bytes - jsonBytes(make(''))));
}

describe('a message', () => {
  test.each<[string, object]>([
    ['a text', { text: 'also check tax' }],
    ['a text with all optional fields', { text: 'wait', id: 'm1', by: 'ann', when: 'now' }],
    ['parts', { parts: [text, byUrl, byData], when: 'queue' }],
    ['an empty text as a part', { parts: [{ type: 'text', text: '' }] }],
  ])('may be %s, and is not changed', (_, given) => {
    expect(checkMessage(given)).toStrictEqual(given);
  });

  const either = 'Expected either `text` or `parts`, such as `{"text": "also check tax"}`';
  const parts =
    'Expected `parts` to be a list of `{"type": "text", "text": …}` and `{"type": "media", "mediaType": …, "url": …}`';
  const form = 'Expected an object such as `{"text": "also check tax"}`';

  test.each<[string, unknown, string]>([
    ['nothing', undefined, either],
    ['null', null, either],
    ['an empty object', {}, either],
    ['text and parts', { text: 'a', parts: [text] }, either],
    ['a bare text', 'also check tax', form],
    ['a list', [{ text: 'a' }], form],
    ['a text of blanks only', { text: ' \n' }, 'Expected `text` to be a string'],
    ['a number as `text`', { text: 7 }, 'Expected `text` to be a string'],
    ['an empty list of parts', { parts: [] }, parts],
    ['parts that are not a list', { parts: { 0: text, length: 1 } }, parts],
    ['a part that is null', { parts: [null] }, parts],
    ['a part without a type', { parts: [{ text: 'a' }] }, parts],
    ['one bad part among good ones', { parts: [text, { type: 'text' }, text] }, parts],
    ['media without a source', { parts: [{ type: 'media', mediaType: 'image/png' }] }, parts],
    ['media that is a text', { parts: [{ type: 'media', text: 'a' }] }, parts],
    ['media with two sources', { parts: [{ ...byUrl, data: 'AAAA' }] }, parts],
    ['media whose type is not a text', { parts: [{ ...byUrl, mediaType: 7 }] }, parts],
    ['media whose source is not a text', { parts: [{ ...byUrl, url: 7 }] }, parts],
    ['a part of another type', { parts: [{ ...byUrl, type: 'image' }] }, parts],
    ['an unknown `when`', { text: 'a', when: 'later' }, 'Expected `when` to be `queue` or `now`'],
    ['an unknown field', { text: 'a', to: 'ann' }, 'Unknown field `to`; known are text, parts, id, by, when'],
  ])('cannot be, or have, %s', (_, given, problem) => {
    expect(refusal(() => checkMessage(given))).toEqual(notSaid(problem));
  });

  test('may have as many bytes as one update can carry, including its id and its sender', () => {
    const most = ofBytes(BYTES.message, (filler) => ({ text: filler, id: 'm1', by: 'ännchen' }));
    expect(checkMessage(most)).toBe(most);
    expect(refusal(() => checkMessage({ ...most, by: `${most.by}!` }))).toEqual(
      notSaid(
        `It is ${BYTES.message + 1} bytes, more than the limit of ${BYTES.message}; send less, and large media by \`url\``,
      ),
    );
  });

  test('is a list of parts, in either form', () => {
    expect(partsOf({ text: 'also check tax' })).toEqual([{ type: 'text', text: 'also check tax' }]);
    expect(partsOf({ parts: [text, byUrl] })).toEqual([text, byUrl]);
    expect(partsOf({})).toEqual([{ type: 'text', text: '' }]);
  });

  test('counts in a window with the UTF-8 bytes of its texts, and nothing for its media', () => {
    expect(textBytes([])).toBe(0);
    expect(textBytes([byData, { type: 'text', text: 'für' }, byUrl, { type: 'text', text: '€🙂' }])).toBe(4 + 3 + 4);
  });

  test('is refused with a second source of the wrong type', () => {
    expect(refusal(() => checkMessage({ parts: [{ ...byUrl, data: null }] }))).toEqual(notSaid(parts));
  });
});

describe('any command', () => {
  test('may have the greatest depth of external JSON, and not one level more', () => {
    const reply = { questionId: 't1.1', answer: nested(MAX_DEPTH) };
    expect(checkReply(reply)).toBe(reply);
    expect(refusal(() => checkReply({ ...reply, answer: nested(MAX_DEPTH + 1) }))).toEqual(
      notSaid('It is nested deeper than 200 levels; send a flatter one'),
    );
  });

  test.each<[string, number, (value: unknown) => unknown]>([
    ['id', 200, (id) => checkMessage({ text: 'a', id })],
    ['by', 200, (by) => checkSender({ by })],
    ['questionId', 100, (questionId) => checkReply({ questionId, answer: 1 })],
    ['reason', 2000, (reason) => checkReply({ questionId: 't1.1', decline: true, reason })],
    ['toolUseId', 100, (toolUseId) => checkUndo({ toolUseId })],
    ['title', 200, (title) => checkTitle({ title })],
    ['model', 200, (model) => checkModelName({ model })],
  ])('may have in `%s` a text of at most %d characters', (field, max, check) => {
    expect(check('ä'.repeat(max))).toMatchObject({ [field]: 'ä'.repeat(max) });
    expect(refusal(() => check('a'.repeat(max + 1)))).toEqual(
      notSaid(`Expected \`${field}\` to have at most ${max} characters, it has ${max + 1}`),
    );
    for (const none of ['', ' \t', 7, null, ['a']]) {
      expect(refusal(() => check(none))).toEqual(notSaid(`Expected \`${field}\` to be a string`));
    }
  });

  test('with a strange field is refused with the beginning of its name, on one line', () => {
    expect(refusal(() => checkSender({ by: 'ann', [`a\n${'b'.repeat(60)}`]: 1 }))).toEqual(
      notSaid(`Unknown field \`a ${'b'.repeat(47)}…\`; known are by`),
    );
  });
});

describe('an answer to a question', () => {
  test.each<[string, object]>([
    ['a text', { questionId: 't1.1', answer: 'blue' }],
    ['null', { questionId: 't1.1', answer: null, by: 'ann' }],
    ['a refusal with a reason', { questionId: 't1.1/2', decline: true, reason: 'private', by: 'ann' }],
    ['a refusal without a reason', { questionId: 't1.1', decline: true }],
  ])('may be %s, and is not changed', (_, given) => {
    expect(checkReply(given)).toStrictEqual(given);
  });

  const either = 'Expected either `answer` or `"decline": true`';
  const example = '`{"questionId": "t1.1", "answer": "blue"}`';

  test.each<[string, unknown, string]>([
    ['nothing', undefined, `Expected \`questionId\`, such as in ${example}`],
    ['no question', { answer: 'blue' }, `Expected \`questionId\`, such as in ${example}`],
    ['a bare text', 'blue', `Expected an object such as ${example}`],
    ['no answer', { questionId: 't1.1' }, either],
    ['neither an answer nor a refusal', { questionId: 't1.1', decline: false }, either],
    ['both', { questionId: 't1.1', answer: 'blue', decline: true }, either],
    ['a refusal in words', { questionId: 't1.1', answer: 'blue', decline: 'yes' }, 'Expected `decline` to be true'],
    [
      'a reason beside an answer',
      { questionId: 't1.1', answer: 1, reason: 'x' },
      'A `reason` belongs to `"decline": true`',
    ],
    [
      'an unknown field',
      { questionId: 't1.1', answer: 1, text: 'x' },
      'Unknown field `text`; known are questionId, answer, decline, reason, by',
    ],
  ])('cannot be, or have, %s', (_, given, problem) => {
    expect(refusal(() => checkReply(given))).toEqual(notSaid(problem));
  });

  test('may have as many bytes as one update can carry', () => {
    const answer = ofBytes(BYTES.message, (filler) => ({ colours: filler }));
    expect(checkReply({ questionId: 't1.1', answer })).toEqual({ questionId: 't1.1', answer });
    expect(refusal(() => checkReply({ questionId: 't1.1', answer: { colours: `${answer.colours}x` } }))).toEqual(
      notSaid(`The answer is ${BYTES.message + 1} bytes, more than the limit of ${BYTES.message}`),
    );
  });

  test('with `"decline": false` beside it stays an answer', () => {
    expect(checkReply({ questionId: 't1.1', answer: 'blue', decline: false })).not.toHaveProperty('decline');
  });
});

test('a sender may give a name, or nothing', () => {
  expect([{ by: 'ann' }, {}, undefined, null].map(checkSender)).toStrictEqual([{ by: 'ann' }, {}, {}, {}]);
  expect(refusal(() => checkSender('ann'))).toEqual(notSaid('Expected an object such as `{"by": "ann"}`'));
  expect(refusal(() => checkSender({ name: 'ann' }))).toEqual(notSaid('Unknown field `name`; known are by'));
});

test('a conversation is renamed by a title, and by nothing else', () => {
  const named = { title: 'the order of June', by: 'ann' };
  expect(checkTitle(named)).toStrictEqual(named);
  const example = '`{"title": "the order of May"}`';
  for (const none of [undefined, {}, { by: 'ann' }]) {
    expect(refusal(() => checkTitle(none))).toEqual(notSaid(`Expected \`title\`, such as in ${example}`));
  }
  expect(refusal(() => checkTitle('May'))).toEqual(notSaid(`Expected an object such as ${example}`));
  expect(refusal(() => checkTitle({ ...named, name: 'x' }))).toEqual(
    notSaid('Unknown field `name`; known are title, by'),
  );
});

test('the choice of a model names its alias', () => {
  const choice = { model: 'house', by: 'ann' };
  expect(checkModelName(choice)).toStrictEqual(choice);
  const example = '`{"model": "house"}`';
  for (const none of [undefined, {}, { by: 'ann' }]) {
    expect(refusal(() => checkModelName(none))).toEqual(
      notSaid(`Expected \`model\`, the alias of a model, such as in ${example}`),
    );
  }
  expect(refusal(() => checkModelName('house'))).toEqual(notSaid(`Expected an object such as ${example}`));
  expect(refusal(() => checkModelName({ ...choice, alias: 'x' }))).toEqual(
    notSaid('Unknown field `alias`; known are model, by'),
  );
});
