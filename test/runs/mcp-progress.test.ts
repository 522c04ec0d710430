import { isDeepStrictEqual } from 'node:util';
import { defaultPayloadConverter } from '@temporalio/common';
import { defineAgent } from '../../agent/define/agent';
import type { StreamDelta } from '../../agent/protocol/stream';
import { text as content, listenMcp } from '../activities/mcp/http-server';
import { factsOf } from '../facts';
import { createAgentTestEnvironment } from '../kit/environment';
import { call, text } from '../kit/scripted-model';
import { until } from '../until';

test('the progress of an MCP tool is on the stream and in the pending activity, and the last one is kept with the result', async () => {
  let finish = () => {};
  const server = await listenMcp({
    async work({ progress }) {
      await progress({ progress: 1, total: 3, message: 'reading' });
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      return { content: [content('done')] };
    },
  });
  const agent = defineAgent({ name: 'test.progress', instructions: 'Work.', mcp: { far: { url: server.url } } });
  const env = await createAgentTestEnvironment({ agents: [agent], server: 'dev' });
  try {
    env.model.script(call('far_work', {}), text('all done'));
    const run = await env.start(agent, { id: 'progress', input: 'go' });
    const deltas: StreamDelta[] = [];
    env.bus.subscribe('progress', (delta) => void deltas.push(delta));
    await until(() => deltas.some(({ type }) => type === 'tool.progress'), 'the progress');
    expect(deltas.find(({ type }) => type === 'tool.progress')).toEqual({
      type: 'tool.progress',
      toolUseId: 't1.1',
      callId: 't1.1',
      progress: 1,
      total: 3,
      message: 'reading',
      id: 'progress',
      turn: 1,
      attempt: 1,
      seq: 0,
    });
    const details = async () => {
      const { raw } = await env.temporal.client.workflow.getHandle('progress').describe();
      const [payload] = raw.pendingActivities?.[0]?.heartbeatDetails?.payloads ?? [];
      return payload && defaultPayloadConverter.fromPayload(payload);
    };
    const said = { progress: 1, total: 3, message: 'reading' };
    await until(async () => isDeepStrictEqual(await details(), said), 'the progress in the heartbeat');
    // The next heartbeats, one a second, must not wipe them out.
    const heartbeat = async () => {
      const { raw } = await env.temporal.client.workflow.getHandle('progress').describe();
      return String(raw.pendingActivities?.[0]?.lastHeartbeatTime?.seconds);
    };
    const first = await heartbeat();
    await until(async () => Number(await heartbeat()) >= Number(first) + 3, 'three more heartbeats');
    expect(await details()).toEqual(said);
    finish();
    expect(await run.result()).toMatchObject({ data: 'all done' });
    const facts = await factsOf(run);
    expect(facts.find(({ type }) => type === 'tool.result')).toMatchObject({ progress: said });
    expect(facts.filter((fact) => 'progress' in fact)).toHaveLength(1);
    await env.replay(run);
  } finally {
    await env.close();
    await server.close();
  }
});
