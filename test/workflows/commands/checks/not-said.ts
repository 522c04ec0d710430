/** What is told of a message that is refused. */
export const notSaid = (problem: string) => ({
  type: 'InvalidMessage',
  message: `Invalid message: ${problem}.`,
  data: { problem },
});
