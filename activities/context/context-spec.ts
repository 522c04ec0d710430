import type { ContextSettings } from '../../agent/define/context-settings';
import { defined } from '../../agent/values/defined';
import type { ContextSpec } from '../../agent/window/context-spec';

/** How an agent uses the context window, as its runs pin it. */
export function contextSpec(context: ContextSettings | undefined): ContextSpec | undefined {
  if (context === undefined) return undefined;
  const { strategy = 'trim', reserve, ...rest } = context;
  return {
    ...defined(rest),
    strategy: typeof strategy === 'function' ? 'function' : strategy,
    ...(reserve === undefined ? {} : { reserve: defined(reserve) }),
  };
}
