import type { CommandSpec } from '../command.js';

export const serveSpec: CommandSpec = {
  name: 'serve',
  summary: 'Serve the API, and see to every run that waits for nobody',
  options: {
    host: { type: 'string', value: 'H', help: 'Address to listen at; 127.0.0.1 when not given' },
    port: { type: 'string', value: 'P', help: 'Port; 4770 when not given, 0 takes a free one' },
    listen: {
      type: 'string',
      multiple: true,
      value: 'ADDR',
      help: 'Sessions here too: tcp://H:P, unix:PATH, ws:, h2: or grpc://H:P',
    },
    'no-worker': { type: 'boolean', help: 'Only serve; others see to the runs' },
    'tls-cert': { type: 'string', value: 'FILE', help: 'Certificate; needed off this machine' },
    'tls-key': { type: 'string', value: 'FILE', help: 'Its key' },
    'log-level': {
      type: 'string',
      value: 'LEVEL',
      choices: ['error', 'warn', 'info', 'debug', 'silent'],
      help: 'What is logged, a JSON object a line; info when not given',
    },
    'log-file': { type: 'string', value: 'FILE', help: 'Log there and not to standard error; with -d logs/server.log' },
    detach: { type: 'boolean', short: 'd', help: 'In the background' },
    stop: { type: 'boolean', help: 'End the server of this home' },
  },
  examples: ['baton serve', 'baton serve -d', 'baton serve --listen grpc://127.0.0.1:4771', 'baton serve --stop'],
};
