export { callMcpTool, type McpCallResult } from './call-tool';
export { McpConnections } from './connections';
export { discoverTools } from './discover';
