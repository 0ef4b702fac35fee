import { type DestinationStream, type Logger, pino } from 'pino';
import { fieldsOf } from '../json/values.ts';
import type { Config } from '../model/config.ts';
import { clean, cleanText } from './clean.ts';

/** A logger of JSON lines. Everything that goes into it is cleaned on the way, whoever calls it. */
export function createLogger(level: Config['log'], destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { service: 'epitome-gateway', pid: process.pid },
    messageKey: 'message',
    formatters: {
      level: (label: string) => ({ level: label }),
      log: (entry: object) => ({ ...fieldsOf(clean(entry)) }),
    },
    hooks: {
      logMethod(this: Logger, given: Parameters<LogMethod>, method: LogMethod): void {
        const [entry, message, ...rest] = given;
        if (typeof entry === 'string') method.call(this, cleanText(entry));
        else method.call(this, entry, typeof message === 'string' ? cleanText(message) : message, ...rest);
      },
    },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
  };
  return pino(options, destination ?? pino.destination({ dest: 2, sync: true }));
}

type LogMethod = (entry: unknown, message?: unknown, ...rest: unknown[]) => void;
