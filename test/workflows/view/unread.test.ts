import type { QueuedMessage } from '../../../agent/conversation/messages';
import { unreadMessages } from '../../../workflows/view/unread';

const said = (text: string, more: Partial<QueuedMessage> = {}): QueuedMessage => ({
  parts: [{ type: 'text', text }],
  exchange: 2,
  at: 7,
  ...more,
});

it('names what the model has not read in the order in which it reads it, with who said it', () => {
  const inbox = [said('Later', { id: 'm2', by: 'ann' }), said('', { regenerates: 1 })];
  const steers = [said('Now', { by: 'bob' })];
  expect(unreadMessages({ inbox, steers })).toEqual([
    { by: 'bob', at: 7, text: 'Now', steers: true },
    { id: 'm2', by: 'ann', at: 7, text: 'Later', steers: false },
  ]);
});

// The answer of a query must not grow with what people send.
it('is bounded, however much was said', () => {
  const inbox = Array.from({ length: 300 }, () => said('x'.repeat(100_000)));
  const unread = unreadMessages({ inbox, steers: [] });
  expect(unread).toHaveLength(20);
  expect(JSON.stringify(unread).length).toBeLessThan(20_000);
});
