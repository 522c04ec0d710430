export { callMcpTool, type McpCallContext, type McpCallResult } from './call-tool';
export { McpConnections, type McpConnectionsOptions } from './connections';
export { discoverTools, type McpToolSpec } from './discover';
