import type { ToolChoice } from './settings';

/** What decides whether a call may, must or must not ask for tools. */
interface Choosing {
  /** The model must answer now. */
  concludes: boolean;
  /** The exchange has no call of a tool yet. */
  uncalled: boolean;
  /** The tools of the request, with their names for the model. */
  tools: readonly { name: string; modelName: string }[];
}

/** Whether a choice forces the model to call a tool. */
export function isForced(chosen: ToolChoice | undefined): boolean {
  return chosen === 'required' || typeof chosen === 'object';
}

/**
 * The tool choice of one call, with the model's name of a tool. A forced call is forced once in an exchange, since the
 * model could never answer otherwise. A tool that the agent does not have is not asked for.
 */
export function toolChoiceFor(
  chosen: ToolChoice | undefined,
  { concludes, uncalled, tools }: Choosing,
): ToolChoice | undefined {
  if (tools.length === 0) return undefined;
  if (concludes) return 'none';
  if (isForced(chosen) && !uncalled) return undefined;
  if (typeof chosen !== 'object') return chosen;
  const tool = tools.find(({ name }) => name === chosen.tool)?.modelName;
  return tool === undefined ? undefined : { tool };
}
