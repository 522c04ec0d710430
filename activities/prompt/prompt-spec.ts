import type { AgentDefinition } from '../../agent/define/agent-definition';
import type { PromptSection, TurnSectionArgs } from '../../agent/define/settings/prompt-settings';
import { sectionOrder, TOOL_SECTIONS, TURN_SECTIONS, USER_INPUT } from '../../agent/prompt-sections/places';
import type { PromptSpec, SectionSpec } from '../../agent/protocol/prompt-spec';
import { milliseconds } from '../../agent/values/duration';

/** Milliseconds: a search in an index takes far less, and the person waits. */
const TIMEOUT = 10_000;
/** Characters, about 5,000 tokens: more would push the conversation out of the window of many models. */
const MAX_CHARS = 20_000;

/**
 * The turn message of an agent, as its runs pin it; `undefined` if it has no sections. Where calls are text, its sections
 * alone tell of the tools.
 */
export function promptSpec({
  prompt,
  toolCalls,
}: Pick<AgentDefinition, 'prompt' | 'toolCalls'>): PromptSpec | undefined {
  const { turn: given = {}, timeout, maxChars = MAX_CHARS } = prompt ?? {};
  const tellsTools = prompt !== undefined && toolCalls === 'text';
  const turn = tellsTools
    ? { ...Object.fromEntries(TOOL_SECTIONS.map((name) => [name, true as const])), ...given }
    : given;
  const order = sectionOrder(TURN_SECTIONS, turn);
  const input = order.indexOf(USER_INPUT);
  const sections = order.flatMap((name, at): SectionSpec[] => {
    const spec = sectionSpec(name, turn[name]);
    return spec === undefined ? [] : [at > input ? { ...spec, after: true } : spec];
  });
  if (sections.length === 0 && !tellsTools) return undefined;
  return { sections, timeout: milliseconds(timeout) ?? TIMEOUT, maxChars };
}

function sectionSpec(name: string, section: PromptSection<TurnSectionArgs> | undefined): SectionSpec | undefined {
  if (section === undefined || section === null) return undefined;
  if (section === true) return { name, from: 'default' };
  const text = typeof section === 'object' ? section.text : section;
  return typeof text === 'string' ? { name, from: 'text', text } : { name, from: 'function' };
}
