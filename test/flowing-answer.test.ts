import { flowingAnswer } from './flowing-answer';

it('says a word even if it may end before it has begun', async () => {
  const answer = flowingAnswer();
  answer.end();
  const pieces = [];
  for await (const piece of answer.step.raw) pieces.push(piece);
  expect(answer.said()).toBe('word0 ');
  expect(pieces).toContainEqual({ choices: [{ index: 0, delta: { content: 'word0 ' }, finish_reason: null }] });
});
