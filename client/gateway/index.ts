/**
 * The HTTP server: runs for pages and programs that do not know Temporal.
 * @module holdfast/server
 */

export { type GatewayConfig, gatewayOf } from '../../runtime/config/gateway';
export { newKey } from './auth/api-keys';
export { createGateway, type Gateway, type GatewayOptions } from './gateway';
export { isLoopback } from './guard/origins';
export { type ServedGateway, type ServeOptions, serveGateway } from './serve';
