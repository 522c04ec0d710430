import { maskMedia } from '../../../../activities/model/request/mask-media';
import type { Message } from '../../../../agent/model/message';

const image = { type: 'media' as const, mediaType: 'image/png', data: 'AAAA', name: 'plan' };
const asked: Message = { role: 'user', parts: [{ type: 'text', text: 'see' }, image], turn: 0 };
const result: Message = {
  role: 'user',
  parts: [{ type: 'tool_result', toolUseId: 't2.1', name: 'look', content: [image] }],
  turn: 2,
};

const shown = (message: Message | undefined) => JSON.stringify(message).includes('AAAA');

test.each([
  [asked, 1, true],
  [asked, 2, false],
  [result, 3, true],
  [result, 4, false],
  [{ ...asked, seenCount: 1 }, 1, false],
])('shows media to one call only: %j at call %i', (message, call, expected) => {
  const [masked] = maskMedia([message], { turn: call });
  expect(shown(masked)).toBe(expected);
  if (!expected) expect(JSON.stringify(masked)).toMatch(/image, png, \\"plan\\"/);
  expect(shown(message)).toBe(true);
});

test("an agent's own mask decides instead, and learns how often the media were shown", () => {
  const seen: number[] = [];
  const [masked] = maskMedia([result], { turn: 5 }, (part, count) => {
    seen.push(count);
    return part;
  });
  expect(shown(masked)).toBe(true);
  expect(seen).toEqual([2]);
});
