import { type ChatRequest, call, calls, type ModelReply, text } from 'holdfast/testing';

/** One entry for each turn of an agent. `said` is the last result that it reads. */
type Script = ((said: string) => ModelReply)[];

const desk: Script = [
  () => ({
    ...calls(
      ['billing', { question: 'A-17: the lamp costs 40, the invoice says 80. Is that right?' }],
      ['tech', { question: 'A-17: the lamp no longer turns on. What now?' }],
    ),
    text: 'Money and a lamp: I ask both specialists at once.',
  }),
  () => ({
    ...call('refund', { order: 'A-17', amount: 90 }),
    text: 'Then they get all of it back, and 10 for the trouble.',
  }),
  (said) => {
    const paid = /"refunded":(\d+)/.exec(said)?.[1];
    const reply = paid === undefined ? 'A colleague will write to you.' : `We are sorry. You get ${paid} back.`;
    return text(JSON.stringify({ reply }));
  },
];

const billing: Script = [
  () => call('correct_invoice', { order: 'A-17', amount: 40 }),
  (said) =>
    text(said.includes('not run') ? 'The invoice stays as it is.' : 'It was charged twice; the invoice is right now.'),
];

const tech: Script = [
  () => call('send_replacement', { order: 'A-17' }),
  (said) => text(said.includes('not run') ? 'It is broken, and no other can be sent.' : 'A new one is on its way.'),
];

/** The model of all three agents: the request's tools show which agent calls, the transcript how far it is. */
export function play({ messages, tools = [] }: ChatRequest): ModelReply {
  const has = (tool: string) => tools.some(({ function: { name } }) => name === tool);
  const script = has('refund') ? desk : has('correct_invoice') ? billing : tech;
  const said = messages.at(-1)?.content;
  const turn = script[messages.filter(({ role }) => role === 'assistant').length];
  return turn?.(typeof said === 'string' ? said : '') ?? text('I have no more to say.');
}
