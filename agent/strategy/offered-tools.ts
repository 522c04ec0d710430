import type { Manifest, ToolSpec } from '../protocol/manifest';

/** Name of the call that shows a plan to a person before it runs. No model is offered this tool. */
export const FOLLOW_PLAN_TOOL = 'follow_plan';

type Strategic = Pick<Manifest, 'tools' | 'strategy'>;

/** The call with which an agent shows its plans; `undefined` where they need no approval. */
export function planTool({ tools, strategy }: Strategic): ToolSpec | undefined {
  return strategy === undefined ? undefined : tools.find(isPlanTool);
}

function isPlanTool(tool: ToolSpec): boolean {
  return tool.kind === 'loop' && tool.loop.does === 'plan';
}

/** The manifest with the tools that models are offered: the same object where that is all of them. */
export function withOfferedTools<M extends Strategic>(manifest: M): M {
  if (planTool(manifest) === undefined) return manifest;
  return { ...manifest, tools: manifest.tools.filter((tool) => !isPlanTool(tool)) };
}
