import { defineAgent } from 'holdfast';
import { call, text } from 'holdfast/testing';
import { fixture } from '../activities/mcp/servers';
import { TracedStage } from '../telemetry/traced-stage';

test('each call of a tool that asked has a separate span below the turn', async () => {
  const desk = defineAgent({ name: 'test.desk', mcp: { ops: fixture('asking-server.mjs') } });
  const stage = await TracedStage.open([desk]);
  try {
    await stage.worker();
    const { kit } = stage;
    kit.model.script(call('ops_dies', {}), text('done'));
    const run = await kit.start(desk, { input: 'go' });
    await run.waiting({ atLeast: { questions: 1 } });
    await run.answer('t1.1', true);
    await run.result();
    const spans = (await stage.spans()).filter(({ name }) => name === 'execute_tool ops.dies');
    expect(spans).toHaveLength(2);
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(2);
    expect(new Set(spans.map(({ parentSpanId }) => parentSpanId)).size).toBe(1);
  } finally {
    await stage.close();
  }
});
