import type { ToolChoice } from '../../../agent/model/settings';
import { toolChoiceFor } from '../../../agent/model/tool-choice';

const tools = [{ name: 'look.up', modelName: 'look_up' }];
const first = { concludes: false, uncalled: true, tools };
const tool = { tool: 'look.up' };

it.each<[string, ToolChoice | undefined, Partial<typeof first>, ToolChoice | undefined]>([
  ['nothing is chosen', undefined, {}, undefined],
  ['the model may choose', 'auto', { uncalled: false }, 'auto'],
  ['no tool may be called', 'none', {}, 'none'],
  ['a call is required', 'required', {}, 'required'],
  ['a call is required, after one', 'required', { uncalled: false }, undefined],
  ['a tool is required by our name of it', tool, {}, { tool: 'look_up' }],
  ['a tool is required, after a call', tool, { uncalled: false }, undefined],
  ['a tool is required that the agent does not have', { tool: 'other' }, {}, undefined],
  ['the model has to conclude', 'required', { concludes: true }, 'none'],
  ['there are no tools', 'required', { tools: [] }, undefined],
  ['there are no tools, and it has to conclude', undefined, { tools: [], concludes: true }, undefined],
])('%s', (_what, chosen, choosing, choice) => {
  expect(toolChoiceFor(chosen, { ...first, ...choosing })).toEqual(choice);
});
