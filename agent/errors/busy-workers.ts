/** Workers that poll but do not answer. */
export interface BusyWorkers {
  /** Their identities, which begin with process id and host. */
  workers: string[];
  /** When they were last heard from, or when they were asked: ISO 8601. */
  since: string;
}

/** The text for people, in their local time. For some minutes the server also names workers that have ended. */
export function busyText({ workers, since }: BusyWorkers): string {
  const named = workers.map((worker) => `\`${worker}\``).join(', ');
  const [who, its] =
    workers.length === 1 ? [`The worker ${named} is`, 'its log says'] : [`The workers ${named} are`, 'their logs say'];
  const time = new Date(since).toTimeString().slice(0, 8);
  return `${who} busy since ${time}, or ended then: a tool may block the event loop, and ${its} which. Wait, or start another with \`holdfast worker\`.`;
}
