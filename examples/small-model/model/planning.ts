import { join } from 'node:path';
import { type ChatRequest, call, type ModelReply, text } from 'holdfast/testing';
import { diligent, list, read, rename, workIn } from './diligent';

/** A planner whose plan is unreadable. */
export function babbling(): ModelReply {
  return text('Step one: believe in the screenshots. Step two: {"steps": [[[ rename, rename, rename');
}

/** A planner that plans two files well, and then one that does not exist. */
export function inventing(request: ChatRequest): ModelReply {
  const steps = [
    { description: 'List the folder', expected_server: 'files' },
    { description: 'Read the first screenshot', expected_server: 'ocr' },
    { description: 'Rename it after its text', expected_server: 'files' },
    { description: 'Read the second screenshot', expected_server: 'ocr' },
    { description: 'Rename it after its text', expected_server: 'files' },
    {
      description: 'Read the third screenshot',
      expected_server: 'ocr',
      hint_params: { path: join(workIn(request).folder, 'Screenshot 3.png') },
    },
    { description: 'Rename it after its text', expected_server: 'files' },
  ];
  return text(JSON.stringify({ needs_tools: true, steps }));
}

/** Makes all renames of a plan that was given up once more. Then it does the rest. */
export function forgetful(request: ChatRequest): ModelReply {
  const givenUp = /^A plan for the task was given up/.test(String(request.messages.at(-1)?.content));
  const { move } = workIn(request).tools;
  const renames = request.messages
    .flatMap(({ tool_calls: made = [] }) => made.map((one) => one.function))
    .filter(({ name }) => name === move);
  return givenUp && renames.length > 0 ? { calls: renames } : diligent(request);
}

/** Picks the call for one step, which the last message describes. */
export function router(request: ChatRequest): ModelReply {
  const work = workIn(request);
  const step = String(request.messages.at(-1)?.content);
  const path = /Known arguments: \{"path":"([^"]+)"\}/.exec(step)?.[1];
  if (path !== undefined && work.tools.read !== undefined) return call(work.tools.read, { path });
  const reply = /: List/.test(step) ? list(work) : /: Read/.test(step) ? read(work) : rename(work);
  return reply ?? text('I do not know which tool.');
}
