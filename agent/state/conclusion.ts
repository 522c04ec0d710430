/**
 * Why the model is asked to conclude, without tools: all tool interactions are used, the context window is almost full, or
 * a limit of the budget is reached.
 */
export type Conclusion = 'interactions' | 'window' | 'budget';
