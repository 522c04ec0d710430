import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LEASES } from '../../agent/protocol/entities/leases';
import type { JsonObject } from '../../agent/values/json';
import { SILENT_LOG } from '../../runtime/log';
import { installTemporalRuntime } from '../../runtime/temporal/log';
import { Replayer } from '../../workers/replay/replayer';
import { historyFromJson } from '../replay/fixtures';

let replayer: Replayer;
beforeAll(() => {
  installTemporalRuntime({ log: SILENT_LOG });
  replayer = new Replayer();
});
afterAll(() => replayer.close());

// A workflow that is in use when workers are replaced: all calls would wait until an operator ends it.
test('a history of before turns were shared, in which tasks that have waited for long go before a person, is replayed as it went', async () => {
  const json = readFileSync(join(__dirname, 'recorded', 'turns-by-age.json'), 'utf8');
  const history = historyFromJson(JSON.parse(json) as { events: JsonObject[] });
  await replayer.replay({ workflowId: LEASES.idOf('recorded'), history });
});
