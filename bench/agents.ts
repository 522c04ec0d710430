import { defineAgent } from '../agent/define-agent';
import { defineTool } from '../agent/define-tool';
import { INSTRUCTIONS, TOOL, work, workInput } from './work';

/** Above every figure's number of turns. */
const limits = { maxToolInteractions: 20_000 };

const definition = {
  description: TOOL.description,
  input: TOOL.input,
  effect: 'read',
  run: ({ text }: { text: string }) => work(text),
} as const;

/** The work, with its tool as an activity. */
export const loop = defineAgent({
  name: 'bench.loop',
  instructions: INSTRUCTIONS,
  input: workInput,
  tools: { [TOOL.name]: defineTool(definition) },
  limits,
});

/** The same with an inline tool. */
export const inline = defineAgent({
  name: 'bench.inline',
  instructions: INSTRUCTIONS,
  input: workInput,
  tools: { [TOOL.name]: defineTool({ ...definition, placement: 'inline' }) },
  limits,
});
