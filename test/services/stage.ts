import { defineContract, type HoldfastError, type ServiceEvent } from 'holdfast';
import type { RunHandle } from 'holdfast/client';
import type { AgentTestEnvironment } from 'holdfast/testing';
import { z } from 'zod';
import { factProblems, transcriptProblems } from '../durability/stage/check-transcript';
import { factsOf } from '../facts';

/** The input and the answers of the services of these tests. */
export const stock = defineContract({
  type: 'stock.check',
  description: 'How many are left',
  versions: {
    '1.0.0': {
      accepts: z.object({ sku: z.string(), parentSubject$$: z.string().nullable() }),
      emits: { 'evt.stock.check.success': z.looseObject({ left: z.number() }) },
    },
  },
});

/** The same without a field for the caller. */
export const plain = defineContract({
  type: 'stock.plain',
  description: 'How many are left',
  versions: {
    '1.0.0': {
      accepts: z.object({ sku: z.string() }),
      emits: { 'evt.stock.plain.success': z.looseObject({ left: z.number() }) },
    },
  },
});

/** The result of each call, as the model was told: a text, or the type of the error and its text. */
export async function outcomes(run: RunHandle<unknown>): Promise<{ [toolUseId: string]: string }> {
  const told: { [toolUseId: string]: string } = {};
  for await (const fact of run.facts()) {
    if (fact.type === 'tool.result') {
      told[fact.toolUseId] = fact.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
    }
    if (fact.type === 'tool.error') told[fact.toolUseId] = `${fact.error.type}: ${fact.error.message}`;
  }
  return told;
}

/** Waits for the end of a run: its data, or the type of the error that it ended with. */
export function endOf(run: RunHandle<unknown>): Promise<unknown> {
  return run.result().then(
    ({ data }) => data,
    (error: HoldfastError) => error.type,
  );
}

/** Checks that an ended run has a whole transcript, the same by its facts, and decides alike in a replay. */
export async function expectWhole(kit: AgentTestEnvironment, run: RunHandle<unknown>): Promise<void> {
  const messages = await run.transcript();
  const facts = await factsOf(run);
  expect(transcriptProblems(messages)).toEqual([]);
  expect(factProblems(facts, messages)).toEqual([]);
  await kit.replay(run);
}

/** The event with which a service answers another one. */
export function answerTo(event: ServiceEvent, more: Partial<ServiceEvent> = {}): ServiceEvent {
  return {
    specversion: '1.0',
    id: `${event.id}/answer`,
    source: 'stock',
    subject: event.subject,
    type: event.type.replace('com.', 'evt.').concat('.success'),
    time: '2026-01-01T00:00:00Z',
    datacontenttype: 'application/json',
    parentid: event.id,
    data: { left: 3 },
    ...more,
  };
}
