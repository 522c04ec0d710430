import type { ToolSpec } from '../protocol/manifest';
import { SEARCH_TOOLS } from '../tool-filter/tool-filter';
import type { PlanStep } from './step-plan';

/** Tools that a router may choose from by default: the number that small models choose from well (source: 15). */
export const STEP_TOOLS = 15;

/** What is read of a step. */
type Described = Pick<PlanStep, 'description' | 'server' | 'hints'>;

/**
 * The tools that a router chooses from for a step: those of the step's server first, then those whose names and
 * descriptions share the most words with the step. Tools that end the loop, and the plan itself, are none of them.
 */
export function toolsForStep(step: Described, tools: readonly ToolSpec[], most = STEP_TOOLS): ToolSpec[] {
  const words = wordsOf(`${step.description} ${step.hints ?? ''}`);
  const ranked = tools.filter(mayBeStep).map((tool, place) => ({ tool, place, score: scoreOf(tool, step, words) }));
  ranked.sort((a, b) => b.score - a.score || a.place - b.place);
  return ranked.slice(0, most).map(({ tool }) => tool);
}

/** Whether a step of a plan may be a call of a tool. */
export function mayBeStep(tool: ToolSpec): boolean {
  return tool.name !== SEARCH_TOOLS && (tool.kind !== 'loop' || tool.loop.does === 'ask');
}

/** More than all the words of a description together. */
const OF_SERVER = 10_000;
/** A word of the name says more than one of the description. */
const IN_NAME = 3;

function scoreOf(tool: ToolSpec, { server }: Described, words: ReadonlySet<string>): number {
  const isOfServer = server !== undefined && (serverOf(tool) === server || tool.name === server);
  const shared = (text: string) => [...wordsOf(text)].filter((word) => words.has(word)).length;
  return (isOfServer ? OF_SERVER : 0) + IN_NAME * shared(tool.name) + shared(tool.description);
}

/** The MCP server of a tool; without one, the tools are those of the agent itself. */
export function serverOf(tool: ToolSpec): string | undefined {
  return tool.kind === 'mcp' ? tool.mcp.server : undefined;
}

/** Words of three letters or more, without their plural: shorter ones say nothing about what a tool does. */
function wordsOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];
  return new Set(words.map((word) => (word.length > 4 && word.endsWith('s') ? word.slice(0, -1) : word)));
}
