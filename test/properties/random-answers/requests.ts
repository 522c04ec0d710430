import { createHash } from 'node:crypto';
import type { ChatMessage, ChatRequest } from '../../kit/model-reply';
import { type ModelServer, serveModel } from '../../kit/model-server';
import { randomAnswer } from './random-answer';

/** Characters of a request that are shown with its problem. */
const SHOWN = 4000;
/** Is in the requests of agents whose calls are text. */
const IN_TEXT = '# Calling tools';

/** Serves answers of the grammar, and looks at each request. */
export async function serveRandomAnswers(
  seed: number,
  problems: string[],
  answer: typeof randomAnswer = randomAnswer,
): Promise<ModelServer> {
  const seen = new Map<string, number>();
  return serveModel((request) => {
    const body = JSON.stringify(request);
    const key = createHash('sha256').update(body).digest('base64');
    const before = seen.get(key) ?? 0;
    seen.set(key, before + 1);
    for (const problem of problemsOf(request, body)) problems.push(`${problem} in ${body.slice(0, SHOWN)}`);
    return answer(request, seed, before);
  });
}

function problemsOf({ messages }: ChatRequest, body: string): string[] {
  return [...callProblems(messages), ...(body.includes(IN_TEXT) ? turnProblems(messages) : [])];
}

/** What providers refuse: calls without results, results without calls, ids that repeat themselves in one answer. */
function callProblems(messages: readonly ChatMessage[]): string[] {
  const problems: string[] = [];
  let open = new Set<string>();
  const end = (at: number) => {
    if (open.size > 0) problems.push(`message ${at} comes before the results of ${[...open].join(', ')}`);
  };
  for (const [at, message] of messages.entries()) {
    if (message.role === 'tool') {
      if (!open.delete(message.tool_call_id ?? '')) problems.push(`message ${at} is a result without its call`);
      continue;
    }
    end(at);
    const ids = (message.tool_calls ?? []).map(({ id }) => id);
    open = new Set(ids);
    if (open.size < ids.length) problems.push(`message ${at} has two calls of one id`);
  }
  end(messages.length);
  return problems;
}

/** What chat templates of small models refuse: anything else than a user and an assistant that take turns. */
function turnProblems(messages: readonly ChatMessage[]): string[] {
  const roles = messages.map(({ role }) => role).filter((role, at) => at > 0 || role !== 'system');
  const wrong = roles.findIndex((role, at) => role !== (at % 2 === 0 ? 'user' : 'assistant'));
  return wrong === -1 ? [] : [`the roles do not take turns: ${roles.join(', ')}`];
}
