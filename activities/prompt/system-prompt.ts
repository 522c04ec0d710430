import type { AgentDefinition } from '../../agent/define/agent-definition';
import type { SystemSectionArgs } from '../../agent/define/settings/prompt-settings';
import { systemText } from '../../agent/prompt-sections/default-texts';
import { SYSTEM_SECTIONS, sectionOrder } from '../../agent/prompt-sections/places';
import type { Manifest } from '../../agent/protocol/manifest';

interface SystemPromptArgs {
  agent: AgentDefinition;
  manifest: Manifest;
  /** The instructions of the agent, or what its contextBuilder returned. */
  instructions: string | undefined;
  /** What the functions of sections are given. */
  args: SystemSectionArgs;
  /** Calls a function of a section. */
  call<T>(name: string, work: () => T | Promise<T>): Promise<T>;
}

/**
 * The system prompt of a run: the sections of the agent's `prompt` in order. Without `prompt` it is the instructions, and
 * the list of skills if the agent has any.
 * @throws Error if a section is not a text, and what the functions throw
 */
export async function systemPrompt(given: SystemPromptArgs): Promise<string | undefined> {
  const { agent, manifest, instructions } = given;
  if (agent.prompt === undefined && manifest.skills === undefined) return instructions;
  const order = sectionOrder(SYSTEM_SECTIONS, agent.prompt?.system);
  const texts = await Promise.all(order.map((name) => sectionText(name, given)));
  const shown = texts.filter((text) => text !== undefined && text.trim() !== '');
  return shown.length === 0 ? undefined : shown.join('\n\n');
}

/** Whether functions of the agent make sections of its system prompt. */
export function hasSystemFunctions(prompt: AgentDefinition['prompt']): boolean {
  return Object.values(prompt?.system ?? {}).some(
    (section) => typeof (typeof section === 'object' ? section?.text : section) === 'function',
  );
}

async function sectionText(
  name: string,
  { agent, manifest, instructions, args, call }: SystemPromptArgs,
): Promise<string | undefined> {
  const section = agent.prompt?.system?.[name];
  if (section === null) return undefined;
  if (section === undefined || section === true) {
    const known = SYSTEM_SECTIONS.find((one) => one === name);
    if (known === undefined || known === 'instructions') return instructions;
    return agent.prompt === undefined && known !== 'skills' ? undefined : systemText(known, manifest);
  }
  const text = typeof section === 'object' ? section.text : section;
  if (typeof text === 'string') return text;
  const made: unknown = await call(`prompt.system.${name}`, () => text(args));
  if (made === undefined || typeof made === 'string') return made;
  throw new Error(
    `The section \`${name}\` of \`prompt.system\` returned no text. Return a string, or undefined to leave it out`,
  );
}
