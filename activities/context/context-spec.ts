import type { ContextSettings } from '../../agent/define/settings/context-settings';
import { defined } from '../../agent/values/defined';
import type { ContextSpec } from '../../agent/window/context-spec';

/**
 * How an agent uses the context window, as its runs pin it.
 * @param summary alias of the model that writes summaries
 */
export function contextSpec(
  context: ContextSettings | undefined,
  summary: string | undefined = context?.model,
): ContextSpec | undefined {
  if (context === undefined && summary === undefined) return undefined;
  const { strategy = 'trim', reserve, ...rest } = context ?? {};
  return {
    ...defined({ ...rest, model: summary }),
    strategy: typeof strategy === 'function' ? 'function' : strategy,
    ...(reserve === undefined ? {} : { reserve: defined(reserve) }),
  };
}
