import { readWebhook } from 'holdfast/client';
import { listen } from './listen';
import { postEvent } from './post-event';

/** Options of the carrier. */
export interface CarrierOptions {
  secret: string;
  /** The URL for its answers. */
  answersTo: string;
  /** Settles when the tour is planned. In reality that takes days. */
  planned(): Promise<void>;
  say(text: string): void;
}

/** Plays a carrier: it accepts an order at once, and answers when the tour is planned. */
export function startCarrier({ secret, answersTo, planned, say }: CarrierOptions) {
  const taken = new Set<string>();
  return listen(({ headers, body }) => {
    const order = readWebhook({ headers, body, secret });
    // An order may come twice if our 202 was lost.
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
