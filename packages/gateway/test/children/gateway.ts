// A gateway in a process of its own: `gateway.ts STORE UPSTREAM WINDOW` prints its address and serves until it is killed.
import { createGateway, loadConfig } from '@epitome/gateway';
import { openStore } from '@epitome/store';

const [store = '', upstream = '', window = '8000'] = process.argv.slice(2);
const config = loadConfig({
  env: { EPITOME_UPSTREAM_OPENAI: upstream, EPITOME_GATEWAY_PORT: '0', EPITOME_GATEWAY_LOG: 'silent' },
});
const gateway = createGateway(
  { ...config, sharedTenant: 'local', policies: [{ window: Number(window) }] },
  { store: await openStore({ kind: 'postgres', connectionString: store }) },
);
const { port } = await gateway.listen();
process.stdout.write(`http://127.0.0.1:${port}\n`);
