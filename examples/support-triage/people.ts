import type { Fact } from 'holdfast';
import type { RunHandle } from 'holdfast/client';

const ann = { by: 'ann', roles: ['finance'] };
const tom = { by: 'tom', roles: ['workshop'] };

/** The decisions of Ann from finance and Tom from the workshop. */
export async function decide(run: RunHandle, ask: Extract<Fact, { type: 'approval.requested' }>): Promise<void> {
  switch (ask.name) {
    case 'correct_invoice':
      await run.approve(ask, { ...ann, comment: '40 is the price in the catalogue' });
      break;
    case 'send_replacement':
      await run.deny(ask, { ...tom, reason: 'the last one was sold on Friday' });
      break;
    case 'refund':
      await run.edit(ask, { ...ann, input: { ...ask.input, amount: 80 }, comment: 'they paid 80, so they get 80' });
  }
}
