import type { ConversationHandle, RunHandle } from 'holdfast/client';
import type { Fact } from '../../../agent/protocol/facts/fact';
import { factsOf } from '../../facts';
import { saidTexts, talkProblems } from '../check-talk';
import { Decider, type Told } from '../decider';
import { brief, built, chat, falls, shut, task } from './agents';

/** A worker that can stop deciding while messages arrive, for the tests of one `describe`. */
function raceStage(server: 'time-skipping' | 'dev', cache: number) {
  let decider: Decider;
  beforeAll(async () => {
    decider = await Decider.open({ agents: [chat, brief, task, falls, built], server }, cache);
  });
  afterAll(() => decider.close());
  beforeEach(shut);
  afterEach(() => decider.kit.model.reset());

  /** Checks that an ended run is whole, on another worker as well, and holds exactly these texts from people. */
  async function whole(run: RunHandle<unknown>, texts: string[]): Promise<Fact[]> {
    await run.result().catch(() => undefined);
    const facts = await factsOf(run);
    const messages = await run.transcript();
    expect(talkProblems(facts, messages)).toEqual([]);
    expect(saidTexts(messages)).toEqual(texts);
    await decider.kit.replay(run);
    await decider.stop();
    await decider.start();
    expect(await factsOf(run)).toEqual(facts);
    return facts;
  }

  return {
    get decider() {
      return decider;
    },
    get model() {
      return decider.kit.model;
    },
    open: (agent: typeof chat): Promise<ConversationHandle<unknown>> => decider.kit.start(agent, { input: null }),
    whole,
  };
}

/** The texts of the messages that were taken. */
export const takenOf = (told: Told[], texts: string[]) => texts.filter((_, i) => 'taken' in (told[i] as Told));

/** Declares tests without a workflow cache on the server that skips time, and with a cache on the real one. */
export function onEachServer(tests: (stage: ReturnType<typeof raceStage>, server: 'time-skipping' | 'dev') => void) {
  describe.each([
    ['time-skipping', 0],
    ['dev', 100],
  ] as const)('on the %s server, with %d runs in memory', (server, cache) => tests(raceStage(server, cache), server));
}
