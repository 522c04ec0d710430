import { FILES } from './files';
import { MCP_HTTP } from './mcp-http';
import { MCP_STDIO } from './mcp-stdio';
import { MODEL_JSON } from './model-json';
import { MODEL_STREAM } from './model-stream';
import { SCHEMAS } from './schemas';
import { SIGNALS } from './signals';
import { TERMINAL } from './terminal';

/** Every input that reaches a worker, or a terminal, from an untrusted source. */
export const SURFACES = {
  stream: MODEL_STREAM,
  json: MODEL_JSON,
  stdio: MCP_STDIO,
  http: MCP_HTTP,
  schema: SCHEMAS,
  signal: SIGNALS,
  file: FILES,
  terminal: TERMINAL,
} as const;

export type SurfaceName = keyof typeof SURFACES;
