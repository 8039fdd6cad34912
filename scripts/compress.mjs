// Writes a Brotli and a gzip version beside every built file, at maximum quality: this runs once, not per request.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { ROOT } from './setup.mjs'

const folder = path.join(ROOT, 'build/client')
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !/\.(js|css|json|svg)$/.test(entry.name)) continue
  const file = path.join(entry.parentPath, entry.name)
  const text = readFileSync(file)
  if (text.byteLength < 500) continue
  writeFileSync(`${file}.br`, brotliCompressSync(text))
  writeFileSync(`${file}.gz`, gzipSync(text, { level: 9 }))
}
