/** Workers that are there and do not answer. */
export interface BusyWorkers {
  /** Their identities, which begin with process and host. */
  workers: string[];
  /** When they were last heard of, or asked: ISO 8601. */
  since: string;
}

/** What people are told of it, with the time of their own clock. For minutes the server also names workers that have ended. */
export function busyText({ workers, since }: BusyWorkers): string {
  const named = workers.map((worker) => `\`${worker}\``).join(', ');
  const [who, its] =
    workers.length === 1 ? [`The worker ${named} is`, 'its log says'] : [`The workers ${named} are`, 'their logs say'];
  const time = new Date(since).toTimeString().slice(0, 8);
  return `${who} busy since ${time}, or ended then: a tool may block the event loop, and ${its} which. Wait, or start another with \`holdfast worker\`.`;
}
