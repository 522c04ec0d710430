import { toJsonSchema } from '../../agent/contracts/schema';
import type { AgentDefinition, QuestionDefinition } from '../../agent/define/agent-definition';
import { CONVERSE, completion, questionSchema } from '../../agent/define/built-in/loop-tools';
import { ASK_QUESTION } from '../../agent/prompts/tools/built-in-tools';
import type { LoopSpec, UnnamedTool } from '../../agent/protocol/manifest';
import { defined } from '../../agent/values/defined';
import { milliseconds } from '../../agent/values/duration';
import { DEFAULT_POLICY } from './default-policy';

/** The loop tools that an agent has, and its own questions. */
export function loopToolSpecs({
  loopTools = [],
  questions = {},
  outputSchema: output,
}: AgentDefinition): UnnamedTool[] {
  const { converse, ...own } = questions;
  const asked = { ...(loopTools.includes('ask_question') ? { ask_question: {} } : {}), ...own };
  const specs = Object.entries(asked).map(([name, question]) => questionSpec(name, question));
  if (loopTools.includes('converse') || converse !== undefined) {
    specs.push(loopTool('converse', CONVERSE, { does: 'converse', ...waitOf(converse) }));
  }
  if (loopTools.includes('task_completion')) {
    const form = completion(output === undefined ? undefined : toJsonSchema(output));
    specs.push(loopTool('task_completion', form, { does: 'complete' }));
  }
  return specs;
}

function questionSpec(name: string, question: QuestionDefinition) {
  const { description = ASK_QUESTION.description, answer } = question;
  return loopTool(
    name,
    { description, inputSchema: questionSchema(answer !== undefined) },
    {
      does: 'ask',
      ...(answer === undefined ? {} : { schema: toJsonSchema(answer) }),
      ...waitOf(question),
    },
  );
}

function waitOf({ expires, onExpire }: QuestionDefinition = {}): Pick<LoopSpec, 'expires' | 'onExpire'> {
  const wait = milliseconds(expires);
  return { ...defined({ expires: wait, onExpire }) };
}

function loopTool(name: string, form: Pick<UnnamedTool, 'description' | 'inputSchema'>, loop: LoopSpec): UnnamedTool {
  return { name, kind: 'loop', ...form, ...DEFAULT_POLICY, effect: 'read', loop };
}
