import type { Piece, Reader } from '../model/item.ts';
import { aider } from './aider.ts';
import { api } from './api.ts';
import { claudeCode } from './claude-code.ts';
import { codex } from './codex.ts';
import { copilotCli } from './copilot-cli.ts';
import { forge } from './forge.ts';
import { geminiCli } from './gemini-cli.ts';
import { opencode } from './opencode.ts';
import { openhands } from './openhands.ts';
import { pi } from './pi.ts';
import { sweAgent } from './swe-agent.ts';
import { tauBench } from './tau-bench.ts';

// The plain shapes last: what has marks of its own is more than that.
const READERS: readonly Reader[] = [
  claudeCode,
  codex,
  geminiCli,
  opencode,
  pi,
  copilotCli,
  forge,
  aider,
  sweAgent,
  openhands,
  tauBench,
  api,
];

/** The reader of the kind of file that a piece can only belong to. */
export function readerOf(piece: Piece): Reader | undefined {
  return READERS.find((reader) => reader.claims(piece));
}
