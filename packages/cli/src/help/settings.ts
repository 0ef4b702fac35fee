import { paragraph } from './paragraph.ts';

/** What stands below the help of `config`. */
export const CONFIG_HELP: string = `
${paragraph(
  'Your own settings are in a YAML file where the platform keeps such things (epitome config path), or in the file that',
  'EPITOME_CONFIG names. A project may have its own in .epitome/config.yaml, which wins key by key; it may not start',
  'programs or decide where data goes. Comments and what other programs wrote there stay.',
)}

Examples:
  epitome config list
  epitome config set compressionTriggerTokens 60k
  epitome config set model.name anthropic/claude-sonnet-4-5
  epitome config set compressionInteractive false --project
  epitome config explain compressionStrategy
  epitome config reset --all
  epitome config schema > config.schema.json`;
