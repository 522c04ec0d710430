import type { ToolSpec } from '../../protocol/manifest';
import type { NameRepair, RepairNames } from './name-repair';
import { editDistance } from './name-table';

type Named = Pick<ToolSpec, 'name' | 'modelName' | 'effect' | 'approval' | 'kind'>;

/** Prefixes that models put before any name. They name no server. */
const PREFIXES = /^(?:functions?|tools?|default_api|local)[.:/]+/i;
/** Characters of a name that are compared. Servers allow 64. */
const MAX_NAME = 100;

/**
 * The tool that a name was meant for: an exact name first, then the name without or with its prefix, an alias, a similar
 * name. Where two tools come into question, none is taken.
 * - `unprefixed`: nothing differs but case, separators and the server. A prefix of another server is never removed:
 *   `github_delete_file` is not `files_delete_file`.
 * - `similar`: letters differ. Only for tools that change nothing and need no approval: the call may be a mistake.
 */
export function repairName<Tool extends Named>(
  name: string,
  tools: readonly Tool[],
  { aliases = {} }: RepairNames,
): { tool: Tool; repair?: NameRepair } | undefined {
  const exact = tools.find(({ modelName }) => modelName === name);
  if (exact !== undefined) return { tool: exact };
  if (name.length > MAX_NAME) return undefined;
  const found = (tool: Tool | undefined, how: NameRepair['how']) => tool && { tool, repair: { from: name, how } };
  const bare = name.trim().replace(PREFIXES, '');
  return (
    // The whole name first: a server may be called `tools`.
    found(unprefixed(name, tools) ?? unprefixed(bare, tools), 'unprefixed') ??
    found(aliased(name, tools, aliases) ?? aliased(bare, tools, aliases), 'alias') ??
    found(similar(bare, tools), 'similar')
  );
}

function unprefixed<Tool extends Named>(name: string, tools: readonly Tool[]): Tool | undefined {
  const asked = letters(name);
  if (asked === '') return undefined;
  const whole = tools.filter((tool) => letters(tool.modelName) === asked || letters(tool.name) === asked);
  // A tool's whole name comes before the end of another one's name.
  return only(whole.length > 0 ? whole : tools.filter((tool) => letters(ownName(tool)) === asked));
}

/** The name on its server. */
function ownName({ kind, name }: Named): string {
  return kind === 'mcp' ? name.slice(name.indexOf('.') + 1) : name;
}

function letters(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

function aliased<Tool extends Named>(
  name: string,
  tools: readonly Tool[],
  aliases: NonNullable<RepairNames['aliases']>,
): Tool | undefined {
  const target = Object.hasOwn(aliases, name) ? aliases[name] : undefined;
  return tools.find((tool) => tool.name === target);
}

/** The share of a name that may differ: one letter in five, at most two. */
const SHARE = 5;
const MOST = 2;

function similar<Tool extends Named>(name: string, tools: readonly Tool[]): Tool | undefined {
  const asked = letters(name);
  const most = Math.min(MOST, Math.floor(asked.length / SHARE));
  if (most === 0) return undefined;
  // Tools with an effect are compared too: they make a name ambiguous.
  const near = only(tools.filter((tool) => isNear(tool, asked, most)));
  return near?.effect === 'read' && near.approval === undefined && near.kind !== 'loop' ? near : undefined;
}

function isNear(tool: Named, asked: string, most: number): boolean {
  return [tool.modelName, ownName(tool)].some((name) => editDistance(letters(name), asked) <= most);
}

function only<T>(found: readonly T[]): T | undefined {
  return found.length === 1 ? found[0] : undefined;
}
