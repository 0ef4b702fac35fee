/** What stands below the help of `worker`. */
export const WORKER_HELP: string = `
A job that fails is tried again with growing pauses; one that failed too often
rests until \`epitome store jobs --retry\`. Ctrl-C or SIGTERM takes no more jobs
and waits for those under way. Any number of workers may share a store; each
branch is compacted by one at a time.

EPITOME_STORE keeps a password out of the list of processes.`;

/** What stands below the help of `store`. */
export const STORE_HELP: string = `
The store is that of --store, else of EPITOME_STORE, else your own file:
$XDG_DATA_HOME/epitome/epitome.db or ~/.local/share/epitome/epitome.db on Linux,
~/Library/Application Support/epitome/epitome.db on macOS,
%LOCALAPPDATA%\\epitome\\epitome.db on Windows.`;
