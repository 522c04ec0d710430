import { BROKEN, CALLS, type Case, NO_CALLS, NOT_FOUND, UNENDED } from './cases';
import { readInText, said, seen } from './read-in-text';

const named = (cases: readonly Case[]) => cases.map((one) => [one.what, one] as const);

test.each(named(CALLS))('%s: the call is read', async (_, { answer: written, text = '', thinking = '', call }) => {
  const { answer, deltas } = await readInText([written]);
  expect(answer.callFault).toBeUndefined();
  expect(answer.toolRequests).toMatchObject([{ name: call?.[0], input: call?.[1] }]);
  expect(answer).toMatchObject({ type: 'tool_call', finishReason: 'tool_calls' });
  expect(said(answer, 'text')).toBe(text);
  expect(said(answer, 'reasoning')).toBe(thinking);
  expect(seen(deltas)).toMatchObject({ text, reasoning: thinking, name: call?.[0] });
});

test.each(named(NO_CALLS))('%s: there is no call', async (_, { answer: written, text = '', thinking = '' }) => {
  const { answer } = await readInText([written]);
  expect(answer.toolRequests).toEqual([]);
  expect(answer.callFault).toBeUndefined();
  expect(said(answer, 'text')).toBe(text);
  expect(said(answer, 'reasoning')).toBe(thinking);
});

test.each(named([...BROKEN, ...UNENDED]))(
  '%s: the call is broken',
  async (_, { answer: written, error, told, text }) => {
    const { answer } = await readInText([`Well. ${written}`]);
    expect(answer.toolRequests).toEqual([]);
    expect(answer.callFault).toEqual({ type: error, message: expect.stringContaining(told ?? '') });
    const closed = text?.endsWith('</tool>') ? text : `${text}</tool>`;
    expect(said(answer, 'text')).toBe(`Well. ${closed}`);
  },
);

test.each(named(NOT_FOUND))(
  '%s: the model is told what there is',
  async (_, { answer: written, call, error, told }) => {
    const { answer } = await readInText([written]);
    expect(answer.toolRequests).toMatchObject([
      { name: call?.[0], input: call?.[1], problem: { type: error, message: expect.stringContaining(told ?? '') } },
    ]);
  },
);

test('a call that the length of the answer cuts is made again', async () => {
  const cut = [{ type: 'finish' as const, reason: 'length' as const }];
  const begun = await readInText(['<tool>{"server_name":"local","tool_name":"look_up","arguments":{"q":"te'], cut);
  expect(begun.answer.toolRequests).toMatchObject([{ name: 'look_up', problem: { type: 'AnswerCut' } }]);
  const early = await readInText(['<tool>{"server_name":"lo'], cut);
  expect(early.answer.callFault).toMatchObject({
    type: 'ParseError',
    message: expect.stringContaining('maximum length'),
  });
});

test('at most 16 KB of a broken call are kept', async () => {
  const { answer } = await readInText([`<tool>${'😀'.repeat(20_000)}</tool>`]);
  const text = said(answer, 'text');
  expect(text.length).toBeLessThanOrEqual(16_384 + '<tool></tool>'.length);
  expect(text).toMatch(/^<tool>(😀)+<\/tool>$/u);
});

test('a call streams while it grows, in both forms', async () => {
  const json = '<tool>{"server_name":"local","tool_name":"look_up","arguments":{"q":"tea and rum"}}</tool>';
  const xml =
    '<tool><server_name>local</server_name><tool_name>look_up</tool_name><arguments>{"q":"tea &amp; rum"}</arguments></tool>';
  for (const [written, args] of [
    [json, '{"q":"tea and rum"}'],
    [xml, '{"q":"tea & rum"}'],
  ] as const) {
    const { deltas } = await readInText([...written]);
    const pieces = deltas.filter(({ type }) => type === 'stream.tool');
    expect(pieces.length).toBeGreaterThan(10);
    expect(seen(deltas).arguments).toBe(args);
  }
});
