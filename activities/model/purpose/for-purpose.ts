import type { Message } from '../../../agent/model/message';
import {
  answerFromResults,
  answerNow,
  doStep,
  pickTool,
  planNow,
  planTask,
  type ToolLine,
  withInstructions,
} from '../../../agent/prompts/plans';
import type { CallModelInput } from '../../../agent/protocol/calls/model-call';
import type { Manifest, RunContext, ToolSpec } from '../../../agent/protocol/manifest';
import type { CallPurpose } from '../../../agent/strategy/call-purpose';
import { callsAsText } from '../../../agent/strategy/calls-as-text';
import { withOfferedTools } from '../../../agent/strategy/offered-tools';
import { MAX_STEPS } from '../../../agent/strategy/step-plan';
import { mayBeStep, serverOf } from '../../../agent/strategy/tools-for-step';
import { defined } from '../../../agent/values/defined';
import { remembered } from '../../../agent/values/remembered';
import { shorten } from '../../../agent/values/shorten';

/** What a call is made from. */
interface Asked {
  manifest: Manifest;
  context: RunContext;
  messages: Message[];
}

/** The tokens of its tools are counted once for each manifest object. */
const withOffered = remembered((manifest: Manifest): Manifest => withOfferedTools(manifest));

/**
 * What a call for a purpose sends: other instructions and fewer tools, and as the last message what it has to do. That
 * message is part of no transcript. A turn of the single loop sends what it always sends.
 */
export function forPurpose<Call extends Asked>(
  call: Call,
  { purpose, turn }: Pick<CallModelInput, 'purpose' | 'turn'>,
): Call {
  const known = withOffered(call.manifest);
  if (purpose === undefined) return known === call.manifest ? call : { ...call, manifest: known };
  const { instructions, request, tools, keepsOutput } = wayOf(purpose, known.tools);
  // Its own instructions take the place of the turn message.
  const { output, prompt: _, ...manifest } = known;
  const last: Message = { role: 'user', parts: [{ type: 'text', text: request }], turn: turn - 1 };
  return {
    ...call,
    manifest: { ...manifest, tools, ...(keepsOutput ? defined({ output }) : {}) },
    context: { ...call.context, system: withInstructions(call.context.system, instructions) },
    messages: [...(tools.length === 0 ? callsAsText(call.messages) : call.messages), last],
  };
}

interface Way {
  instructions: string;
  request: string;
  tools: ToolSpec[];
  /** The answer is the output of the run. */
  keepsOutput?: true;
}

function wayOf(purpose: CallPurpose, tools: readonly ToolSpec[]): Way {
  switch (purpose.for) {
    case 'planner':
      return {
        instructions: planTask(tools.filter(mayBeStep).map(toolLine), MAX_STEPS),
        request: planNow(),
        tools: [],
      };
    case 'router': {
      const { step, of, problem } = purpose;
      const named = purpose.tools.flatMap((name) => tools.find((tool) => tool.name === name) ?? []);
      return { instructions: pickTool(), request: doStep({ ...step, of }, problem), tools: named };
    }
    case 'synthesis':
      return {
        instructions: answerFromResults(),
        request: answerNow(purpose.failed ?? []),
        tools: [],
        keepsOutput: true,
      };
  }
}

/** Characters of a description: a planner needs to know what a tool is for, not how it is called. */
const MAX_DESCRIPTION = 200;

function toolLine(tool: ToolSpec): ToolLine {
  return {
    name: tool.name,
    ...defined({ server: serverOf(tool) }),
    description: shorten(tool.description, MAX_DESCRIPTION),
  };
}
