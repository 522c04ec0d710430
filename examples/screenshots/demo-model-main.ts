import { type ModelServer, serveModel } from 'holdfast/testing';
import { decide } from './demo-model';

/** What temporal.yaml expects when DEMO_MODEL_URL says nothing else. */
const DEFAULT_PORT = 4010;

/**
 * Serves the demo model as an OpenAI-compatible server on 127.0.0.1.
 * @param options.port default: any free one
 * @param options.delay milliseconds before an answer begins; default DEMO_MODEL_DELAY, or 300 as with a quick hosted model
 */
export function serveDemoModel(options: { port?: number; delay?: number } = {}): Promise<ModelServer> {
  const { delay = Number(process.env.DEMO_MODEL_DELAY ?? 300), ...server } = options;
  // Text then comes in small pieces, so that one sees it stream.
  const pace = { delay, chunkSize: 12, chunkDelay: Math.min(12, delay) };
  return serveModel((request) => ({ ...decide(request), ...pace }), server);
}

if (require.main === module) {
  const port = Number(process.argv[2] ?? DEFAULT_PORT);
  serveDemoModel({ port }).then(
    ({ url }) => console.log(`Demo model at ${url}`),
    (error: Error) => {
      console.error(error.message);
      process.exitCode = 1;
    },
  );
}
