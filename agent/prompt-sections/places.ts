import type { PromptSection } from '../define/settings/prompt-settings';

/** The default sections of the system prompt, in order. */
export const SYSTEM_SECTIONS = ['instructions', 'agentLoop', 'capabilities', 'skills', 'chainOfThought'] as const;

/** The places of the turn message, in order. The last one is the newest message itself. */
export const TURN_SECTIONS = ['toolSchemas', 'mcpSchemas', 'callingRules', 'planning', 'rag', 'userInput'] as const;

/** The sections of the turn message that tell of the tools. */
export const TOOL_SECTIONS: readonly string[] = ['toolSchemas', 'mcpSchemas', 'callingRules'];

/** The place of the newest message: new sections come before it. */
export const USER_INPUT = 'userInput';

type Sections<Args> = { readonly [name: string]: PromptSection<Args> };

/** Where a new section goes. */
export function placeOf(section: PromptSection<never>): { before?: string; after?: string } {
  return typeof section === 'object' && section !== null ? section : {};
}

/** The names of all sections, in the order in which they are sent. The definition has been checked. */
export function sectionOrder<Args>(defaults: readonly string[], sections: Sections<Args> = {}): string[] {
  const order = [...defaults];
  for (const [name, section] of Object.entries(sections)) {
    if (defaults.includes(name)) continue;
    const { before, after } = placeOf(section);
    order.splice(indexFor(order, { before, after }), 0, name);
  }
  return order;
}

function indexFor(
  order: readonly string[],
  { before, after }: { before?: string | undefined; after?: string | undefined },
): number {
  if (after !== undefined) return order.indexOf(after) + 1;
  const next = order.indexOf(before ?? USER_INPUT);
  return next < 0 ? order.length : next;
}
