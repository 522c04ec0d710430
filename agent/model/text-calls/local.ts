/** `server_name` of the agent's own tools, services and loop tools. */
export const LOCAL = 'local';
