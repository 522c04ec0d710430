import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  ListObjectsV2Command,
  S3Client,
} from '@aws-sdk/client-s3';
import { freePort } from '../../runtime/process/ports';
import { ROOT } from '../sources';
import { until } from '../until';

/** Where pip puts it once for all tests. */
const CACHE = join(ROOT, 'node_modules/.cache/moto-5.2');

/** A server that speaks S3, in a process of its own. It keeps its objects in memory. */
export class Moto {
  #process: ChildProcess | undefined;

  private constructor(readonly port: number) {}

  static async start(): Promise<Moto> {
    // The AWS SDK takes its keys from there. The server accepts any.
    process.env.AWS_ACCESS_KEY_ID ??= 'test';
    process.env.AWS_SECRET_ACCESS_KEY ??= 'test';
    if (!existsSync(join(CACHE, 'moto'))) {
      await promisify(execFile)('python3', [
        '-m',
        'pip',
        'install',
        '--quiet',
        '--target',
        CACHE,
        'moto[server]==5.2.*',
      ]);
    }
    const moto = new Moto(await freePort('127.0.0.1'));
    await moto.restart();
    return moto;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Starts it again on its port, without buckets. */
  async restart(): Promise<void> {
    await this.stop();
    const env = { ...process.env, PYTHONPATH: CACHE };
    const args = ['-m', 'moto.server', '-H', '127.0.0.1', '-p', String(this.port)];
    this.#process = spawn('python3', args, { env, stdio: 'ignore' });
    const answers = () =>
      fetch(this.endpoint).then(
        () => true,
        () => false,
      );
    await until(answers, 'an answer of moto', 60_000);
  }

  async stop(): Promise<void> {
    const running = this.#process;
    this.#process = undefined;
    if (running === undefined || running.exitCode !== null) return;
    const ended = once(running, 'exit');
    running.kill('SIGKILL');
    await ended;
  }

  /** It takes connections, and answers none until {@link proceed}. */
  hang(): void {
    this.#process?.kill('SIGSTOP');
  }

  proceed(): void {
    this.#process?.kill('SIGCONT');
  }

  async createBucket(Bucket: string): Promise<void> {
    await this.#client().send(new CreateBucketCommand({ Bucket }));
  }

  async keys(Bucket: string): Promise<string[]> {
    const { Contents = [] } = await this.#client().send(new ListObjectsV2Command({ Bucket }));
    return Contents.flatMap(({ Key }) => (Key === undefined ? [] : [Key]));
  }

  async deleteBucket(Bucket: string): Promise<void> {
    // Workers write to it meanwhile.
    await until(async () => {
      for (const Key of await this.keys(Bucket)) await this.#client().send(new DeleteObjectCommand({ Bucket, Key }));
      return this.#client()
        .send(new DeleteBucketCommand({ Bucket }))
        .then(
          () => true,
          () => false,
        );
    }, 'the end of the bucket');
  }

  #client(): S3Client {
    return new S3Client({ endpoint: this.endpoint, region: 'us-east-1', forcePathStyle: true });
  }
}
