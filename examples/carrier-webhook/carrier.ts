import { readWebhook } from 'holdfast/client';
import { listen } from './listen';
import { postEvent } from './post-event';

/** What the carrier goes by. */
export interface CarrierOptions {
  secret: string;
  /** Where its answers go. */
  answersTo: string;
  /** Settles when somebody has planned the tour: after days, in truth. */
  planned(): Promise<void>;
  say(text: string): void;
}

/** Plays a carrier: it takes an order at once, and answers when it has something to say. */
export function startCarrier({ secret, answersTo, planned, say }: CarrierOptions) {
  const taken = new Set<string>();
  return listen(({ headers, body }) => {
    const order = readWebhook({ headers, body, secret });
    // An order may come twice, where our 202 was lost.
    if (taken.has(order.id)) return;
    taken.add(order.id);
    say(`takes ${JSON.stringify(order.data)}: 202`);
    void planned().then(async () => {
      const status = await postEvent(answersTo, secret, {
        type: 'evt.parcel.pickup.success',
        subject: order.subject,
        parentid: order.id,
        data: { tracking: 'TRK-88', day: 'Tuesday' },
      });
      say(`answers, and is told ${status}`);
    });
  });
}
