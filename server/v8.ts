import { setFlagsFromString } from 'node:v8'

/**
 * Tells V8 how to work, before anything else is loaded: objects are made among the young ones, since otherwise small
 * collections take 30 to 250 ms under load instead of 1 to 3, and compiled WebAssembly is kept, since clearing it away
 * can end the process. Why, and what was measured: docs/decisions/0024.
 */
export function setV8Flags(): void {
  setFlagsFromString('--no-allocation-site-pretenuring')
  setFlagsFromString('--no-wasm-code-gc')
}
