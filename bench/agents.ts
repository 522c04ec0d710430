import { defineContract } from '../agent/contracts/contract';
import { defineAgent } from '../agent/define/agent';
import { childWorkflow } from '../agent/define/service';
import { defineTool } from '../agent/define/tool';
import { BARE_QUEUE } from './bare/queue';
import { INSTRUCTIONS, TOOL, WINDOWED, work, workInput } from './work';

/** Higher than any figure's number of turns. */
const limits = { maxToolInteractions: 20_000 };

const definition = {
  description: TOOL.description,
  inputSchema: TOOL.input,
  effect: 'read',
  execute: ({ text }: { text: string }) => work(text),
} as const;

/** The work, with its tool as an activity. */
export const loop = defineAgent({
  name: 'bench.loop',
  instructions: INSTRUCTIONS,
  inputSchema: workInput,
  tools: { [TOOL.name]: defineTool(definition) },
  limits,
});

/** The same as a conversation whose first message is the work. */
export const talking = defineAgent({
  name: 'bench.talking',
  mode: 'conversation',
  instructions: INSTRUCTIONS,
  inputSchema: workInput,
});

/** The work as the first message of a conversation, which then waits. */
export const following = defineAgent({
  name: 'bench.following',
  mode: 'conversation',
  instructions: INSTRUCTIONS,
  inputSchema: workInput,
  tools: { [TOOL.name]: defineTool(definition) },
  limits,
});

/** The work with a window of 8,000 tokens, so that a run of any length sends the same. */
export const long = defineAgent({
  name: 'bench.long',
  instructions: INSTRUCTIONS,
  model: WINDOWED,
  inputSchema: workInput,
  tools: { [TOOL.name]: defineTool(definition) },
  limits,
});

/** The same with an inline tool. */
export const inline = defineAgent({
  name: 'bench.inline',
  instructions: INSTRUCTIONS,
  inputSchema: workInput,
  tools: { [TOOL.name]: defineTool({ ...definition, placement: 'inline' }) },
  limits,
});

const piece = defineContract({
  type: 'bench.piece',
  description: TOOL.description,
  versions: { '1.0.0': { accepts: TOOL.input, emits: { 'evt.bench.piece.success': TOOL.input } } },
});

/** The same as child workflows of the bare worker. */
export const services = defineAgent({
  name: 'bench.services',
  instructions: INSTRUCTIONS,
  inputSchema: workInput,
  services: { [TOOL.name]: childWorkflow(piece, '1.0.0', { workflow: 'bareChild', taskQueue: BARE_QUEUE }) },
});

/** The same with a tool that waits for a person. */
export const waiting = defineAgent({
  name: 'bench.waiting',
  instructions: INSTRUCTIONS,
  inputSchema: workInput,
  tools: { [TOOL.name]: defineTool({ ...definition, approval: 'always' }) },
});
