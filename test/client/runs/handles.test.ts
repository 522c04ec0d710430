import type { Client } from '@temporalio/client';
import { defineAgent } from 'holdfast';
import { AgentClient, ConversationHandle, type RunHandle } from 'holdfast/client';

const triage = defineAgent({ name: 'handles.triage', instructions: 'Sort mail.' });
const desk = defineAgent({ name: 'handles.desk', instructions: 'Help.', mode: 'conversation' });
// Handles are made without a call to the server.
const client = new AgentClient({} as Client);
const ofConversations = ['ask', 'outcome', 'answerTo', 'interrupt', 'regenerate', 'close'] as const;

it('gives a task none of the commands of conversations', () => {
  const run: RunHandle<string> = client.get(triage, 'mail-1');
  for (const command of ofConversations) expect(run).not.toHaveProperty(command);
  // @ts-expect-error a task is not asked
  expect(run.ask).toBeUndefined();
});

it('gives a conversation all of them', () => {
  const chat: ConversationHandle<string> = client.get(desk, 'ann-7');
  for (const command of ofConversations) expect(chat).toHaveProperty(command);
});

it('gives by name what the types say, since a client needs no code of the agent', () => {
  const chat: ConversationHandle<string> = client.get<typeof desk>('handles.desk', 'ann-7');
  expect(chat).toBeInstanceOf(ConversationHandle);
  const run = client.get<typeof triage>('handles.triage', 'mail-1');
  // @ts-expect-error a task is not closed
  expect(run.close).toBeInstanceOf(Function);
  // @ts-expect-error a run of an unknown agent may be a task
  expect(client.get('mail-1').interrupt).toBeInstanceOf(Function);
});

it('opens no task as a conversation', () => {
  // @ts-expect-error the agent is a task
  expect(() => client.conversation(triage, { id: 'mail-1' })).toThrow(
    expect.objectContaining({
      type: 'InvalidDefinition',
      message: expect.stringMatching(/`handles.triage` is a task: start it with `start`, or give it/),
    }),
  );
});

it.each(['nodots', ''])('refuses the agent name %p', (name) => {
  expect(() => client.get(name, 'mail-1')).toThrow(expect.objectContaining({ type: 'InvalidAgentName' }));
});
