/*
 * What the model reads about the tool that finds other tools.
 */

/** Groups that the description names. */
const MAX_GROUPS = 20;

export const SEARCH_QUERY = 'What the tool should do, in a few words, such as `rename a file`';

/** @param groups the servers of tools, with the number of their tools */
export function searchToolsDescription(count: number, groups: readonly { name: string; tools: number }[]): string {
  const named = groups.slice(0, MAX_GROUPS).map(({ name, tools }) => `${name} (${tools})`);
  const more = groups.length > MAX_GROUPS ? ', and others' : '';
  const servers = named.length === 0 ? '' : ` They come from: ${named.join(', ')}${more}.`;
  return (
    `Find more tools. You have ${count} tools, and see only those that you are likely to need.${servers} ` +
    'If none that you see fits, search here before you say that something is impossible. You can call what it finds.'
  );
}

/** The tools that a search has found, the best first. */
export function toolsFound(tools: readonly { modelName: string; description: string }[]): string {
  const lines = tools.map(({ modelName, description }) => `- ${modelName}: ${description}`);
  return `You can call these tools now:\n${lines.join('\n')}`;
}

/** No tool that is not offered matches the search. */
export function noToolFound(query: string): string {
  return `No further tool matches \`${query}\`. Try other words: what the tool does, and to what.`;
}

/** Everything is offered already. */
export function allToolsOffered(): string {
  return 'You see all tools already. Call one of them.';
}

/** The search has no text. */
export function searchIsEmpty(tool: string): string {
  return `\`${tool}\` needs a \`query\`: what the tool should do, in a few words.`;
}
