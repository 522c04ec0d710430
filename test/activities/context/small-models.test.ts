import { type AgentDefinition, defineAgent } from 'holdfast';
import { makeManifest } from '../../../activities/context/make-manifest';
import { ENGLISH_TABLES } from '../../../agent/analysis/tables';

const pinned = (more: object) =>
  makeManifest(defineAgent({ name: 'a.b', ...more } as AgentDefinition).definition, [], { searchAttributes: false });

it('every agent pins the breaker of identical failures, and only that', () => {
  const { breakers, analysis, nameRepair, limits } = pinned({});
  expect(breakers).toEqual({ identicalFailures: 5, repeatedCalls: 'run', emptyAnswers: 'reject' });
  expect([analysis, nameRepair]).toEqual([undefined, undefined]);
  expect(limits.maxResultChars).toBe(30_000);
});

it('small models switch on all of them', () => {
  expect(pinned({ modelClass: 'small' })).toMatchObject({
    breakers: {
      ...{ identicalFailures: 5, repeatedCalls: 'skip', toolFailures: 3, failedRounds: 2, emptyAnswers: 'nudge' },
    },
    analysis: { tables: ENGLISH_TABLES },
    nameRepair: {},
    limits: { maxResultChars: 6000 },
  });
});

it('an agent sets each of them by name', () => {
  const off = { breakers: { toolFailures: false, failedRounds: false, repeatedCalls: 'run', emptyAnswers: 'reject' } };
  const manifest = pinned({
    ...{ modelClass: 'small', ...off, responseAnalysis: false, repairNames: false },
    limits: { maxResultChars: 9 },
  });
  expect(manifest.breakers).toEqual({ identicalFailures: 5, repeatedCalls: 'run', emptyAnswers: 'reject' });
  for (const field of ['analysis', 'nameRepair']) expect(manifest).not.toHaveProperty(field);
  expect(manifest.limits.maxResultChars).toBe(9);
  const on = pinned({
    ...{ breakers: { toolFailures: 2 }, responseAnalysis: true, repairNames: { aliases: { ls: 'web.list' } } },
    mcp: { web: 'web' },
  });
  expect(on).toMatchObject({ breakers: { toolFailures: 2 }, nameRepair: { aliases: { ls: 'web.list' } } });
  expect(on.analysis).toEqual({ tables: ENGLISH_TABLES });
});
