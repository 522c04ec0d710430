import { cutAnswer } from '../../../../activities/model/window/cut-answer';
import { type Message, textOf } from '../../../../agent/model/message';

const CHARS = 800;
const messages: Message[] = [
  { role: 'user', parts: [{ type: 'text', text: 'Go' }], turn: 0 },
  { role: 'assistant', parts: [{ type: 'text', text: '😀'.repeat(CHARS / 2) }], turn: 1 },
];
const measure = (message: Message) => textOf(message).length;

test.each([500, 501, 502, 503])('the note says how much of an answer of emoji is shown, in a room of %d', (room) => {
  const cut = cutAnswer({ messages, tokens: messages.map(measure), from: 0, opened: 0 }, room, measure);
  const [shown = '', note] = textOf(cut.messages[1] as Message).split('\n');
  expect(note).toBe(`[cut: the first ${shown.length} of the ${CHARS} characters of your answer are shown]`);
  expect(shown).toMatch(/^😀+$/u);
});
