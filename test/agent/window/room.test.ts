import { answerRoom, safetyRoom, sendRoom, summaryRoom, thresholdOf, wrapUpRoom } from '../../../agent/window/room';

it('has the defaults of small models, which shrink with the window', () => {
  const rooms = (window: number) =>
    [answerRoom, safetyRoom, thresholdOf, wrapUpRoom, summaryRoom].map((room) => room(window));
  expect(rooms(128_000)).toEqual([2000, 768, 5000, 1500, 500]);
  expect(rooms(16_000)).toEqual([2000, 768, 4000, 1500, 500]);
  expect(rooms(4000)).toEqual([1000, 384, 1000, 750, 250]);
  expect(summaryRoom(undefined)).toBe(500);
});

it('is what the agent sets, but at most half of the window', () => {
  const spec = { reserve: { output: 6000, safety: 100 }, threshold: 9000, wrapUp: 0, summaryTokens: 1000 };
  expect(sendRoom(32_000, { spec })).toBe(25_900);
  expect(sendRoom(32_000, { spec, maxTokens: 8000 })).toBe(23_900);
  expect(sendRoom(8000, { spec })).toBe(3900);
  expect([thresholdOf(8000, spec), wrapUpRoom(8000, spec), summaryRoom(8000, spec)]).toEqual([9000, 0, 1000]);
});
