import { cpuTime } from '../../../measure/cpu-time';
import { HEAVY } from './heavy-answers';
import { parsed } from './read-in-text';

/**
 * `time-heavy-answers.ts <enough>`: prints the milliseconds of processor time that each of the heavy answers takes, in pieces
 * and whole. A process of its own: in that of the tests, what other files leave has made the same work five times as slow.
 */
async function main([enough]: string[]): Promise<void> {
  const times: { [name: string]: number } = {};
  for (const [name, answerOf] of HEAVY) {
    const answer = answerOf();
    const pieces: string[] = [];
    for (let at = 0; at < answer.length; at += 1000) pieces.push(answer.slice(at, at + 1000));
    times[name] = await cpuTime(() => {
      parsed(pieces);
      parsed([answer]);
    }, Number(enough));
  }
  process.stdout.write(JSON.stringify(times));
}

void main(process.argv.slice(2));
