// The packages of the workspace, each after those it depends on.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** `{ folder, name, manifest }` of every package, in the order in which they can be built. */
export function packagesInOrder() {
  const found = readdirSync(join(root, 'packages'))
    .filter((folder) => existsSync(join(root, 'packages', folder, 'package.json')))
    .sort()
    .map((folder) => ({ folder: `packages/${folder}`, manifest: manifestOf(folder) }))
    .map(({ folder, manifest }) => ({ folder, name: manifest.name, manifest }));
  const ordered = [];
  const visit = (one) => {
    if (ordered.includes(one)) return;
    for (const other of found) if (other !== one && dependsOn(one.manifest, other.name)) visit(other);
    ordered.push(one);
  };
  found.forEach(visit);
  return ordered;
}

function manifestOf(folder) {
  return JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8'));
}

/** Development dependencies count: a page that is built into another package is one of them. */
function dependsOn({ dependencies = {}, devDependencies = {} }, name) {
  return name in dependencies || name in devDependencies;
}
