import { paragraph } from './paragraph.ts';

/** What stands below the help of `completion`. */
export const COMPLETION_HELP: string = `
${paragraph(
  'Put it where the shell looks: ~/.local/share/bash-completion/completions/epitome for bash, a folder of fpath as',
  '_epitome for zsh, ~/.config/fish/completions/epitome.fish for fish.',
)}

Examples:
  epitome completion bash > epitome.bash
  epitome completion zsh > _epitome
  epitome completion fish > epitome.fish`;
