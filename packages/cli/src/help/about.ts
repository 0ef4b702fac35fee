import { paragraph } from './paragraph.ts';

/** What stands below the help of `completion`. */
export const COMPLETION_HELP: string = `
${paragraph(
  'Put it where the shell looks: ~/.local/share/bash-completion/completions/epitome for bash, a folder of fpath as',
  '_epitome for zsh, ~/.config/fish/completions/epitome.fish for fish. Commands, options and their values are offered:',
  'presets, formats, agents, and the sessions of this machine or the conversations of your store where one is wanted',
  '(the scripts ask epitome completion sessions and epitome completion conversations for them).',
)}

Examples:
  epitome completion bash > epitome.bash
  epitome completion zsh > _epitome
  epitome completion fish > epitome.fish`;

/** What stands below the help of `presets`. */
export const PRESETS_HELP: string = `
Options are given with --set KEY=VALUE to compact, plan and worker; keys may be
written with underscores, numbers as 128k or 1m.

Examples:
  epitome presets
  epitome presets selective
  epitome compact session.json -p selective --set retentionWindow=4`;
