import type { Remember } from '../../../agent/approvals/approval';
import type { Json, JsonObject } from '../../../agent/values/json';
import { post } from './request';
import { runPath } from './runs';
import type { PendingApproval, PendingQuestion } from './types';

/** A person's decision on one call. The server adds who decided. */
export type CallDecision =
  | { decision: 'approve'; remember?: Remember; comment?: string }
  | { decision: 'deny'; remember?: Remember; reason?: string }
  | { decision: 'edit'; input: JsonObject; remember?: Remember; comment?: string };

/** Sent with the hash of the arguments that were shown: no one approves what they did not see. */
export function decide(
  { id, toolUseId, hash }: PendingApproval,
  { decision, ...rest }: CallDecision,
): Promise<unknown> {
  return post(`${runPath(id)}/calls/${encodeURIComponent(toolUseId)}/${decision}`, { hash, ...rest });
}

export type Reply = { answer: Json } | { decline: true; reason?: string };

export function answer({ id, questionId }: PendingQuestion, reply: Reply): Promise<unknown> {
  return post(`${runPath(id)}/questions/${encodeURIComponent(questionId)}/answer`, reply);
}
