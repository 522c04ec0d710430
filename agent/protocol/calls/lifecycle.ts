/** Why the model or a builder is called. */
export type Lifecycle = 'init' | 'message' | 'tool_result' | 'output_error_feedback';
