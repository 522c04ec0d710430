import { ApplicationFailure } from '@temporalio/common';
import { type ErrorType, HoldfastError } from '../../../agent/errors/error';
import type { ContextWindow } from '../../../agent/model/context-window';
import { NO_SPENDING } from '../../../agent/model/cost/spending';
import type { Message } from '../../../agent/model/message';
import { defined } from '../../../agent/values/defined';
import { isJsonObject } from '../../../agent/values/json';
import { sendRoom } from '../../../agent/window/room';
import { activityFailure } from '../../failures/activity-failure';
import { partialOf, withPartial } from '../partial-answer';
import { cuttable } from './cut-answer';
import { type FittedCall, fixedTokens } from './fit-call';
import { factorOf, ownCount } from './measured-call';
import { statedLimit } from './stated-limit';
import { pruneMessages } from './trim-messages';

/** Share of a refused call that the next one sends, if the server does not say how much fits. */
const LESS = 0.7;

/**
 * @throws ApplicationFailure `ModelContextTooLong` if what must be sent does not fit: there is no need to ask the
 * server.
 */
export function checkFits(fitted: FittedCall): void {
  const { pruned, knownWindow: window, config, trimming } = fitted;
  if (pruned.fits || window === undefined) return;
  const factor = trimming.factor ?? 1;
  const fixed = Math.round(fixedTokens(fitted) * factor);
  const room = Math.floor(fitted.room);
  const sendable = `of a window of ${window} only ${room} can be sent`;
  const problem =
    fixed >= room
      ? `system prompt and tools alone are ${fixed} tokens; ${sendable}`
      : `${largest(fitted, factor)}; ${sendable}, system prompt and tools (${fixed}) included`;
  throw activityFailure(new HoldfastError('ModelContextTooLong', { model: config.model, problem }));
}

export function isTooLong(error: unknown): error is ApplicationFailure {
  return error instanceof ApplicationFailure && error.type === ('ModelContextTooLong' satisfies ErrorType);
}

/** The failure of a call that the server refused as too long; it says what the next call may send, if that is less. */
export function refusedAsTooLong(failure: ApplicationFailure, fitted: FittedCall): ApplicationFailure {
  const [data] = failure.details ?? [];
  const problem = isJsonObject(data) && typeof data.problem === 'string' ? data.problem : '';
  const trimming = smaller(fitted, problem);
  if (trimming === undefined) return failure;
  const partial = partialOf(failure) ?? { parts: [], ...NO_SPENDING };
  return withPartial(failure, { ...partial, trimming });
}

/** What to send in place of a refused call; `undefined` if nothing more can be left out. */
function smaller(fitted: FittedCall, problem: string): ContextWindow | undefined {
  const { choice, pruned, trimming, window = Infinity, config, manifest } = fitted;
  const least = pruneMessages({ ...choice, room: 0 });
  if (least.sent.length >= pruned.sent.length && cuttable(choice) < 0) return undefined;
  const { limit = Infinity, asked } = statedLimit(problem);
  const factor = asked === undefined ? trimming.factor : factorOf(fitted, asked);
  const own = ownCount(fitted);
  const learned = { ...trimming, ...defined({ factor }) };
  const known = Math.min(limit, window);
  // The server's numbers count only if they lead to a smaller call.
  if (sendRoom(known, { maxTokens: config.maxTokens, spec: manifest.context }) / (factor ?? 1) < own) {
    return known < window ? { ...learned, window: known } : learned;
  }
  return { ...learned, window: Math.floor(own * (factor ?? 1) * LESS) };
}

function largest({ pruned, choice, messages }: FittedCall, factor: number): string {
  const size = (index: number) => choice.tokens[index] ?? 0;
  const index = pruned.sent.reduce((most, next) => (size(next) > size(most) ? next : most), pruned.sent[0] ?? 0);
  return `message ${index}${nameOf(messages[index])} has ${Math.round(size(index) * factor)} tokens`;
}

function nameOf(message: Message | undefined): string {
  const result = message?.parts.find((part) => part.type === 'tool_result');
  if (result !== undefined) return `, a result of \`${result.name}\`,`;
  return message?.role === 'assistant' ? ', an answer of the model,' : '';
}
