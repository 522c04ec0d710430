import { parentPort } from 'node:worker_threads';
import type { Json, JsonObject } from '../../agent/values/json';
import { schemaProblem } from './check';
import type { ThreadJob, ThreadSays } from './job-thread';
import { JOBS } from './jobs';

/** The thread for {@link JOBS} that may take long. */
const say = (said: ThreadSays) => parentPort?.postMessage(said);

parentPort?.on('message', ({ name, schema, value }: ThreadJob) => {
  // The job itself compiles all patterns.
  if (name !== 'usable') schemaProblem(schema);
  say({ says: 'compiled' });
  const result = (JOBS[name] as (schema: JsonObject, value: Json) => unknown)(schema, value);
  // An unchanged value is not sent back, and stays the identical value.
  const same = typeof result === 'object' && result !== null && 'value' in result && result.value === value;
  say({ says: 'done', result: same ? { ...result, value: undefined } : result, same });
});
say({ says: 'ready' });
