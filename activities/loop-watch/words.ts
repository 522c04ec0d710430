import { defined } from '../../agent/values/defined';

/** A user's function that runs in this process. */
export interface WatchedCall {
  /** The workflow id. */
  run: string;
  /** The tool, or `contextBuilder` and the like. */
  tool: string;
  toolUseId?: string | undefined;
}

/** How many calls are named if it is not known which of several it is. */
export const NAMED = 5;

/** What may have blocked the worker, for people: the number of seconds comes between the two parts. */
export interface Words {
  before: string;
  after: string;
  calls: WatchedCall[];
}

/** The possible culprits. Without one, the cause is not known: the words say where to look. */
export function wordsOf(calls: readonly WatchedCall[]): Words {
  const named = calls.slice(0, NAMED).map(({ run, tool, toolUseId }) => ({
    run: run.slice(0, 100),
    tool: tool.slice(0, 100),
    ...defined({ toolUseId }),
  }));
  const texts = named.map(({ run, tool }) => `\`${tool}\` of the run \`${run}\``);
  const more = calls.length > NAMED ? ` and ${calls.length - NAMED} more` : '';
  if (texts.length === 0) return { ...NONE, calls: [] };
  const what = texts.length === 1 ? String(texts[0]) : `One of ${texts.join(', ')}${more}`;
  return {
    before: `${what} has blocked the worker for`,
    after: ': nothing else runs in it meanwhile. Hand such work to a thread or a process.',
    calls: named,
  };
}

const NONE = {
  before: 'The worker has stood still for',
  after:
    ', and it was in no function of an agent. Either the machine is too busy (give it more processors, or lower ' +
    '`worker.maxConcurrentActivities`), or other code in its process computes, or waits without `await`, such as what ' +
    'your modules do at their top level or in timers.',
};
