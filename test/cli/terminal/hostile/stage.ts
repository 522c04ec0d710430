import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AgentTestEnvironment, calls, createAgentTestEnvironment, text } from 'holdfast/testing';
import { HOLDFAST } from '../../../sources';
import { until } from '../../../until';
import { holdfastAt, type Printed } from '../../at-terminal';
import { type Project, projectOf } from '../../project';
import { evil, task } from './agents';
import { EVIL, expectPlain, NAME } from './texts';

/** A server whose runs contain terminal control sequences, and the project of a user who views them. */
export class HostileStage {
  private constructor(
    readonly kit: AgentTestEnvironment,
    readonly project: Project,
  ) {}

  static async open(): Promise<HostileStage> {
    const kit = await createAgentTestEnvironment({ agents: [evil, task], server: 'dev' });
    const project = projectOf(
      kit,
      'agents: agents.ts',
      `models: {default: {baseUrl: '${kit.model.url}', model: scripted}}`,
      `mcp: {bad: {command: '${process.execPath}', args: ['-e', 'console.error(Buffer.from(process.argv[1], "base64").toString()); process.exit(3)', '${Buffer.from(NAME).toString('base64')}']}}`,
    );
    writeFileSync(
      join(project.dir, 'agents.ts'),
      `import { defineAgent } from ${JSON.stringify(HOLDFAST)};
export const bad = defineAgent({ name: 'evil.bad', description: ${JSON.stringify(NAME)}, instructions: 'x', mcp: { bad: 'bad' } });`,
    );
    return new HostileStage(kit, project);
  }

  /** The output of a command on a terminal. Its errors are plain. */
  async at(...args: string[]): Promise<Printed> {
    const [name = '', ...rest] = args;
    const printed = await holdfastAt('terminal', name, '--config', this.project.config, ...rest);
    expectPlain(printed.err);
    return printed;
  }

  /** Scripts an exchange in which everything that a model may write is hostile. */
  scriptTalk(): void {
    this.kit.model.script(
      { text: NAME, reasoning: NAME, calls: calls(['read', { path: NAME }], ['fail', {}]).calls ?? [] },
      text(NAME),
    );
  }

  /** A conversation in which every text that others may write is hostile. */
  async talked(id: string): Promise<void> {
    this.scriptTalk();
    const run = this.kit.client.conversation('evil.desk', { id, owner: NAME });
    await run.answerTo(await run.send(NAME, { by: NAME, id: 'm' }));
    await run.rename(NAME, { by: NAME });
  }

  /** A conversation that waits for a decision, a reply and a service. */
  async waiting(id: string, owner = NAME): Promise<void> {
    this.kit.model.script(
      calls(
        ['pay', { to: NAME }],
        ['ask_question', { question: NAME, suggestions: [NAME, 'no'] }],
        ['carrier', { parcel: NAME }],
      ),
      text(NAME),
      text(NAME),
    );
    const run = this.kit.client.conversation('evil.desk', { id, owner });
    await run.send(NAME, { by: NAME });
    await until(
      async () =>
        (await run.waiting()).approvals.length +
          (await run.waiting()).questions.length +
          (await run.waiting()).services.length ===
        3,
      'three waits',
    );
  }

  /** A configuration whose name and only section are hostile. */
  brokenConfig(): string {
    const broken = join(this.project.dir, `broken${EVIL.replaceAll('/', '')}.yaml`);
    writeFileSync(broken, `${JSON.stringify(NAME)}: 1\n`);
    return broken;
  }

  async close(): Promise<void> {
    await this.kit.close();
    this.project.remove();
  }
}
