import type { ChatRequest, ModelReply } from '../../kit/model-reply';
import { fault } from '../../kit/scripted-model';
import { randomFrom } from './random';

/** How often each model fails, by the provider's names. */
const SHARES: { readonly [model: string]: number } = { random: 0.5, spare: 0.25, other: 0.3 };

const status = (code: number, more: object = {}) => fault({ kind: 'status', status: code, ...more });

/** Faults of a server, of which each call may meet one. */
const FAULTS: readonly ModelReply[] = [
  ...[status(503), status(503), status(500), status(401)],
  ...['2', '30'].map((seconds) => status(429, { headers: { 'retry-after': seconds } })),
  status(400, { code: 'context_length_exceeded' }),
  ...[fault({ kind: 'html' }), fault({ kind: 'no-choices' }), fault({ kind: 'half-chunk' })],
];

/** Models that fail now and then, before they answer or in the middle of it. */
export function flapping(answer: (request: ChatRequest) => ModelReply, seed: number) {
  const random = randomFrom(seed + 1);
  return (request: ChatRequest): ModelReply => {
    const reply = answer(request);
    if (random.next() > (SHARES[request.model] ?? 0)) return reply;
    const isLong = (reply.text?.length ?? 0) > 4;
    const broken = (['cut', 'unfinished'] as const).map((kind) => ({ ...reply, fault: { kind, after: 3 } }));
    return random.pick([...FAULTS, ...(isLong ? broken : [])]);
  };
}
