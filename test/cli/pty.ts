import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { until } from '../until';

/** Runs a program on a separate terminal, and types what standard input lists as lines `[[milliseconds, text], …]`. */
const BRIDGE = `
import fcntl, json, os, pty, select, struct, sys, termios, threading, time
pid, master = pty.fork()
if pid == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack('HHHH', 40, 120, 0, 0))
def keys():
    for line in sys.stdin:
        for wait, text in json.loads(line):
            time.sleep(wait / 1000)
            os.write(master, text.encode())
threading.Thread(target=keys, daemon=True).start()
while True:
    try:
        data = os.read(master, 65536)
    except OSError:
        break
    if not data:
        break
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;

/** A person at a terminal that runs a program. */
export class Pty {
  #written = '';
  /** The position up to which the output was checked. */
  #seen = 0;
  readonly #child: ChildProcess;
  readonly exit: Promise<unknown[]>;

  constructor(command: string, args: readonly string[], options: { cwd: string; env: NodeJS.ProcessEnv }) {
    const child = spawn('python3', ['-c', BRIDGE, command, ...args], options);
    this.#child = child;
    this.exit = once(child, 'exit');
    child.stdout.setEncoding('utf8').on('data', (data) => {
      this.#written += data;
    });
    child.stderr.pipe(process.stderr);
  }

  /** Waits until this is on the screen. Earlier text does not count again. */
  async sees(text: string | RegExp): Promise<void> {
    const found = () => (typeof text === 'string' ? this.#screen.indexOf(text) : this.#screen.search(text));
    await until(() => found() >= 0, 'the screen').catch(() => {
      throw new Error(`Expected ${text} on the screen:\n${this.#screen}`);
    });
    this.#seen += found() + 1;
  }

  /** Everything that the program wrote, unchanged. */
  get written(): string {
    return this.#written;
  }

  hasSeen(text: string): boolean {
    return this.#screen.includes(text);
  }

  /** Types keys one after the other, with a pause of milliseconds between them. */
  type(text: string, gap: number): void {
    this.#keys([...text].map((key) => [gap, key]));
  }

  /** Types everything at once. */
  paste(text: string): void {
    this.#keys([[0, text]]);
  }

  /** A key by itself, then Enter. */
  press(key: string): void {
    this.#keys([
      [60, key],
      [60, '\r'],
    ]);
  }

  /** All output of the program, unchanged. */
  get raw(): string {
    return this.#written;
  }

  kill(): void {
    this.#child.kill();
  }

  /** The output of the program since the last look, without control sequences. */
  get #screen(): string {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control sequences contain them
    return this.#written.replace(/\x1b\[[\d;?]*[A-Za-z]/g, '').slice(this.#seen);
  }

  #keys(keys: [number, string][]): void {
    this.#child.stdin?.write(`${JSON.stringify(keys)}\n`);
  }
}
