export { callMcpTool, type McpCallContext, type McpCallResult } from './call-tool';
export { McpConnections } from './connections';
export { discoverTools } from './discover';
export type { McpProgress } from './open-server';
