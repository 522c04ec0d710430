import { type ModelServer, serveModel } from 'holdfast/testing';
import { decide } from './demo-model';
import { refillWorkFolder } from './folder';

/** The port that temporal.yaml uses without DEMO_MODEL_URL. */
const DEFAULT_PORT = 4010;

/**
 * Serves the demo model as an OpenAI-compatible server on 127.0.0.1.
 * @param options.port default: any free port
 * @param options.delay milliseconds before an answer begins. Default: DEMO_MODEL_DELAY, or 300, as of a quick hosted
 * model
 */
export function serveDemoModel(options: { port?: number; delay?: number } = {}): Promise<ModelServer> {
  const { delay = Number(process.env.DEMO_MODEL_DELAY ?? 300), ...server } = options;
  // Text then comes in small pieces, so that the streaming is visible.
  const pace = { delay, chunkSize: 12, chunkDelay: Math.min(12, delay) };
  return serveModel((request) => ({ ...decide(request), ...pace }), server);
}

if (require.main === module) {
  const port = Number(process.argv[2] ?? DEFAULT_PORT);
  serveDemoModel({ port })
    .then(async ({ url }) => {
      const input = JSON.stringify({ folder: await refillWorkFolder() });
      console.log(`Demo model at ${url}. With \`npx holdfast dev\` in another terminal, start a run in a third:`);
      console.log(`npx holdfast run desktop.screenshots '${input}'`);
    })
    .catch((error: Error) => {
      console.error(error.message);
      process.exit(1);
    });
}
