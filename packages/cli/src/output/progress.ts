import type { Summarizer } from 'epitome';

/** Shows on a terminal that a summarizer is at work and for how long; changes nothing elsewhere. */
export function withProgress(summarizer: Summarizer, stream: NodeJS.WriteStream): Summarizer {
  if (!stream.isTTY) return summarizer;
  let running = 0;
  let calls = 0;
  let started = 0;
  let timer: NodeJS.Timeout | undefined;
  const show = (): void => {
    const seconds = Math.round((Date.now() - started) / 1000);
    stream.write(`\r\u001b[Ksummarizing… ${seconds} s${calls > 1 ? `, call ${calls}` : ''}`);
  };
  const stop = (): void => {
    clearInterval(timer);
    stream.write('\r\u001b[K');
  };
  return async (brief, signal) => {
    calls += 1;
    running += 1;
    if (running === 1) {
      started = Date.now();
      timer = setInterval(show, 1000);
    }
    show();
    try {
      return await summarizer(brief, signal);
    } finally {
      running -= 1;
      if (running === 0) stop();
    }
  };
}
