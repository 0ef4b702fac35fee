import type { Socket } from 'node:net';

/** How many connections each address has. */
export type Connections = {
  /** Notes a connection until it closes; false where its address has too many. */
  readonly admit: (socket: Socket, most: number) => boolean;
};

/** No connections yet. */
export function createConnections(): Connections {
  const open = new Map<string, number>();
  const known = new WeakSet<Socket>();
  return {
    admit: (socket, most) => {
      const address = socket.remoteAddress ?? 'unknown';
      if (!known.has(socket)) {
        known.add(socket);
        open.set(address, (open.get(address) ?? 0) + 1);
        socket.once('close', () => {
          const left = (open.get(address) ?? 1) - 1;
          if (left > 0) open.set(address, left);
          else open.delete(address);
        });
      }
      return (open.get(address) ?? 0) <= most;
    },
  };
}
