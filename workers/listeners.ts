import { thrownProblem } from '../activities/failures/thrown-problem';
import type { LoopWatch } from '../activities/loop-watch';
import type { Registry } from '../activities/registry';
import type { StreamSubject } from '../agent/define/agent-definition';
import type { Log } from '../agent/define/context';
import type { Fact } from '../agent/protocol/facts/fact';
import type { StreamDelta } from '../agent/protocol/stream';

/** Passes an event to an agent's `onStream`, if it has one. */
export type Listener = (event: StreamDelta | Fact, about: StreamSubject) => void;

/**
 * Calls the listeners of agents. A run waits for none; what a listener throws, at once or later, only reaches the log.
 */
export function listenersOf(registry: Registry, log: Log, watch: LoopWatch): Listener {
  return (event, about) => {
    const listener = registry.find(about.agent)?.onStream;
    if (listener === undefined) return;
    watch
      .run({ run: about.subject, tool: 'onStream' }, () => listener(event, about))
      .catch((error: unknown) =>
        log.warn({ id: about.subject, event: event.type, problem: thrownProblem(error) }, '`onStream` failed'),
      );
  };
}
