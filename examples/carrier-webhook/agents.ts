import { defineAgent, defineContract, eventService } from 'holdfast';
import { z } from 'zod';

/** What the carrier is sent, and what it may answer, days later. */
const pickUp = defineContract({
  type: 'parcel.pickup',
  description: 'Has a parcel picked up by the carrier',
  versions: {
    '1.0.0': {
      accepts: z.object({ address: z.string(), kilograms: z.number() }),
      emits: { 'evt.parcel.pickup.success': z.object({ tracking: z.string(), day: z.string() }) },
    },
  },
});

export const shipping = defineAgent({
  name: 'shop.shipping',
  instructions: 'Ship what was ordered.',
  input: z.object({ order: z.string(), address: z.string() }),
  output: z.object({ tracking: z.string() }),
  services: { carrier: eventService(pickUp, '1.0.0', { outlet: 'carrier', timeout: '14d' }) },
});
