import type { BreakerStop } from './breaker-state';

/**
 * Why the model is asked to conclude, without tools: all tool interactions are used, the context window is almost full,
 * a limit of the budget is reached, the model repeats a call, or it answers nothing.
 */
export type Conclusion = 'interactions' | 'window' | 'budget' | BreakerStop;
