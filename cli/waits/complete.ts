import type { GivenAnswer } from '../../activities/services/answer-verdict';
import { HoldfastError } from '../../agent/errors/error';
import { checkEvent, type ServiceEvent } from '../../agent/protocol/event';
import type { RunState } from '../../agent/state/run-state';
import type { Json } from '../../agent/values/json';
import { RunHandle } from '../../client/runs/run-handle';
import { say, warn } from '../../runtime/print';
import { EXIT } from '../exit-code';
import type { Place } from '../remote/place';
import { type CommandClient, type CommandRun, withRunClient } from '../remote/run-client';
import { readJson } from '../runs/input';
import { printedCommand } from '../terminal/printed-command';
import { checkAnswer } from './check-answer';
import { type Answered, followAnswer, WORKER_TIMEOUT } from './complete-outcome';

export interface CompleteOptions extends Place {
  /** JSON, a plain text, `@file`, or `-`. */
  data?: string;
  error?: string;
  /** A whole CloudEvent: JSON, `@file`, or `-`. */
  event?: string;
}

const USAGE =
  'error: expected `<run> <call>` with either `--data` or `--error`, or `--event` alone, whose subject names the run';

/** `holdfast complete`: sends a run the answer that it waits for, and says whether the run accepted it. */
export async function complete(
  run: string | undefined,
  call: string | undefined,
  options: CompleteOptions,
): Promise<number> {
  const { data, error, event } = options;
  const whole = event !== undefined && run === undefined && data === undefined && error === undefined;
  const single = event === undefined && (data === undefined) !== (error === undefined);
  if (whole) return answerEvent(checkEvent(await readJson(event, broken)), options);
  if (!single || run === undefined || call === undefined) {
    warn(USAGE);
    return EXIT.usage;
  }
  const answer: { data: Json } | { error: string } =
    data === undefined ? { error: error ?? '' } : { data: await readJson(data, unreadable) };
  return withRunClient(options, async (client) => {
    const about = { id: run, toolUseId: call };
    const sent = followAnswer(hastyRun(client, run), call, async (state) => {
      if ('data' in answer) await check(client, about, answer, state);
      await client.completeCall(run, call, answer);
    });
    return report(about, await sent);
  });
}

function answerEvent(event: ServiceEvent, place: CompleteOptions): Promise<number> {
  const { subject: id, parentid = '', type, data } = event;
  const about = { id, toolUseId: parentid.slice(parentid.lastIndexOf('/') + 1) };
  return withRunClient(place, async (client) => {
    const sent = followAnswer(hastyRun(client, id), about.toolUseId, async (state) => {
      await check(client, about, { type, data }, state);
      await client.completeService(event);
    });
    return report(about, await sent);
  });
}

/** A server and a run that no worker tells about check it themselves, after they have taken it. */
async function check(
  { temporal }: CommandClient,
  { id, toolUseId }: { id: string; toolUseId: string },
  answer: GivenAnswer,
  state: RunState | undefined,
): Promise<void> {
  if (temporal === undefined || state === undefined) return;
  await checkAnswer(temporal, answer, { id, toolUseId, state, workerTimeout: WORKER_TIMEOUT });
}

/** The answer is sent also if no worker tells what comes of it. A server has its own patience. */
function hastyRun(client: CommandClient, id: string): Pick<CommandRun, 'state' | 'facts'> {
  const { temporal } = client;
  return temporal === undefined ? client.get(id) : new RunHandle(temporal, id, { workerTimeout: WORKER_TIMEOUT });
}

function report(about: { id: string; toolUseId: string }, answered: Answered): number {
  const { taken, line } = answeredLine(about, answered);
  (taken ? say : warn)(line);
  return taken ? 0 : 1;
}

/** One line about the outcome of an answer. */
export function answeredLine(
  { id, toolUseId }: { id: string; toolUseId: string },
  answered: Answered,
): { taken: boolean; line: string } {
  switch (answered.type) {
    case 'taken':
      return { taken: true, line: `answered ${toolUseId} ${answered.name} of ${id}` };
    case 'refused':
      return {
        taken: false,
        line: `The run \`${id}\` tells its model that ${answered.name} failed: ${answered.problem}`,
      };
    case 'sent':
      return { taken: true, line: `sent the answer of ${toolUseId} to ${id}; no worker has looked at it yet` };
    case 'ignored': {
      const why = WHY[answered.why] ?? `${answered.why}${answered.detail === undefined ? '' : `, ${answered.detail}`}`;
      return {
        taken: false,
        line: `The run \`${id}\` did not take it: ${why}. \`${printedCommand('show', id)}\` says what it waits for.`,
      };
    }
  }
}

const WHY: { readonly [why: string]: string } = {
  DoubleAnswer: 'this call has an answer already',
  LateAnswer: 'it no longer waits for this call',
  OutdatedAnswer: 'it answers an earlier call that had the same id',
  StrangeAnswer: 'it waits for no answer of such a call',
};

function broken(problem: string): HoldfastError {
  return new HoldfastError('InvalidEvent', { problem });
}

/** It is the answer that the user gave which cannot be read, not an event. */
function unreadable(problem: string): HoldfastError {
  return new HoldfastError('InvalidEvent', { problem }, { message: `Invalid answer: ${problem}.` });
}
