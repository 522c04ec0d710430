import { z } from '@hono/zod-openapi';
import type { Log } from '../../../agent/define/context';
import { HoldfastError, messageOf } from '../../../agent/errors/error';
import type { Fact } from '../../../agent/protocol/facts/fact';
import type { StreamDelta } from '../../../agent/protocol/stream';
import { type App, addRunRoute, type Deps } from '../api';
import { invalid } from '../guard/body';
import { eventStream, sseEvent } from '../sse';
import { fields } from './shapes';

/** The facts of a run as they happen, and the answer in progress. */
export function addEvents(app: App, deps: Deps): void {
  addRunRoute(
    app,
    deps,
    {
      method: 'get',
      path: '/events',
      summary: 'Everything that happens in a run, as a stream',
      description:
        'Events `fact`, with the number of the fact as `id`, and `delta`, which have none and may be lost. `Last-Event-ID` goes on where a stream has ended. Event `end`: the run has ended.',
      scope: 'read',
      query: fields({
        after: z.coerce.number().int().min(0).optional(),
        deltas: z.enum(['true', 'false']).optional(),
      }),
      stream: 'text/event-stream',
    },
    async ({ handle }, { query, signal, leave, context, principal }) => {
      const after = lastEventId(context.req.header('last-event-id')) ?? query.after ?? 0;
      const close = deps.limits.open(principal.credential);
      const options = { after, signal };
      const events = query.deltas === 'false' ? handle.facts(options) : handle.events(options);
      const onEnd = () => {
        leave();
        close();
      };
      return eventStream(linesOf(events, signal, deps.log), { onEnd, signal });
    },
  );
}

async function* linesOf(
  events: AsyncGenerator<Fact | StreamDelta, void, undefined>,
  signal: AbortSignal,
  log: Log,
): AsyncGenerator<string, void, undefined> {
  try {
    for await (const event of events) {
      // Deltas have a number too: that of their place in one attempt.
      yield 'callId' in event
        ? sseEvent({ event: 'delta', data: JSON.stringify(event) })
        : sseEvent({ event: 'fact', id: String(event.seq), data: JSON.stringify(event) });
    }
    if (!signal.aborted) yield sseEvent({ event: 'end', data: '{}' });
  } catch (error) {
    if (signal.aborted) return;
    yield sseEvent({ event: 'error', data: JSON.stringify({ message: streamProblem(error, log) }) });
  }
}

function lastEventId(given: string | undefined): number | undefined {
  if (given === undefined || given === '') return undefined;
  const seq = Number(given);
  if (Number.isSafeInteger(seq) && seq >= 0) return seq;
  throw invalid('`Last-Event-ID` is not the number of a fact.');
}

/** Why a stream has ended, for its reader. What is not expected goes to the log. */
export function streamProblem(error: unknown, log: Log): string {
  if (error instanceof HoldfastError) return error.message;
  log.error({ problem: messageOf(error) }, 'A stream failed');
  return 'The stream has failed. Connect again.';
}
