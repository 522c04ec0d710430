import { defineAgent, defineContract, eventService } from 'holdfast';
import { z } from 'zod';

/** The order that the carrier gets, and the answers that it may send, days later. */
const pickUp = defineContract({
  type: 'parcel.pickup',
  description: 'Have the carrier pick up a parcel',
  versions: {
    '1.0.0': {
      accepts: z.object({ address: z.string(), kilograms: z.number() }),
      emits: { 'evt.parcel.pickup.success': z.object({ tracking: z.string(), day: z.string() }) },
    },
  },
});

export const shipping = defineAgent({
  name: 'shop.shipping',
  instructions: 'Ship the order.',
  inputSchema: z.object({ order: z.string(), address: z.string() }),
  outputSchema: z.object({ tracking: z.string() }),
  services: { carrier: eventService(pickUp, '1.0.0', { outlet: 'carrier', timeout: '14d' }) },
});
