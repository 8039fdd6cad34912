import { setFlagsFromString } from 'node:v8'

/**
 * Sets V8 flags before anything else is loaded. A larger young generation: small collections otherwise take 30 to 250
 * ms under load instead of 1 to 3. No flushing of compiled WebAssembly, which can crash the process. Reasons and
 * measurements: docs/decisions/0024.
 */
export function setV8Flags(): void {
  setFlagsFromString('--no-allocation-site-pretenuring')
  setFlagsFromString('--no-wasm-code-gc')
}
