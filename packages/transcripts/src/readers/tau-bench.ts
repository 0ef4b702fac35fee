import type { Item, Reader } from '../model/item.ts';
import { isObject, type JsonObject, listOf, objectOf, objectsOf } from '../model/json.ts';
import { unread } from './items.ts';

/** tau-bench results: a list of runs, each with its messages in `traj`. */
export const tauBench: Reader = {
  source: 'tau-bench',
  claims: ({ path, value }) => path.length === 0 && isObject(value) && isRun(value),
  open: () => ({
    push: ({ value }) => (isObject(value) && isRun(value) ? runItems(value) : [unread('(no run)')]),
    end: () => [],
  }),
};

function isRun(value: JsonObject): boolean {
  return 'task_id' in value && Array.isArray(value['traj']);
}

function runItems(run: JsonObject): readonly Item[] {
  const id = ['task', run['task_id'], ...(run['trial'] === undefined ? [] : ['trial', run['trial']])].join('-');
  const title = objectOf(objectOf(run['info'])['task'])['instruction'];
  const details = { id, ...(typeof title === 'string' ? { title: title.slice(0, 200) } : {}) };
  const strays = listOf(run['traj']).length - objectsOf(run['traj']).length;
  return [
    { kind: 'session', source: 'tau-bench', format: 'openai-chat', details },
    ...objectsOf(run['traj']).map((native): Item => {
      return { kind: 'entry', natives: [native], ...(native['role'] === 'user' ? { isPrompt: true } : {}) };
    }),
    ...Array.from({ length: strays }, () => unread('(no message)')),
  ];
}
