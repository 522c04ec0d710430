import type { LoopSpec, ToolSpec } from '../../../agent/protocol/manifest';
import { defined } from '../../../agent/values/defined';
import { spoken, table } from '../table';

/** A tool of the loop itself. No worker runs it: it waits for a person, or ends the loop. */
export interface LoopToolView extends Pick<LoopSpec, 'does' | 'expires' | 'onExpire'> {
  name: string;
  /** What the model calls it. */
  modelName: string;
}

/** The tools of the loop of a manifest. */
export function loopToolViews(tools: readonly ToolSpec[]): LoopToolView[] {
  return tools.flatMap((tool) => {
    if (tool.kind !== 'loop') return [];
    const { name, modelName } = tool;
    const { does, expires, onExpire } = tool.loop;
    return [{ name, modelName, does, ...defined({ expires, onExpire }) }];
  });
}

const HEADER = ['of the loop', 'what it does', 'how long it waits'];

const DOES = {
  ask: 'asks a person',
  converse: 'says something to the person, who replies',
  complete: 'gives the answer',
  plan: 'shows the plan to a person',
} as const;

/** A table for people. */
export function loopToolLines(views: readonly LoopToolView[]): string[] {
  return table(
    HEADER,
    views.map((view) => [view.name, DOES[view.does], waitText(view)]),
  );
}

function waitText({ does, expires, onExpire }: LoopToolView): string {
  // The approval of a plan says how long it waits.
  if (does === 'complete' || does === 'plan') return '';
  if (expires === undefined) return 'until it is answered';
  return `${spoken(expires)}, else ${onExpire === 'fail' ? 'the run fails' : 'the model is told'}`;
}
